import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayReadFromArchive } from '../archive-access/archive-roles.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { fileOfKey, isEmptyResultKey } from '../result-views/empty-result.ts';
import { filesNamedBy } from '../result-views/format-result.ts';
import { loadResults } from '../result-views/load-results.ts';

export interface SubmissionContentsDependencies {
  readonly submissions: Collection<Submission>;
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly errors: Collection<ErrorRecord>;
  readonly classification: ClassificationEngine;
}

/** Documents of a submission, of every classification: what the reader may see is decided later. */
export interface Contents {
  /** Files of results, errors and extraction, by SHA-256. */
  readonly files: ReadonlyMap<string, FileRecord>;
  /** Results with content, by key. */
  readonly results: ReadonlyMap<string, Result>;
  /** Keys of results that do not exist, or that are too much for one answer: see `loadResults`. */
  readonly missingResults: readonly string[];
}

/** Everything is read, because the classification of files and sections decides who sees a part of it. */
const EVERY_PART = unrestricted('parts of a submission are filtered by the classification of each');

/** Reads submissions with their files, results and errors. */
export class SubmissionContents {
  readonly #dependencies: SubmissionContentsDependencies;

  constructor(dependencies: SubmissionContentsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a submission that the actor may see, with its contents to be read on demand.
   * @throws NotFound `submission_missing`
   * @throws Forbidden `submission_not_visible`
   */
  async open(actor: Pick<Actor, 'classification' | 'roles'>, sid: string): Promise<OpenedSubmission> {
    const { submissions, classification } = this.#dependencies;
    const submission = await submissions.get(sid, EVERY_PART);
    if (submission === undefined || !mayReadFromArchive(actor, submission)) {
      throw new NotFound('submission_missing', `Submission ID ${sid} does not exists.`);
    }
    const reader = new ClearedReader(classification, actor.classification);
    if (!reader.sees(submission.classification)) {
      throw new Forbidden('submission_not_visible', 'You are not allowed to view the data of this submission');
    }
    return new OpenedSubmission(submission, reader, this.#dependencies);
  }

  /** Returns a file of any classification. */
  async file(sha256: string): Promise<FileRecord | undefined> {
    return await this.#dependencies.files.get(sha256, EVERY_PART);
  }

  /** Returns the files that results name, of any classification. */
  async filesOf(results: Iterable<Result>): Promise<readonly (FileRecord | undefined)[]> {
    return await this.#dependencies.files.getMany(filesNamedBy(results), EVERY_PART);
  }

  /** Returns the results with content that exist, of any classification, by key. */
  async results(keys: readonly string[]): Promise<ReadonlyMap<string, Result>> {
    const filled = keys.filter((key) => !isEmptyResultKey(key));
    return (await loadResults(this.#dependencies.results, filled, { access: EVERY_PART })).results;
  }
}

/** A submission as one caller sees it. Reads its documents when they are first needed, once. */
export class OpenedSubmission {
  readonly submission: Submission;
  readonly reader: ClearedReader;
  readonly #dependencies: SubmissionContentsDependencies;
  #contents: Promise<Contents> | undefined;

  constructor(submission: Submission, reader: ClearedReader, dependencies: SubmissionContentsDependencies) {
    this.submission = submission;
    this.reader = reader;
    this.#dependencies = dependencies;
  }

  contents(): Promise<Contents> {
    this.#contents ??= this.#read();
    return this.#contents;
  }

  /** Returns the errors of files that the caller may see, by key, and the keys of missing ones. */
  async errors(keys: readonly string[] = this.submission.errors) {
    const visible = await this.visibleKeys(keys);
    const found = await this.#dependencies.errors.getMany(visible, EVERY_PART);
    const errors = new Map<string, ErrorRecord>();
    const missing: string[] = [];
    for (const [index, key] of visible.entries()) {
      const error = found[index];
      if (error === undefined) missing.push(key);
      else errors.set(key, error);
    }
    return { errors, missing };
  }

  /** Returns those keys of results or errors whose file the caller may see, or which is gone. */
  async visibleKeys(keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length === 0) return keys;
    const files = await this.#files(keys.map((key) => fileOfKey(key)));
    return keys.filter((key) => {
      const file = files.get(fileOfKey(key) ?? '');
      return file === undefined || this.reader.sees(file.classification);
    });
  }

  /** Returns the tracing events, without those about files that the caller may not see. */
  async visibleTraces(): Promise<Submission['tracing_events']> {
    const { tracing_events: traces } = this.submission;
    if (traces.length === 0) return traces;
    const files = await this.#files(traces.map(({ file }) => file));
    return traces.filter(({ file }) => {
      const known = file === undefined ? undefined : files.get(file);
      return known === undefined || this.reader.sees(known.classification);
    });
  }

  async #read(): Promise<Contents> {
    const { results: keys, errors, files: submitted } = this.submission;
    const filled = [...new Set(keys)].filter((key) => !isEmptyResultKey(key));
    const [{ results, missing: missingResults }, files] = await Promise.all([
      loadResults(this.#dependencies.results, filled, { access: EVERY_PART }),
      this.#readFiles([...keys, ...errors].map(fileOfKey).concat(submitted.map(({ sha256 }) => sha256))),
    ]);
    const extracted = [...results.values()].flatMap(({ response }) => response.extracted.map(({ sha256 }) => sha256));
    const others = await this.#readFiles(extracted.filter((sha256) => !files.has(sha256)));
    this.reader.learn([...files.values(), ...others.values()]);
    return { files: new Map([...files, ...others]), results, missingResults };
  }

  /** Files that are read already, or read now. */
  async #files(hashes: readonly (string | undefined)[]): Promise<ReadonlyMap<string, FileRecord>> {
    return this.#contents === undefined ? await this.#readFiles(hashes) : (await this.#contents).files;
  }

  async #readFiles(hashes: readonly (string | undefined)[]): Promise<Map<string, FileRecord>> {
    const wanted = [...new Set(hashes)].filter((sha256) => sha256 !== undefined);
    const found = await this.#dependencies.files.getMany(wanted, EVERY_PART);
    return new Map(found.flatMap((file) => (file === undefined ? [] : [[file.sha256, file] as const])));
  }
}
