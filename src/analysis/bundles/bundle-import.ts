import type { ClassificationEngine } from '../../classification/classification.ts';
import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import type { EmptyResult } from '../../documents/kinds/analysis/empty-result.ts';
import { type ErrorRecord, errorDocument } from '../../documents/kinds/analysis/error.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { type Result, resultDocument } from '../../documents/kinds/analysis/result.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Conflict, InvalidInput, messageOf } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { ReceivedFile } from '../files/received-file.ts';
import type { Rescans } from '../ingest/rescans.ts';
import { fileOfKey, isEmptyResultKey } from '../result-views/empty-result.ts';
import { BundleArchive, isBundle, type UnpackedBundle } from './bundle-archive.ts';

/** Collections of classified kinds stamp what they store. */
export interface BundleImportDependencies {
  readonly submissions: Collection<Submission>;
  readonly results: Collection<Result>;
  readonly emptyResults: Collection<EmptyResult>;
  readonly errors: Collection<ErrorRecord>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly files: Pick<AnalysisFiles, 'receive' | 'discard' | 'describe' | 'saveOrFreshen'>;
  readonly storage: Pick<FileStorage, 'open'>;
  readonly classification: ClassificationEngine;
  readonly services: { all(): Promise<readonly Pick<Service, 'name' | 'classification'>[]> };
  readonly rescans: Pick<Rescans, 'assertValid' | 'scanKeyOf' | 'start'>;
  /** Days that an analysed submission may be kept at most; 0: no limit. */
  readonly maxDays: number;
  readonly emptyResultDays: number;
  readonly now?: () => Date;
}

export interface ImportOptions {
  /** Lowest classification of what is imported; undefined: as it is in the bundle. */
  readonly minClassification: string | undefined;
  /** Accepts a bundle in which files, results or errors of the submission are missing. */
  readonly allowIncomplete: boolean;
  /** Leaves a submission that exists as it is, instead of refusing the bundle. */
  readonly existOk: boolean;
  /** Services and categories that run again over the files; none: the analysis is complete. */
  readonly rescanServices: readonly string[];
  /** The services wait with the files that came in bulk. */
  readonly toIngest: boolean;
  /** Queue of notifications that is told when the services have run. */
  readonly completeQueue: string | undefined;
  /** Days until what is imported is deleted, instead of the dates in the bundle; 0: never. */
  readonly ttl?: number | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** The checked documents of a bundle, which are to be stored. */
interface Plan {
  readonly submission: Submission | undefined;
  readonly alert: AnalysisAlert | undefined;
  readonly files: readonly FileRecord[];
  readonly results: ReadonlyMap<string, Result>;
  readonly emptyKeys: readonly string[];
  readonly errors: ReadonlyMap<string, ErrorRecord>;
}

const EVERY_PART = unrestricted('what exists is left as it is, regardless of its classification');
const SID = /^[0-9A-Za-z_-]{1,64}$/;
/** Writes of one bulk. */
const BULK = 200;
const DAY = 86_400_000;

/** Imports bundles: stores what is not there yet, and changes nothing that is. */
export class BundleImport {
  readonly #dependencies: BundleImportDependencies;

