import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { EmptyResult } from '../../documents/kinds/analysis/empty-result.ts';
import { type ErrorRecord, errorDocument } from '../../documents/kinds/analysis/error.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { ResultSummary, Task, TaskOutcome } from '../dispatching/task.ts';
import { type ResultFiles, referredFiles } from './result-files.ts';
import { errorKey, resultKey } from './result-keys.ts';
import { summaryOf } from './result-summary.ts';
import { expiryOf, timeText } from './result-times.ts';
import { storedTags } from './section-tags.ts';

export interface ResultCacheDependencies {
  readonly results: Collection<Result>;
  readonly emptyResults: Collection<EmptyResult>;
  readonly errors: Collection<ErrorRecord>;
  readonly files: ResultFiles;
  readonly classification: ClassificationEngine;
  readonly now: () => number;
}

/** The analyzer that would work on a task. */
export interface CacheUser extends Pick<Service, 'version' | 'disable_cache'> {
  /** Version of its tools, if it has any. */
  readonly toolVersion?: string | undefined;
}

const ACCESS = unrestricted('the result of a file is the same for all submissions with the same parameters');

/** Finds results that answer a task without running an analyzer (contract/analysis.md section 7.4). */
export class ResultCache {
  readonly #dependencies: ResultCacheDependencies;

  constructor(dependencies: ResultCacheDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the outcome of a task whose result is stored, after renewing what belongs to it.
   * An error when the file of the task is gone; undefined when an analyzer has to run.
   */
  async find(task: Task, service: CacheUser): Promise<TaskOutcome | undefined> {
    if (task.ignore_cache || service.disable_cache) return undefined;
    const { sha256 } = task.fileinfo;
    const toolVersion = service.toolVersion === '' ? undefined : service.toolVersion;
    const parts = { sha256, service: task.service_name, version: service.version, toolVersion, task };
    const { results, emptyResults } = this.#dependencies;
    const key = resultKey(parts);
    const emptyKey = resultKey({ ...parts, isEmpty: true });
    const stored = await results.get(key, ACCESS);
    if (stored !== undefined) return this.#renewed(task, key, stored, service);
    if ((await emptyResults.get(emptyKey, ACCESS)) === undefined) return undefined;
    return { kind: 'result', summary: emptySummary(emptyKey, service.version, toolVersion) };
  }

  async #renewed(task: Task, key: string, result: Result, service: CacheUser): Promise<TaskOutcome | undefined> {
    const { files, results, now } = this.#dependencies;
    const { sha256 } = task.fileinfo;
    if (!(await files.exists(sha256))) return this.#fileMissing(task, service);
    const expiry = laterExpiry(result.expiry_ts, expiryOf(task, now()));
    for (const file of referredFiles(result)) {
      // The result of a file whose children were deleted is made again, and the children with it.
      if (!(await files.freshen(file.sha256, { ...file, expiry }))) return undefined;
    }
    if (!(await files.freshen(sha256, { expiry, classification: task.min_classification }))) return undefined;
    try {
      const operation =
        expiry === undefined
          ? ({ op: 'unset', path: 'expiry_ts' } as const)
          : ({ op: 'set', path: 'expiry_ts', value: expiry } as const);
      if (expiry !== result.expiry_ts) await results.update(key, [operation]);
    } catch (error) {
      if (isTriadError(error) && error.code === 'document_missing') return undefined;
      throw error;
    }
    const { classification } = this.#dependencies;
    const summary = summaryOf(key, result, { classification, minimum: task.min_classification });
    return { kind: 'result', summary: { ...summary, tags: storedTags(result) } };
  }

  async #fileMissing(task: Task, { version }: CacheUser): Promise<TaskOutcome> {
    const { errors, now } = this.#dependencies;
    const { sha256 } = task.fileinfo;
    const message = `Service not tasked. Target file not found in system (${sha256}).`;
    const input = {
      created: timeText(now()),
      expiry_ts: expiryOf(task, now()),
      response: { message, service_name: task.service_name, service_version: version, status: 'FAIL_NONRECOVERABLE' },
      sha256,
      type: 'TASK PRE-EMPTED',
    };
    const { document } = readDocument(errorDocument, input, { unknown: 'drop' });
    const key = errorKey({ sha256, service: task.service_name, version, task, type: document.type });
    await errors.save(key, document);
    return { kind: 'error', key, isRecoverable: false, message };
  }
}

/** Returns what the dispatcher needs of an empty result. */
export function emptySummary(key: string, serviceVersion: string, toolVersion: string | undefined): ResultSummary {
  return {
    key,
    serviceVersion,
    ...(toolVersion === undefined ? {} : { toolVersion }),
    score: 0,
    drop: false,
    partial: false,
    children: [],
    tags: [],
    temporaryData: {},
    extraErrors: [],
  };
}

/** Returns the later of two times; undefined, which is never, is later than any. */
function laterExpiry(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return undefined;
  return Date.parse(left) > Date.parse(right) ? left : right;
}
