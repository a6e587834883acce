import { buffer } from 'node:stream/consumers';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { AnalysisAlert } from '../../documents/kinds/analysis/alert.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { Forbidden, isTriadError, NotFound } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Actor } from '../../identity/actor.ts';
import { parseJson } from '../../json/lossless-json.ts';
import { latestResults } from '../file-results/file-results-service.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { fileOfKey, serviceOfKey } from '../result-views/empty-result.ts';
import { visibleContent } from '../result-views/format-result.ts';
import type { OpenedSubmission, SubmissionContents } from '../submissions/submission-contents.ts';

type Json = Readonly<Record<string, unknown>>;

export interface OntologyServiceDependencies {
  readonly contents: SubmissionContents;
  readonly alerts: Collection<AnalysisAlert>;
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly storage: FileStorage;
  readonly classification: ClassificationEngine;
  /** Name of this installation in the records. */
  readonly system: string;
}

/** Records of which files and services; undefined: all. */
export interface OntologyFilter {
  readonly files?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
}

/** Members that each record of one answer gets. */
interface Additions {
  readonly members: Json;
  /** Names of files by SHA-256. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

const EVERY_PART = unrestricted('records are filtered by the classification of file, result and record');
/** Bytes of the file of one record. */
const MAX_RECORD = 16 * 1024 * 1024;
const MAX_RESULTS = 1000;
const SUFFIX = '.ontology';

/** Collects the records that services keep of their results, for other programs. One line of JSON each. */
export class OntologyService {
  readonly #dependencies: OntologyServiceDependencies;

  constructor(dependencies: OntologyServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NotFound `submission_missing`, Forbidden `submission_not_visible` */
  async ofSubmission(actor: Actor, sid: string, filter: OntologyFilter): Promise<AsyncIterable<string>> {
    const refusals = {
      missing: `There is no submission with sid: ${sid}`,
      hidden: `Your are not allowed get ontology files for this submission: ${sid}`,
    };
    const opened = await this.#open(actor, sid, refusals);
    const { submission } = opened;
    const { metadata, times, files } = submission;
    return this.#ofOpened(opened, filter, { metadata, date: times.submitted, parent: files[0]?.sha256 });
  }

  /** @throws NotFound or Forbidden for the alert (`alert_missing`, `alert_not_visible`) or its submission */
  async ofAlert(actor: Actor, id: string, filter: OntologyFilter): Promise<AsyncIterable<string>> {
    const { alerts, classification } = this.#dependencies;
    const alert = await alerts.get(id, EVERY_PART);
    if (alert === undefined) throw new NotFound('alert_missing', `There is no alert with this ID: ${id}`);
    if (!classification.isAccessible(actor.classification, alert.classification, true)) {
      throw new Forbidden('alert_not_visible', `You are not allowed get ontology files for this alert: ${id}`);
    }
    const opened = await this.#open(actor, alert.sid, {
      missing: `The submission related to the alert is missing: ${id}`,
      hidden: `Your are not allowed get ontology files for the submission related to this alert: ${id}`,
    });
    const { metadata, ts, file } = alert;
    return this.#ofOpened(opened, filter, { metadata, date: ts, parent: file.sha256 });
  }

  /**
   * Returns the records of the latest results about a file.
   * @param all records of every version of a service
   * @throws NotFound `file_missing`, Forbidden `file_not_visible`
   */
  async ofFile(actor: Actor, sha256: string, { services, all }: OntologyFilter & { readonly all: boolean }) {
    const { files, results, classification, system } = this.#dependencies;
    const file = await files.get(sha256, EVERY_PART);
    if (file === undefined) throw new NotFound('file_missing', `There is no file with this hash: ${sha256}`);
    const reader = new ClearedReader(classification, actor.classification);
    if (!reader.sees(file.classification)) {
      throw new Forbidden('file_not_visible', `Your are not allowed get ontology files for this hash: ${sha256}`);
    }
    const query = { kind: 'term', field: 'sha256', value: sha256 } as const;
    const sort = [{ field: 'created', order: 'desc' }] as const;
    const found = all
      ? (await results.search({ query, sort, rows: MAX_RESULTS }, actor.searchAccess)).items
      : await latestResults(results, actor, sha256);
    const chosen = found
      .map(({ document }) => document)
      .filter(({ response }) => isAnyOf(services, response.service_name));
    const members = {
      submission: { date: file.seen.last, source_system: system, classification: file.classification },
    };
    return this.#records(chosen, new Map([[sha256, file]]), reader, { members, names: new Map() });
  }

