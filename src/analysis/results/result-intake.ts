import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { untilAvailable } from '../../coordination/while-available.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { throwBulkFailure } from '../../datastore/port/collection.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { EmptyResult } from '../../documents/kinds/analysis/empty-result.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';
import { type Result, resultDocument } from '../../documents/kinds/analysis/result.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { isConflict } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { AttackCatalogue } from '../attack/attack-catalogue.ts';
import type { Task, TaskOutcome, TaskReceipt } from '../dispatching/task.ts';
import { errorsBeside, type KeyedError, readNotices, readSentError } from './error-documents.ts';
import { HeuristicDefinitions } from './heuristic-definitions.ts';
import { type CacheUser, ResultCache } from './result-cache.ts';
import { type ReferredFile, type ResultFiles, referredFiles } from './result-files.ts';
import { randomSalt, resultKey } from './result-keys.ts';
import { isEmptyResult, receiptOf, summaryOf } from './result-summary.ts';
import { DAY, expiryOf, timeText } from './result-times.ts';
import { heuristicId, type SafeValues, scoreSections } from './scored-sections.ts';
import type { RejectedTag, ScoredTag } from './section-tags.ts';
import { objectAt, readSentResult, type SentResult } from './sent-result.ts';
import { ServiceCounts } from './service-counts.ts';
import { changedTemporaryData } from './temporary-data.ts';

export interface ResultIntakeDependencies {
  readonly results: Collection<Result>;
  readonly emptyResults: Collection<EmptyResult>;
  readonly errors: Collection<ErrorRecord>;
  readonly heuristics: Pick<Collection<Heuristic>, 'getMany'>;
  readonly files: ResultFiles;
  readonly safelist: { view(): Promise<SafeValues> };
  readonly dispatcher: { finish(task: TaskReceipt, outcome: TaskOutcome): Promise<'accepted' | 'ignored'> };
  readonly attack: AttackCatalogue;
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings['analysis']['submission'], 'emptyresult_dtl' | 'max_temp_data_length'>;
  readonly log: Log;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

export interface FinishOptions {
  /** Renews the files that the result refers to and that are known already. */
  readonly freshen: boolean;
  /** Lists of `{message, error_type}` beside the result. */
  readonly errors?: unknown;
  readonly warnings?: unknown;
}

export type FinishReply =
  | { readonly success: true }
  /** Nothing was stored: these files have to be uploaded first. */
  | { readonly success: false; readonly missing_files: readonly string[] };

interface ReadResult {
  readonly result: Result;
  readonly tags: readonly ScoredTag[];
  readonly rejected: readonly RejectedTag[];
  readonly temporaryData: Readonly<Record<string, unknown>>;
}

/** Milliseconds that a result waits for the datastore, coordination or file storage. */
const PATIENCE = 60_000;

/** Takes the results of services in: scores, checks and stores them, and tells the dispatcher. */
export class ResultIntake {
  readonly counts = new ServiceCounts();
  readonly #dependencies: ResultIntakeDependencies;
  readonly #definitions: HeuristicDefinitions;
  readonly #cache: ResultCache;
  readonly #now: () => number;

  constructor(dependencies: ResultIntakeDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    this.#cache = new ResultCache({ ...dependencies, now: this.#now });
    this.#definitions = new HeuristicDefinitions(dependencies.heuristics, this.#now);
  }

  /**
   * Stores the result of a task, unless files that it refers to are missing.
   * @throws InvalidInput `invalid_result`, `foreign_result`, `invalid_document` and what the classification throws;
   * TooLarge `too_many_tags`, `document_too_large`, `list_too_long`. Nothing is stored then.
   */
  async finish(task: Task, sent: unknown, options: FinishOptions): Promise<FinishReply> {
    const errors = readNotices(options.errors, 'errors');
    const warnings = readNotices(options.warnings, 'warnings');
    const read = await this.#patiently(() => this.#read(task, sent));
    const missing = await this.#patiently(() => this.#missingFiles(task, read.result, options.freshen));
    if (missing.length > 0) return { success: false, missing_files: missing };
    const key = await this.#patiently(() => this.#store(task, read.result));
    const beside = errorsBeside(task, read.result, { rejected: read.rejected, errors, warnings });
    await this.#patiently(() => this.#storeErrors(beside));
    const extraErrors = beside.map((error) => error.key);
    const { classification } = this.#dependencies;
    const stored = summaryOf(key, read.result, { classification, minimum: task.min_classification });
    const summary = { ...stored, tags: read.tags, temporaryData: read.temporaryData, extraErrors };
    await this.#end(task, { kind: 'result', summary });
    this.counts.add(task.service_name, 'execute', summary.score > 0 ? 'scored' : 'not_scored');
    return { success: true };
  }

