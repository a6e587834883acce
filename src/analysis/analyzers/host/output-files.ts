import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileContent } from '../../../file-storage/file-storage.ts';
import type { Task } from '../../dispatching/task.ts';
import { AnalyzerFailure } from './analyzer-process.ts';

/** File whose bytes are stored, with its digests. */
interface Received {
  readonly sha256: string;
  readonly sha1: string;
}

export interface OutputFilesDependencies<Stored extends Received, Info> {
  readonly files: {
    receive(content: FileContent, options: { readonly limit?: number }): Promise<Stored>;
    describe(received: Stored, options: { readonly fuzzy: boolean; readonly withCharset?: boolean }): Promise<Info>;
    saveOrFreshen(
      info: Info,
      options: {
        readonly expiry: string | undefined;
        readonly classification: string;
        readonly isSupplementary?: boolean;
      },
    ): Promise<unknown>;
    discard(received: Stored): Promise<void>;
  };
  /** Returns those of the identifiers that are files on the safelist. */
  readonly safeFiles: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Bytes of one file. */
  readonly maxSize: number;
  readonly now?: () => number;
}

/** A file of a result, with the member names of the service protocol. */
export interface ResultFile {
  readonly name: string;
  readonly sha256: string;
  readonly description: string;
  readonly classification: string;
  readonly is_section_image: boolean;
  readonly is_supplementary: boolean;
  readonly allow_dynamic_recursion: boolean;
  readonly parent_relation: string;
}

export interface StoredOutput {
  readonly extracted: readonly ResultFile[];
  readonly supplementary: readonly ResultFile[];
  /** Names of extracted files that the safelist keeps out of the analysis. */
  readonly safe: readonly string[];
}

interface ListedFile {
  readonly file: string;
  readonly name: string;
  readonly description: string;
}

const DAY = 86_400_000;
const MAX_SUPPLEMENTARY = 500;
/** Files that are stored at the same time. */
const PARALLEL = 4;
const MAX_NAME = 1000;

/** Stores the files that an analyzer left in its folder. Its list of them is as untrusted as they are. */
export class OutputFiles<Stored extends Received, Info> {
  readonly #dependencies: OutputFilesDependencies<Stored, Info>;

  constructor(dependencies: OutputFilesDependencies<Stored, Info>) {
    this.#dependencies = dependencies;
  }

  /** @throws AnalyzerFailure `reply` when the list does not fit to the folder */
  async store(task: Task, folder: string, lists: { readonly extracted: unknown; readonly supplementary: unknown }) {
    const listed = readList(lists.extracted, task.max_files);
    const supplementary = readList(lists.supplementary, MAX_SUPPLEMENTARY);
    const stored = await inParallel(listed, (one) => this.#store(task, folder, one, false));
    const beside = await inParallel(supplementary, (one) => this.#store(task, folder, one, true));
    return {
      extracted: stored.filter((one) => one !== undefined),
      supplementary: beside.filter((one) => one !== undefined),
      safe: listed.filter((_one, index) => stored[index] === undefined).map(({ name }) => name),
    } satisfies StoredOutput;
  }

  /** Returns undefined for a file on the safelist. */
  async #store(
    task: Task,
    folder: string,
    { file, name, description }: ListedFile,
    isSupplementary: boolean,
  ): Promise<ResultFile | undefined> {
    const { files, maxSize, now = Date.now } = this.#dependencies;
    // A link could lead out of the folder; the process may make none, but is not trusted with that.
    await using handle = await open(join(folder, file), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => {
      throw new AnalyzerFailure('reply', 'The analyzer names a file that is not in its folder.');
    });
    if (!(await handle.stat()).isFile()) throw new AnalyzerFailure('reply', 'The analyzer names a folder as a file.');
    const received = await files.receive(handle.createReadStream({ autoClose: false }), { limit: maxSize });
    if (!isSupplementary && (await this.#isSafe(task, received))) {
      await files.discard(received);
      return undefined;
    }
    const info = await files.describe(received, { fuzzy: true, withCharset: true });
    const classification = task.min_classification;
    const expiry = task.ttl === 0 ? undefined : new Date(now() + task.ttl * DAY).toISOString();
    await files.saveOrFreshen(info, { expiry, classification, ...(isSupplementary ? { isSupplementary } : {}) });
    return {
      name,
      sha256: received.sha256,
      description,
      classification,
      is_section_image: false,
      is_supplementary: isSupplementary,
      allow_dynamic_recursion: false,
      parent_relation: isSupplementary ? 'INFORMATION' : 'EXTRACTED',
    };
  }

  async #isSafe({ safelist_config, deep_scan, ignore_filtering }: Task, received: Stored): Promise<boolean> {
    if (!safelist_config.enabled || deep_scan || ignore_filtering) return false;
    const ids = [received.sha256, received.sha1];
    return (await this.#dependencies.safeFiles(ids)).size > 0;
  }
}

/** Works on a few items at a time; results are in the order of the items. */
async function inParallel<T, Result>(items: readonly T[], work: (item: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const next = items.entries();
  const worker = async () => {
    for (const [index, item] of next) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

function readList(value: unknown, max: number): readonly ListedFile[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > max) {
    throw new AnalyzerFailure('reply', `The analyzer hands over more than ${max} files.`);
  }
  return value.map((one: unknown) => {
    const { file, name, description } = (typeof one === 'object' && one !== null ? one : {}) as Partial<ListedFile>;
    if (typeof file !== 'string' || !/^[A-Za-z0-9_-]{1,100}$/.test(file) || typeof name !== 'string' || name === '') {
      throw new AnalyzerFailure('reply', 'The analyzer hands over a file without a valid name.');
    }
    return { file, name: name.slice(0, MAX_NAME), description: String(description ?? '').slice(0, MAX_NAME) || name };
  });
}
