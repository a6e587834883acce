import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { isTriadError, Unavailable } from '../../errors/errors.ts';
import type { FileContent, FileStorage } from '../../file-storage/file-storage.ts';
import { sourceOfBytes } from '../formats/byte-source.ts';
import { CART_MAGIC, readCart, statedKind, unpackCart } from '../formats/cart.ts';
import { HEAD_SIZE, type Identification, type Identity } from '../identification/identification.ts';
import type { FileInfo } from './file-info.ts';
import { FileRecords, type SaveOptions } from './file-records.ts';
import type { FileHold, FileUse } from './file-use.ts';
import type { FuzzyDigests } from './fuzzy-digests.ts';
import { PassingDigests, type ReceivedFile, type StoredFile, storedSource } from './received-file.ts';
import type { ThreadedDigests } from './threaded-digests.ts';

export interface AnalysisFilesDependencies {
  readonly storage: FileStorage;
  readonly collection: Collection<FileRecord>;
  readonly use: FileUse;
  readonly classification: ClassificationEngine;
  readonly identification: Identification;
  readonly digests: ThreadedDigests;
}

export interface ReceiveOptions {
  /** Bytes, at most. Default: no limit. */
  readonly limit?: number;
  /** SHA-256 that the content is said to have. */
  readonly expected?: string;
  readonly signal?: AbortSignal;
  /** Small files are identified while they are stored, because `describe` follows. Default false. */
  readonly isDescribedNext?: boolean;
}

export interface DescribeOptions {
  /** Computes entropy, ssdeep and TLSH, too. */
  readonly fuzzy: boolean;
  /** The media type has its character set, as of files that services upload. Default false. */
  readonly withCharset?: boolean;
}

export interface DigestOptions {
  /**
   * Keeps the entropy in double precision. The public system stores it so until a cached result renews
   * the document, thus in submissions that ignore the cache; otherwise in single precision. Default false.
   */
  readonly isPrecise?: boolean;
}

const ACCESS = unrestricted('the program keeps track of all files');
const SHOWN = 64;
/** Takes in files, tells what they are and keeps their documents and bytes together. */
export class AnalysisFiles {
  readonly #storage: FileStorage;
  readonly #use: FileUse;
  readonly #collection: Collection<FileRecord>;
  readonly #records: FileRecords;
  readonly #identification: Identification;
  readonly #digests: ThreadedDigests;
  /** Requests of this process that received a file and neither saved nor discarded it yet. */
  readonly #held = new Map<string, { requests: number; readonly holds: FileHold[] }>();

  constructor(dependencies: AnalysisFilesDependencies) {
    this.#storage = dependencies.storage;
    this.#use = dependencies.use;
    this.#collection = dependencies.collection;
    this.#records = new FileRecords(dependencies);
    this.#identification = dependencies.identification;
    this.#digests = dependencies.digests;
  }

