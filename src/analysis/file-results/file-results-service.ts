import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SortClause } from '../../datastore/port/search.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ArchiveCollections } from '../archive-access/archive-collections.ts';
import { mayReadFromArchive } from '../archive-access/archive-roles.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { fileView } from '../result-views/document-views.ts';
import { fileOfKey } from '../result-views/empty-result.ts';
import { analyseFile } from '../result-views/file-analysis.ts';
import { fileMetadata } from '../result-views/file-metadata.ts';
import { filesNamedBy, formatResult, visibleContent } from '../result-views/format-result.ts';
import type { Verdicts } from '../result-views/verdicts.ts';

export interface FileResultsDependencies {
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly submissions: Collection<Submission>;
  /** Results and submissions in the archive; undefined: there is no archive. */
  readonly archived?: Pick<ArchiveCollections, 'results' | 'submissions'> | undefined;
  readonly classification: ClassificationEngine;
  readonly verdicts: Verdicts;
}

/** The collections that have the results of a file: those of the archive for a file in it. */
type Source = Pick<FileResultsDependencies, 'results' | 'submissions'>;

const EVERY_FILE = unrestricted('the classification of a file decides between a missing and a refused one');
const NEWEST_FIRST: readonly SortClause[] = [{ field: 'created', order: 'desc' }];
/** Results of a file that an answer counts, the newest ones. */
const MAX_RESULTS = 1000;
/** Services whose latest result counts in a score, and versions of a result that are listed. */
const MAX_SERVICES = 100;
const MAX_PARENTS = 10;

/** Reads everything that services said of a file, in any submission, as the actor may see it. */
export class FileResultsService {
  readonly #dependencies: FileResultsDependencies;

  constructor(dependencies: FileResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the latest result of each service with what they say together, and older ones by service. */
  async results(actor: Actor, sha256: string) {
    const { file, reader, from } = await this.#file(actor, sha256, REFUSALS.results);
    const [{ active, older }, parents, childrens, metadata] = await Promise.all([
      this.#latest(actor, sha256, from),
      this.#parents(actor, sha256, reader, from),
      this.#children(actor, sha256, reader, from),
      fileMetadata(from.submissions, sha256, actor.searchAccess),
    ]);
    const stored = (await from.results.getMany(active, actor.searchAccess)).filter((result) => result !== undefined);
    await this.#learnFiles(stored, reader);
    const results = stored.flatMap(
      (result) => formatResult(result, file.classification, reader, { hierarchy: true }) ?? [],
    );
    const { verdicts } = this.#dependencies;
    return {
      alternates: older,
      childrens,
      classification: reader.top(
        results.map(({ classification }) => classification),
        file.classification,
      ),
      errors: [],
      file_info: fileView(file),
      file_viewer_only: true,
      metadata,
      parents,
      results,
      ...analyseFile(results, { verdicts, reader, tagRows: 'value_and_type' }),
    };
  }

  /** Returns the latest result of a service, or with `all` up to 100 versions. */
  async ofService(actor: Actor, sha256: string, service: string, { all }: { readonly all: boolean }) {
    const { file, reader, from } = await this.#file(actor, sha256, REFUSALS.lists);
    const query: QueryNode = { kind: 'prefix', field: 'id', value: `${sha256}.${service.replaceAll('.', '_')}.` };
    const request = { query, sort: NEWEST_FIRST, rows: all ? MAX_SERVICES : 1 };
    const { items } = await from.results.search(request, actor.searchAccess);
    await this.#learnFiles(
      items.map(({ document }) => document),
      reader,
    );
    const results = items.flatMap(({ document }) => formatResult(document, file.classification, reader) ?? []);
    return { file_info: fileView(file), results };
  }

  /** Returns the sum of the latest scores of the services. */
  async score(actor: Actor, sha256: string) {
    const { file, reader, from } = await this.#file(actor, sha256, REFUSALS.lists);
    const latest = await latestResults(from.results, actor, sha256);
    const scores = latest.map(({ document }) => visibleContent(document, file.classification, reader).score);
    return {
      file_info: fileView(file),
      result_keys: latest.map(({ id }) => id),
      score: scores.reduce((sum, score) => sum + score, 0),
    };
  }

  /** Returns the files that services extracted from this one. */
  async children(actor: Actor, sha256: string) {
    const { reader, from } = await this.#file(actor, sha256, REFUSALS.children);
    return await this.#children(actor, sha256, reader, from);
  }

  async #file(actor: Actor, sha256: string, { response, missing }: FileRefusal) {
    const file = await this.#dependencies.files.get(sha256, EVERY_FILE);
    if (file === undefined || !mayReadFromArchive(actor, file)) {
      throw new NotFound('file_missing', missing, { response });
    }
    const reader = new ClearedReader(this.#dependencies.classification, actor.classification);
    if (!reader.sees(file.classification)) {
      throw new Forbidden('file_not_visible', 'You are not allowed to view this file', { response });
    }
    const { archived } = this.#dependencies;
    const from: Source = file.from_archive && archived !== undefined ? archived : this.#dependencies;
    return { file, reader, from };
  }