  /**
   * Reports that a service could not finish a task. A failure that another try may mend is not stored.
   * @throws InvalidInput `invalid_result`, `foreign_result`, `invalid_document`
   */
  async fail(task: Task, sent: unknown): Promise<{ readonly success: true }> {
    const error = readSentError(task, sent, this.#now());
    const { message, status } = error.document.response;
    const isRecoverable = status === 'FAIL_RECOVERABLE';
    if (!isRecoverable) await this.#patiently(() => this.#storeErrors([error]));
    await this.#end(task, { kind: 'error', key: error.key, isRecoverable, message });
    this.counts.add(task.service_name, 'execute', isRecoverable ? 'fail_recoverable' : 'fail_nonrecoverable');
    return { success: true };
  }

  /** Returns the outcome of a task whose result is stored already. See `ResultCache.find` */
  async cached(task: Task, service: CacheUser): Promise<TaskOutcome | undefined> {
    const outcome = await this.#cache.find(task, service);
    const isSkipped = task.ignore_cache || service.disable_cache;
    const what = isSkipped ? 'cache_skipped' : outcome === undefined ? 'cache_miss' : 'cache_hit';
    this.counts.add(task.service_name, what);
    return outcome;
  }

  /** Checks what was sent for a task that does not run any more. @throws as `finish` and `fail` */
  async check(task: Task, sent: { readonly result?: unknown; readonly error?: unknown }): Promise<void> {
    if (sent.result === undefined) readSentError(task, sent.error, this.#now());
    else await this.#read(task, sent.result);
  }

  async #end(task: Task, outcome: TaskOutcome): Promise<void> {
    await this.#patiently(() => this.#dependencies.dispatcher.finish(receiptOf(task), outcome));
  }

  /** Waits for servers to come back: workers bring a result once. */
  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return untilAvailable(work, { longest: PATIENCE });
  }

  async #read(task: Task, sent: unknown): Promise<ReadResult> {
    const { classification, attack, safelist, settings, log } = this.#dependencies;
    const subject = { sha256: task.fileinfo.sha256, service: task.service_name };
    const given = readSentResult(sent, subject, classification);
    const ids = given.sections.flatMap(({ heuristic }) =>
      heuristic === undefined ? [] : [heuristicId(task.service_name, heuristic.heurId)],
    );
    const definitions = await this.#definitions.get(ids);
    const safe = await safelist.view();
    const context = { definitions, attack, safe, classification };
    const { sections, score, tags, rejected } = scoreSections(task.service_name, given.sections, context);
    const result = this.#document(task, given, { score, sections });
    const { kept, tooLong } = changedTemporaryData(
      given.temporaryData,
      task.temporary_submission_data,
      settings.max_temp_data_length,
    );
    if (tooLong.length > 0) {
      const details = { sid: task.sid, service: task.service_name, names: tooLong.slice(0, 20) };
      log.warn(details, 'temporary data of an analyzer is longer than allowed and was left out');
    }
    return { result, tags, rejected, temporaryData: kept };
  }

  #document(task: Task, { members, response }: SentResult, result: object): Result {
    const { classification } = this.#dependencies;
    const marking = members.classification;
    const now = this.#now();
    const input = {
      // Who may not see the submission may not see what was found in its files.
      classification: classification.max(typeof marking === 'string' ? marking : undefined, task.min_classification),
      created: timeText(now),
      expiry_ts: expiryOf(task, now),
      response,
      result,
      sha256: members.sha256,
      type: members.type,
      size: members.size,
      drop_file: members.drop_file,
      partial: members.partial,
    };
    if (marking !== undefined && typeof marking !== 'string') objectAt(marking, 'result.classification');
    return readDocument(resultDocument, input, { unknown: 'drop', classification, keepNul: true }).document;
  }

  async #missingFiles(task: Task, result: Result, freshen: boolean): Promise<readonly string[]> {
    const { files } = this.#dependencies;
    const referred = referredFiles(result);
    const renew = async (file: ReferredFile) => {
      const { sha256, classification, isSectionImage, isSupplementary } = file;
      if (!freshen) return files.exists(sha256);
      const expiry = expiryOf(task, this.#now());
      return files.freshen(sha256, { expiry, classification, isSectionImage, isSupplementary });
    };
    const missing: string[] = [];
    for (const file of referred) if (!(await renew(file))) missing.push(file.sha256);
    return missing.sort();
  }

  /** Stores a result and returns its key: a new one, when another result has the key already. */
  async #store(task: Task, result: Result): Promise<string> {
    const { results, emptyResults, settings } = this.#dependencies;
    const { service_name: service, service_version: version, service_tool_version: toolVersion } = result.response;
    const parts = { sha256: result.sha256, service, version, toolVersion, task };
    const isSalted = task.ignore_cache || result.partial;
    const salt = () => ({ salt: randomSalt() });
    if (isEmptyResult(result)) {
      const key = resultKey({ ...parts, ...(isSalted ? salt() : {}), isEmpty: true });
      const expiry = timeText(this.#now() + settings.emptyresult_dtl * DAY);
      await emptyResults.save(key, { expiry_ts: expiry });
      return key;
    }
    const key = resultKey({ ...parts, ...(isSalted ? salt() : {}) });
    try {
      await results.save(key, result, { ifVersion: ABSENT });
      return key;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const other = resultKey({ ...parts, ...salt() });
    await results.save(other, result, { ifVersion: ABSENT });
    return other;
  }

  async #storeErrors(errors: readonly KeyedError[]): Promise<void> {
    if (errors.length === 0) return;
    const items = errors.map(({ key, document }) => ({ kind: 'save', id: key, document }) as const);
    throwBulkFailure(await this.#dependencies.errors.bulk(items));
  }
}