  /**
   * Stores content and computes its hashes in one pass; memory stays bounded for any size. Call
   * `saveOrFreshen` or `discard` afterwards.
   * @throws TooLarge `file_too_large`; InvalidInput `file_hash_mismatch`; errors of the content's source
   */
  async receive(content: FileContent, options: ReceiveOptions = {}): Promise<ReceivedFile> {
    const passing = new PassingDigests();
    const begun: { identity?: Promise<Identity> } = {};
    const identify = (whole: Buffer) => {
      begun.identity = this.#identification.identify(sourceOfBytes(whole), whole);
      // A file that is refused is never described.
      begun.identity.catch(() => undefined);
    };
    const stored = passing.through(content, options.isDescribedNext ? identify : undefined);
    const { sha256, size } = await this.#storage.put(stored, options);
    const held = this.#held.get(sha256) ?? { requests: 0, holds: [] };
    held.requests += 1;
    this.#held.set(sha256, held);
    const hold = await this.#use.hold(sha256).catch((error: unknown) => {
      this.#release(sha256);
      throw error;
    });
    held.holds.push(hold);
    return { sha256, size, hold, ...passing.digest(), ...begun };
  }

  /** Identifies a file. With `fuzzy` it reads the whole file again, at about 15 MB/s. */
  async describe(received: ReceivedFile, { fuzzy, withCharset = false }: DescribeOptions): Promise<FileInfo> {
    const { head, hold: _hold, identity: begun, ...hashes } = received;
    const source = storedSource(this.#storage, received);
    const isWhole = head.length === received.size;
    const [identity, digests] = await Promise.all([
      begun ?? this.#identification.identify(source, isWhole ? head : await source.read(0, HEAD_SIZE)),
      fuzzy ? this.fuzzyDigests(received) : undefined,
    ]);
    const first = head.subarray(0, SHOWN);
    return {
      ...hashes,
      ascii: printable(first),
      hex: first.toString('hex'),
      magic: identity.magic,
      mime: withCharset ? `${identity.mime}; charset=${identity.charset}` : identity.mime,
      type: identity.type,
      ...digests,
      ...(identity.uriInfo === undefined ? {} : { uri_info: identity.uriInfo }),
    };
  }

  /** Computes entropy, ssdeep and TLSH of a stored file. */
  async fuzzyDigests(file: StoredFile, { isPrecise = false }: DigestOptions = {}): Promise<FuzzyDigests> {
    const digests = await this.#digestsOf(file);
    return isPrecise ? digests : { ...digests, entropy: Math.fround(digests.entropy) };
  }

  /** Computes what `describe` left out without `fuzzy`, and adds it to the document. */
  async addFuzzyDigests(file: StoredFile, options: DigestOptions = {}): Promise<void> {
    await this.#records.addDigests(file.sha256, await this.fuzzyDigests(file, options));
  }

  /**
   * Unpacks a CaRT that was received; undefined for every other file.
   * One that states its kind, such as a bundle, or is damaged counts as another file. The CaRT itself stays held.
   * @throws TooLarge `file_too_large`, when the content is larger than `limit`
   */
  async unpackCart(
    received: ReceivedFile,
    options: Pick<ReceiveOptions, 'limit' | 'signal'> = {},
  ): Promise<{ readonly received: ReceivedFile; readonly header: Readonly<Record<string, unknown>> } | undefined> {
    if (!received.head.subarray(0, CART_MAGIC.length).equals(CART_MAGIC)) return undefined;
    try {
      const cart = await readCart(storedSource(this.#storage, received));
      if (statedKind(cart.header) !== undefined) return undefined;
      const { stream } = await this.#storage.open(received.sha256, cart.body);
      return { received: await this.receive(unpackCart(cart, stream), options), header: cart.header };
    } catch (error) {
      if (isTriadError(error) && error.code === 'invalid_cart') return undefined;
      throw error;
    }
  }

  /**
   * Stores the document of a received file, or renews the one that is there (contract/analysis.md 4.4):
   * its classification becomes the lower one, its expiry the later one.
   * @throws Unavailable `file_bytes_missing`, when the bytes were deleted meanwhile; a retry sends them again
   */
  async saveOrFreshen(info: FileInfo, options: SaveOptions): Promise<FileRecord> {
    if ((await this.#storage.stat(info.sha256)) === undefined) {
      const message = `The bytes of the file ${info.sha256} were deleted meanwhile. Send the file again.`;
      throw new Unavailable('file_bytes_missing', message, { retryAfter: 1 });
    }
    const record = await this.#records.saveOrFreshen(info, options);
    this.#release(info.sha256);
    return record;
  }

  /** Renews the document of a known file; false when the document or the bytes are not there. */
  async freshen(sha256: string, options: SaveOptions): Promise<boolean> {
    await this.#use.hold(sha256);
    if ((await this.#storage.stat(sha256)) === undefined) return false;
    return this.#records.freshen(sha256, options);
  }

  /** Gives up a received file: removes its bytes when no document and no other request refers to them. */
  async discard({ sha256, hold }: Pick<ReceivedFile, 'sha256' | 'hold'>): Promise<void> {
    const holds = this.#release(sha256) ?? [hold];
    if (this.#held.has(sha256)) return;
    // Only the last hold counts, which may be that of a request that gave the file up before.
    await this.#use.delete(sha256, async () => (await this.#collection.get(sha256, ACCESS)) !== undefined, holds);
  }

  async #digestsOf({ head, size, sha256 }: StoredFile): Promise<FuzzyDigests> {
    if (head?.length === size) return this.#digests.digest(oneChunk(head), size);
    const { stream } = await this.#storage.open(sha256);
    return this.#digests.digest(stream, size);
  }

  /** Ends one request, and returns the holds of all that held the content at the same time. */
  #release(sha256: string): readonly FileHold[] | undefined {
    const held = this.#held.get(sha256);
    if (held === undefined) return undefined;
    held.requests -= 1;
    if (held.requests === 0) this.#held.delete(sha256);
    return held.holds;
  }
}

/** Returns bytes as text, with dots for what cannot be printed. */
function printable(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.');
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