  constructor(dependencies: BundleImportDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the identifier of the submission; undefined for an alert alone.
   * Everything is checked before anything is stored, the submission last.
   * @throws InvalidInput `invalid_bundle`, `incomplete_bundle`, `invalid_classification`
   * @throws Conflict `submission_exists`, `bundle_file_missing`: there is nothing to run services on
   */
  async import(actor: Actor, content: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<string | undefined> {
    const { classification, rescans } = this.#dependencies;
    const minimum = classification.normalise(options.minClassification ?? classification.unrestricted);
    const { toIngest, completeQueue: notificationQueue } = options;
    const request = { uname: actor.username, toIngest, notificationQueue };
    rescans.assertValid(request);
    const archive = new BundleArchive(this.#dependencies);
    try {
      const bundle = await archive.unpack(content);
      const plan = this.#withExpiry(this.#plan(bundle, minimum, options), options.ttl);
      if (plan.submission !== undefined && (await this.#exists(plan.submission.sid))) {
        if (!options.existOk) {
          throw new Conflict('submission_exists', `Submission ${plan.submission.sid} already exists.`);
        }
      } else {
        const isRescan = options.rescanServices.length > 0;
        if (isRescan) this.#assertFiles(plan);
        const submission =
          plan.submission &&
          (isRescan ? await this.#reopened(plan.submission, actor, options) : this.#completed(plan.submission));
        await this.#store({ ...plan, submission }, bundle);
        if (isRescan && submission !== undefined) await rescans.start(submission, request);
      }
      if (plan.alert !== undefined) await this.#storeAlert(plan.alert);
      return plan.submission?.sid;
    } finally {
      await archive.discard();
    }
  }

  /** Returns whether a stored file is a bundle in a CaRT. */
  isBundle(file: ReceivedFile): Promise<boolean> {
    return isBundle(this.#dependencies.storage, file);
  }

  /** Imports a bundle that is stored as a file. @throws as `import` */
  async importFile(actor: Actor, { sha256 }: ReceivedFile, options: ImportOptions): Promise<string | undefined> {
    const { stream } = await this.#dependencies.storage.open(sha256);
    return this.import(actor, stream, options);
  }

  #withExpiry(plan: Plan, ttl: number | undefined): Plan {
    if (ttl === undefined) return plan;
    const { maxDays, now = () => new Date() } = this.#dependencies;
    const days = maxDays > 0 && (ttl === 0 || ttl > maxDays) ? maxDays : ttl;
    const expires = days === 0 ? {} : { expiry_ts: formatDate(new Date(now().getTime() + days * DAY)) };
    const dated = <T extends { expiry_ts?: string | undefined }>({ expiry_ts: _expiry, ...document }: T) =>
      ({ ...document, ...expires }) as T;
    return {
      ...plan,
      submission: plan.submission && dated(plan.submission),
      files: plan.files.map(dated),
      results: new Map([...plan.results].map(([key, result]) => [key, dated(result)])),
    };
  }

  #plan(
    { documents, files: received }: UnpackedBundle,
    minimum: string,
    { allowIncomplete, rescanServices }: ImportOptions,
  ): Plan {
    const alert = documents.alert === undefined || documents.alert === null ? undefined : documents.alert;
    const plan = { alert: alert && this.#classified(alertDocument, this.#loaded(alert, 'alert'), minimum) };
    if (documents.submission === undefined || documents.submission === null) {
      if (alert === undefined) throw invalid('it has neither a submission nor an alert');
      return { ...plan, submission: undefined, files: [], results: new Map(), emptyKeys: [], errors: new Map() };
    }
    const submission = this.#classified(submissionDocument, this.#loaded(documents.submission, 'submission'), minimum);
    if (!SID.test(submission.sid)) throw invalid('the identifier of the submission is not valid');
    const infos = membersAt(documents, 'files', 'infos');
    const results = membersAt(documents, 'results', 'results');
    const errors = membersAt(documents, 'errors', 'errors');
    const analysed = [...submission.results, ...submission.errors].map((key) => fileOfKey(key));
    if (analysed.includes(undefined)) throw invalid('the key of a result or error has not the form of one');
    if (!allowIncomplete) {
      const incomplete = (what: string) =>
        new InvalidInput('incomplete_bundle', `Incomplete ${what} in bundle. Skipping ${submission.sid}...`);
      if (!submission.results.every((key) => Object.hasOwn(results, key))) throw incomplete('results');
      if (!analysed.every((sha256) => sha256 !== undefined && Object.hasOwn(infos, sha256))) throw incomplete('files');
      if (!submission.errors.every((key) => Object.hasOwn(errors, key))) throw incomplete('errors');
    }
    const brought = (keys: readonly string[], documents: Json) => keys.filter((key) => Object.hasOwn(documents, key));
    const listed = brought(submission.results, results);
    const full = listed.filter((key) => !isEmptyResultKey(key));
    const isRescan = rescanServices.length > 0;
    // Services must not run on files that the sender only names.
    const ownFiles = (result: Result): Result => ({
      ...result,
      response: { ...result.response, extracted: result.response.extracted.filter((one) => received.has(one.sha256)) },
    });
    return {
      ...plan,
      submission: isRescan
        ? { ...submission, results: listed, errors: brought(submission.errors, errors) }
        : submission,
      // A document alone, without its content, does not prove that the sender has the file.
      files: Object.entries(infos).flatMap(([sha256, info]) => {
        const file = this.#classified(fileDocument, { ...asObject(info, `file ${sha256}`), sha256 }, minimum);
        return received.has(sha256) ? [file] : [];
      }),
      results: new Map(
        full.map((key) => {
          const result = this.#result(key, results[key], minimum);
          return [key, isRescan ? ownFiles(result) : result];
        }),
      ),
      emptyKeys: listed.filter(isEmptyResultKey),
      errors: new Map(
        brought(submission.errors, errors).map((key) => [
          key,
          this.#read(errorDocument, { ...asObject(errors[key], key), sha256: fileOfKey(key) }),
        ]),
      ),
    };
  }

  #result(key: string, given: unknown, minimum: string): Result {
    const result = asObject(given, `result ${key}`);
    if (result.sha256 !== fileOfKey(key)) throw invalid(`the result ${key} belongs to another file`);
    return this.#classified(resultDocument, result, minimum);
  }

  /** Marks where it comes from, and forgets that it was sent on from there. */
  #loaded(given: unknown, name: string): Json {
    const { now = () => new Date() } = this.#dependencies;
    const document = asObject(given, name);
    const { replay: _replay, ...metadata } = asObject(document.metadata ?? {}, `${name}.metadata`);
    const marks = {
      'bundle.loaded': formatDate(now()),
      'bundle.classification': String(document.classification ?? ''),
    };
    return { ...document, metadata: { ...metadata, ...marks } };
  }

  #classified<T extends { classification: string }>(
    definition: DocumentDefinition<T>,
    given: Json,
    minimum: string,
  ): T {
    const document = this.#read(definition, given);
    const { classification } = this.#dependencies;
    return {
      ...document,
      classification: classification.max(classification.normalise(document.classification), minimum),
    };
  }

  #read<T>(definition: DocumentDefinition<T>, given: Json): T {
    const { classification } = this.#dependencies;
    try {
      return readDocument(definition, given, { unknown: 'drop', classification }).document;
    } catch (error) {
      throw invalid(`a ${definition.name} cannot be read: ${messageOf(error)}`);
    }
  }

  async #exists(sid: string): Promise<boolean> {
    return (await this.#dependencies.submissions.get(sid, EVERY_PART)) !== undefined;
  }

  async #store(
    { submission, files, results, emptyKeys, errors }: Plan,
    { files: received }: UnpackedBundle,
  ): Promise<void> {
    const { submissions, emptyResults, emptyResultDays, now = () => new Date() } = this.#dependencies;
    for (const file of files) await this.#storeFile(file, received);
    await storeNew(this.#dependencies.results, results);
    await storeNew(this.#dependencies.errors, errors);
    const expiry_ts = formatDate(new Date(now().getTime() + emptyResultDays * DAY));
    await storeNew(emptyResults, new Map(emptyKeys.map((key) => [key, { expiry_ts }])));
    if (submission === undefined) return;
    await submissions.save(submission.sid, submission, { ifVersion: ABSENT, visible: 'now' });
  }

  /** Without services to run, an imported submission is as complete as it will be. */
  #completed(submission: Submission): Submission {
    const { now = () => new Date() } = this.#dependencies;
    const times = { ...submission.times, completed: submission.times.completed ?? formatDate(now()) };
    return { ...submission, state: 'completed', to_be_deleted: false, times };
  }

  /** Returns the submission as the dispatcher continues it. Services above the importer do not run. */
  async #reopened(submission: Submission, actor: Actor, { rescanServices }: ImportOptions): Promise<Submission> {
    const { services, rescans, classification, maxDays, now = () => new Date() } = this.#dependencies;
    const hidden = (await services.all()).filter(
      (one) => !classification.isAccessible(actor.classification, one.classification, true),
    );
    const { completed: _completed, ...times } = submission.times;
    const { params } = submission;
    const wanted = params.ttl > 0 && maxDays > 0 ? Math.min(params.ttl, maxDays) : Math.max(params.ttl, maxDays);
    const { expiry_ts, ...reopened } = submission;
    const expires = wanted > 0 ? formatDate(new Date(now().getTime() + wanted * DAY)) : expiry_ts;
    return {
      ...reopened,
      ...(expires === undefined ? {} : { expiry_ts: expires }),
      params: {
        ...params,
        // The slot of the quota was that of the system it comes from.
        quota_item: false,
        services: {
          ...params.services,
          rescan: [...rescanServices],
          excluded: [...new Set([...(params.services.excluded ?? []), ...hidden.map(({ name }) => name)])],
        },
      },
      scan_key: rescans.scanKeyOf(submission.sid),
      state: 'submitted',
      times,
      to_be_deleted: false,
    };
  }