  /** Returns the keys of the latest result of each service, and the older results by service. */
  async #latest(actor: Actor, sha256: string, { results }: Source) {
    const { items } = await results.search(
      {
        query: resultsOf(sha256),
        sort: NEWEST_FIRST,
        rows: MAX_RESULTS,
        fields: ['created', 'response.service_name', 'response.service_version', 'result.score'],
      },
      actor.searchAccess,
    );
    const latest = new Map<string, string>();
    const older = new Map<string, object[]>();
    for (const { id, document } of items) {
      const { service_name: name, service_version: version } = document.response;
      if (!latest.has(name)) {
        latest.set(name, id);
        continue;
      }
      const list = older.get(name) ?? [];
      older.set(name, list);
      const response = { service_name: name, service_version: version };
      list.push({ created: document.created, id, response, result: { score: document.result.score } });
    }
    return { active: [...latest.values()], older: Object.fromEntries(older) };
  }

  /** Returns keys of results that extracted the file, one for each parent, the latest first. */
  async #parents(actor: Actor, sha256: string, reader: ClearedReader, { results }: Source): Promise<readonly string[]> {
    const query: QueryNode = { kind: 'term', field: 'response.extracted.sha256', value: sha256 };
    const request = { query, sort: NEWEST_FIRST, rows: MAX_SERVICES, fields: ['response.extracted'] };
    const { items } = await results.search(request, actor.searchAccess);
    const keys = new Map<string, string>();
    for (const { id, document } of items) {
      const { extracted } = document.response;
      const parent = fileOfKey(id);
      if (parent === undefined || keys.has(parent)) continue;
      if (extracted.some((one) => one.sha256 === sha256 && reader.sees(one.classification))) keys.set(parent, id);
    }
    const visible = await this.#visibleFiles([...keys.keys()], reader);
    return [...keys].flatMap(([parent, key]) => (visible.has(parent) ? [key] : [])).slice(0, MAX_PARENTS);
  }

  async #children(actor: Actor, sha256: string, reader: ClearedReader, { results }: Source) {
    const extracting: QueryNode = { kind: 'exists', field: 'response.extracted.sha256' };
    const latest = await latestResults(results, actor, sha256, [extracting]);
    const names = new Map<string, string>();
    for (const { document } of latest) {
      for (const { sha256: child, name, classification } of document.response.extracted) {
        if (!names.has(child) && reader.sees(classification)) names.set(child, name);
      }
    }
    const hidden = await this.#hiddenFiles([...names.keys()], reader);
    return [...names].flatMap(([child, name]) => (hidden.has(child) ? [] : [{ name, sha256: child }]));
  }

  async #learnFiles(results: readonly Result[], reader: ClearedReader): Promise<void> {
    reader.learn(await this.#dependencies.files.getMany(filesNamedBy(results), EVERY_FILE));
  }

  async #visibleFiles(hashes: readonly string[], reader: ClearedReader): Promise<ReadonlySet<string>> {
    const hidden = await this.#hiddenFiles(hashes, reader);
    return new Set(hashes.filter((sha256) => !hidden.has(sha256)));
  }

  async #hiddenFiles(hashes: readonly string[], reader: ClearedReader): Promise<ReadonlySet<string>> {
    const files = await this.#dependencies.files.getMany(hashes, EVERY_FILE);
    return new Set(files.flatMap((file) => (file && !reader.sees(file.classification) ? [file.sha256] : [])));
  }
}

/** Returns the latest result of each service about a file that the actor may see. */
export async function latestResults(
  results: Pick<Collection<Result>, 'group'>,
  actor: Pick<Actor, 'searchAccess'>,
  sha256: string,
  filters: readonly QueryNode[] = [],
): Promise<readonly { readonly id: string; readonly document: Result }[]> {
  const { groups } = await results.group(
    {
      field: 'response.service_name',
      query: resultsOf(sha256),
      filters,
      groupSort: NEWEST_FIRST,
      sort: NEWEST_FIRST,
      rows: MAX_SERVICES,
      limit: 1,
    },
    actor.searchAccess,
  );
  return groups.flatMap(({ items }) => items);
}

function resultsOf(sha256: string): QueryNode {
  return { kind: 'term', field: 'sha256', value: sha256 };
}

interface FileRefusal {
  readonly response: unknown;
  readonly missing: string;
}

/** Words and data of the refusals of each route. */
const REFUSALS = {
  results: { response: {}, missing: 'This file does not exists' },
  lists: { response: [], missing: 'This file does not exists' },
  children: { response: {}, missing: 'This file does not exists.' },
} as const satisfies Record<string, FileRefusal>;
