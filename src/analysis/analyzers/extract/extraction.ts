import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalyzerRequest, OutputFile } from '../analyzer.ts';
import { memberName } from './member-names.ts';

/** Limits of one extraction. A member beyond them is named in the result and not extracted. */
export interface ExtractionLimits {
  readonly maxFiles: number;
  /** Members of an archive that are looked at. */
  readonly maxListed: number;
  /** Bytes of one member. */
  readonly maxMember: number;
  /** Bytes of all members. */
  readonly maxTotal: number;
  /** Time of `performance.now()`. */
  readonly deadline: number;
}

/** A member of an archive, extracted or not. */
export interface ListedMember {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isHidden: boolean;
  /** Bytes, as the archive says. */
  readonly size: number | undefined;
  readonly compressed: number | undefined;
}

export interface ExtractedMember extends OutputFile {
  readonly path: string;
  readonly size: number;
}

/** A member that a limit kept out; `size` is what was seen of it. */
export interface RefusedMember {
  readonly name: string;
  readonly why: string;
  readonly isBloated: boolean;
}

/** Writes the content of a member; ends early when `write` rejects. */
export type Producer = (write: (chunk: Uint8Array) => Promise<void>) => Promise<unknown>;

const MEGABYTE = 1_048_576;
/** Bytes that may always come out of an archive, and how many for each byte of it beyond that. */
const FREE_TOTAL = 64 * MEGABYTE;
const MAX_RATIO = 200;
const MAX_LISTED = 20_000;
/** Share of the time until the process is killed, so that what was found is handed over. */
const TIME_SHARE = 2 / 3;

/** Returns the limits of a request, by the configuration of the service. */
export function extractionLimits({ maxFiles, file, config, timeLimit }: AnalyzerRequest): ExtractionLimits {
  const maxTotal = numberOf(config.max_total_size, 1024 * MEGABYTE);
  return {
    maxFiles,
    maxListed: MAX_LISTED,
    maxMember: numberOf(config.max_member_size, 100 * MEGABYTE),
    maxTotal: Math.min(maxTotal, Math.max(FREE_TOTAL, file.size * MAX_RATIO)),
    deadline: performance.now() + timeLimit * TIME_SHARE,
  };
}

/** Collects what unpackers find in one file, within limits. */
export class Extraction {
  readonly files: ExtractedMember[] = [];
  readonly listing: ListedMember[] = [];
  readonly links: string[] = [];
  readonly refused: RefusedMember[] = [];
  /** Errors of members and of the archive, for people. */
  readonly problems: string[] = [];
  readonly passwordsUsed = new Set<string>();
  /** Encrypted members that no password opened. */
  readonly locked: string[] = [];
  isProtected = false;
  /** The archive could not be listed. */
  isUnlisted = false;
  readonly #folder: string;
  readonly #limits: ExtractionLimits;
  #written = 0;
  #total = 0;
  #isListingCut = false;
  #exhausted: string | undefined;

  constructor(folder: string, limits: ExtractionLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Why nothing more is extracted: total size or time. */
  get exhausted(): string | undefined {
    if (this.#exhausted === undefined && performance.now() > this.#limits.deadline) {
      this.#exhausted = 'the time for extraction is over';
    }
    return this.#exhausted;
  }

  get isFull(): boolean {
    return this.files.length >= this.#limits.maxFiles;
  }

  /** True when the archive has more members than are looked at. */
  get isListingCut(): boolean {
    return this.#isListingCut;
  }

  /** Remembers a member of the archive. Returns false when there are too many of them. */
  list(member: ListedMember): boolean {
    this.#isListingCut = this.listing.length >= this.#limits.maxListed;
    if (this.#isListingCut) return false;
    this.listing.push({ ...member, name: memberName(member.name) });
    return true;
  }

  /**
   * Extracts a member. Empty ones are left out.
   * `keepDamaged`: what came before an error stays, and the error becomes a problem of the result.
   * @throws what `produce` throws, unless a limit was the reason or what came is kept
   */
  async add(
    rawName: string,
    method: string,
    produce: Producer,
    { keepDamaged = true }: { readonly keepDamaged?: boolean } = {},
  ): Promise<boolean> {
    const name = memberName(rawName);
    const { maxMember, maxTotal } = this.#limits;
    if (this.isFull || this.exhausted !== undefined) return false;
    const file = String(this.#written);
    this.#written += 1;
    const path = join(this.#folder, file);
    let size = 0;
    let limit: string | undefined;
    const handle = await open(path, 'wx', 0o600);
    try {
      await produce(async (chunk) => {
        size += chunk.length;
        this.#total += chunk.length;
        if (size > maxMember) limit = `it has more than ${maxMember} bytes`;
        else if (this.#total > maxTotal) {
          limit = `all files together have more than ${maxTotal} bytes`;
          this.#exhausted = limit;
        } else limit = this.exhausted;
        if (limit !== undefined) throw new Error(limit);
        await handle.write(chunk);
      });
    } catch (error) {
      if (limit === undefined && (!keepDamaged || size === 0)) {
        this.#total -= size;
        await rm(path, { force: true });
        throw error;
      }
      if (limit === undefined) this.problems.push(`${name}: ${messageOf(error)}`);
    } finally {
      await handle.close();
    }
    if (limit === undefined && size > 0) {
      this.files.push({ file, path, name, size, description: `Extracted using ${method}` });
      return true;
    }
    if (limit !== undefined) this.refuse(name, limit, limit !== this.#exhausted || this.#total > maxTotal);
    await rm(path, { force: true });
    return false;
  }

  /** Names a member that is not extracted. `isBloated`: because of its size. */
  refuse(name: string, why: string, isBloated: boolean): void {
    this.refused.push({ name: memberName(name), why, isBloated });
  }

  /** Returns true when a member of this size, as the archive says, can be extracted; else names it. */
  allows({ name, size, compressed }: ListedMember): boolean {
    if (size === undefined || size <= this.#limits.maxMember) return true;
    const ratio = compressed === undefined ? '' : ` (${((compressed * 100) / size).toFixed(2)} % of it compressed)`;
    this.refuse(name, `it has ${size} bytes${ratio}; ${this.#limits.maxMember} are allowed`, true);
    return false;
  }

  /** Forgets the listing and takes the first file out of the result, to be unpacked as well. */
  takeOnly(): ExtractedMember | undefined {
    this.listing.length = 0;
    return this.files.shift();
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;
}