  /** @throws Conflict `bundle_file_missing` */
  #assertFiles({ submission, files: brought }: Plan): void {
    if (submission === undefined) return;
    if (submission.files.length === 0) throw new Conflict('bundle_file_missing', 'No files found to submit.');
    const inBundle = new Set(brought.map(({ sha256 }) => sha256));
    for (const { sha256 } of submission.files) {
      if (inBundle.has(sha256)) continue;
      throw new Conflict('bundle_file_missing', `File ${sha256} does not exist, cannot continue submission.`);
    }
  }

  async #storeFile(file: FileRecord, received: UnpackedBundle['files']): Promise<void> {
    const { files } = this.#dependencies;
    const content = received.get(file.sha256);
    if (content === undefined) return;
    const info = await files.describe(content, { fuzzy: true });
    await files.saveOrFreshen(
      // Another system may know types that this one does not.
      { ...info, type: file.type, magic: file.magic },
      {
        expiry: file.expiry_ts,
        classification: file.classification,
        isSectionImage: file.is_section_image,
        isSupplementary: file.is_supplementary,
      },
    );
  }

  async #storeAlert(alert: AnalysisAlert): Promise<void> {
    const { alerts } = this.#dependencies;
    await storeNew(alerts, new Map([[alert.alert_id, { ...alert, workflows_completed: false }]]));
  }
}

/** Stores those documents that are not there yet. */
async function storeNew<T>(collection: Collection<T>, documents: ReadonlyMap<string, T>): Promise<void> {
  const items = [...documents].map(([id, document]) => ({ kind: 'save', id, document, ifVersion: ABSENT }) as const);
  for (let at = 0; at < items.length; at += BULK) {
    throwBulkFailure(await collection.bulk(items.slice(at, at + BULK), { visible: 'now' }), ['already_exists']);
  }
}

function membersAt(documents: Json, part: string, name: string): Json {
  return asObject(asObject(documents[part] ?? {}, part)[name] ?? {}, `${part}.${name}`);
}

function asObject(value: unknown, name: string): Json {
  if (!isObject(value)) throw invalid(`${name} is not an object`);
  return value;
}

function invalid(problem: string): InvalidInput {
  return new InvalidInput('invalid_bundle', `Not a valid bundle: ${problem}.`);
}