  async #open(actor: Actor, sid: string, words: { readonly missing: string; readonly hidden: string }) {
    return await this.#dependencies.contents.open(actor, sid).catch((error: unknown) => {
      if (!isTriadError(error)) throw error;
      throw error.kind === 'not_found'
        ? new NotFound('submission_missing', words.missing)
        : new Forbidden('submission_not_visible', words.hidden);
    });
  }

  async #ofOpened(
    opened: OpenedSubmission,
    { files: hashes, services }: OntologyFilter,
    {
      metadata,
      date,
      parent,
    }: { readonly metadata: Submission['metadata']; readonly date: string; readonly parent: string | undefined },
  ): Promise<AsyncIterable<string>> {
    const { submission, reader } = opened;
    const { sid, classification, params, max_score } = submission;
    const { files, results } = await opened.contents();
    const chosen = [...results].filter(
      ([key]) => isAnyOf(hashes, fileOfKey(key)) && isAnyOf(services, serviceOfKey(key)),
    );
    const source = metadata.original_source;
    const members = {
      file: { parent },
      submission: {
        ...{ metadata, date, source_system: this.#dependencies.system, sid, classification, max_score },
        ...{ submitter: params.submitter, groups: params.groups },
        ...(source === undefined ? {} : { original_source: source }),
      },
    };
    const names = new Map(submission.files.map(({ sha256, name }) => [sha256, [name]]));
    const ordered = chosen.map(([, result]) => result);
    return this.#records(ordered, files, reader, { members, names });
  }

  /** Yields a line for each record that the reader may see. Unreadable records are left out. */
  async *#records(
    results: Iterable<Result>,
    files: ReadonlyMap<string, FileRecord>,
    reader: ClearedReader,
    additions: Additions,
  ): AsyncIterable<string> {
    for (const result of results) {
      const file = files.get(result.sha256);
      if (file === undefined || !reader.sees(file.classification)) continue;
      const content = visibleContent(result, file.classification, reader);
      // A record tells of all sections of its result.
      if (content.hidesSections || !reader.sees(result.classification)) continue;
      for (const { name, sha256 } of content.supplementary) {
        if (!name.endsWith(SUFFIX)) continue;
        const record = await this.#record(sha256);
        const shown = record && shownRecord(record, result.sha256, content.score, reader, additions);
        if (shown !== undefined) yield `${JSON.stringify(shown)}\n`;
      }
    }
  }

  async #record(sha256: string): Promise<Json | undefined> {
    const { storage } = this.#dependencies;
    try {
      const { stream, size } = await storage.open(sha256, { offset: 0, length: MAX_RECORD });
      const text = (await buffer(stream)).toString('utf8');
      const record = size > MAX_RECORD ? undefined : parseJson(text);
      return isObject(record) ? record : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (isTriadError(error) && error.code === 'file_missing')) return undefined;
      throw error;
    }
  }
}

/** Returns a record with what is added; undefined for one of another file, or above the reader. */
function shownRecord(
  record: Json,
  sha256: string,
  score: number,
  reader: ClearedReader,
  { members, names }: Additions,
): Json | undefined {
  const { file, classification } = record;
  if (!isObject(file) || file.sha256 !== sha256) return undefined;
  if (typeof classification !== 'string' || !reader.sees(classification)) return undefined;
  const merged = mergedJson(record, members);
  const { names: _names, parent, ...shownFile } = { ...(merged.file as Json) };
  const known = names.get(sha256);
  const results = isObject(merged.results) ? merged.results : {};
  return {
    ...merged,
    file: {
      ...shownFile,
      ...(known === undefined ? {} : { names: known }),
      ...(parent === undefined || parent === sha256 ? {} : { parent }),
      sha256,
    },
    results: { ...results, score: results.score ?? score },
  };
}

/** Returns a copy with the members of another object, whose objects are merged. */
function mergedJson(target: Json, source: Json): Json {
  const merged: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined) continue;
    const present = Object.hasOwn(merged, name) ? merged[name] : undefined;
    merged[name] = isObject(value) && isObject(present) ? mergedJson(present, value) : value;
  }
  return merged;
}

function isAnyOf(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));
}
