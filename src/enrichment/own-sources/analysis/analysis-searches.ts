import { badlistDocument } from '../../../documents/kinds/analysis/badlist.ts';
import { fileDocument } from '../../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../../documents/kinds/analysis/result.ts';
import { safelistDocument } from '../../../documents/kinds/analysis/safelist.ts';
import type { ServiceClient } from '../../sources/service-client.ts';
import type { SourceCall } from '../../sources/source-client.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import { HeldValues, textAt, valuesAt } from '../values/held-values.ts';
import { type FoundDocuments, MAX_QUERY_CHARACTERS, searchService } from '../values/service-search.ts';
import { combinedPlaces, luceneQuery, type QueryLimits, type SoughtValue } from '../values/sought-value.ts';
import type { TimelyParts } from '../values/timely-parts.ts';

/** A file that was analysed, with the latest result of each service. */
export interface KnownFile {
  readonly sha256: string;
  readonly document: unknown;
  /** Scores by service; their sum is that of the file. Empty: it has no results now. */
  readonly scores: Map<string, number>;
  readonly classifications: Set<string>;
}

/** Results of services that tag a value. */
export interface TaggedResults {
  count: number;
  highest: number;
  readonly files: Set<string>;
  readonly services: Map<string, number>;
  /** Names of the heuristics of the sections with the tag. */
  readonly heuristics: Map<string, number>;
  readonly classifications: Set<string>;
}

export type ListName = 'badlist' | 'safelist';

const LISTS = { badlist: badlistDocument, safelist: safelistDocument };
/** Documents that one search returns. */
const PAGE = 1_000;
/** Results are small without their sections. */
const RESULT_PAGE = 5_000;
const FILE_FIELDS = 'sha256 sha1 md5 type size classification seen.count seen.first seen.last uri_info.uri'.split(' ');
const RESULT_FIELDS = 'sha256 created classification response.service_name result.score'.split(' ');
const HEURISTIC = 'result.sections.heuristic.name';
const LIST_FIELDS = 'id type hashes tag.type tag.value sources.name sources.reason attribution classification'.split(
  ' ',
);

/**
 * Searches files, results and lists for many values with a few searches, with the rights of the
 * caller. All throw SourceFailure.
 */
export class AnalysisSearches {
  readonly limits: QueryLimits;
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
    this.limits = { terms: 1_000, characters: MAX_QUERY_CHARACTERS - 10_000 };
  }

  /** Returns the file of each value that has one. */
  async files(
    sought: readonly SoughtValue[],
    parts: TimelyParts,
    call: SourceCall,
  ): Promise<ReadonlyMap<SoughtValue, KnownFile>> {
    const found = new Map<SoughtValue, KnownFile>();
    for (const part of parts.of(sought)) {
      const query = luceneQuery(combinedPlaces(part));
      const search = { query, fields: FILE_FIELDS, rows: PAGE, sort: 'seen.last desc' };
      const { items } = await this.#search('file', search, call);
      const values = new HeldValues(part, fileDocument);
      const files = new Map<string, KnownFile>();
      for (const document of items) {
        const sha256 = textAt(document, 'sha256') ?? '';
        const file: KnownFile = {
          sha256,
          document,
          scores: new Map(),
          classifications: new Set([classificationOf(document)]),
        };
        files.set(sha256, file);
        for (const one of values.in(document)) if (!found.has(one)) found.set(one, file);
      }
      await this.#addScores([...files.values()], call);
    }
    return found;
  }

  /** Returns the results that tag each value. */
  async tagged(
    sought: readonly SoughtValue[],
    parts: TimelyParts,
    call: SourceCall,
  ): Promise<ReadonlyMap<SoughtValue, TaggedResults>> {
    const found = new Map<SoughtValue, TaggedResults>();
    for (const part of parts.of(sought)) await this.#addTagged(part, call, found);
    return found;
  }

  /** Returns the entries of a list that name each value; none where the caller may not see the list. */
  async listed(
    list: ListName,
    sought: readonly SoughtValue[],
    parts: TimelyParts,
    call: SourceCall,
  ): Promise<ReadonlyMap<SoughtValue, readonly unknown[]>> {
    const found = new Map<SoughtValue, unknown[]>();
    for (const part of parts.of(sought)) {
      const query = `enabled:true AND (${luceneQuery(combinedPlaces(part))})`;
      const search = { query, fields: LIST_FIELDS, rows: PAGE, sort: 'added desc' };
      let items: FoundDocuments['items'];
      try {
        ({ items } = await this.#search(list, search, call));
      } catch (error) {
        if (error instanceof SourceFailure && error.status === 403) return found;
        throw error;
      }
      const values = new HeldValues(part, LISTS[list]);
      for (const document of items) {
        for (const one of values.in(document)) found.set(one, [...(found.get(one) ?? []), document]);
      }
    }
    return found;
  }

  async #addScores(files: readonly KnownFile[], call: SourceCall): Promise<void> {
    if (files.length === 0) return;
    const query = luceneQuery(new Map([['sha256', files.map(({ sha256 }) => sha256)]]));
    const search = { query, fields: RESULT_FIELDS, rows: RESULT_PAGE, sort: 'created desc' };
    const { items, total } = await this.#search('result', search, call);
    if (total > items.length && files.length > 1) {
      const middle = Math.ceil(files.length / 2);
      await this.#addScores(files.slice(0, middle), call);
      await this.#addScores(files.slice(middle), call);
      return;
    }
    const bySha256 = new Map(files.map((file) => [file.sha256, file]));
    for (const result of items) {
      const file = bySha256.get(textAt(result, 'sha256') ?? '');
      const service = textAt(result, 'response.service_name') ?? '';
      // The newest comes first.
      if (file === undefined || file.scores.has(service)) continue;
      file.scores.set(service, scoreOf(result));
      file.classifications.add(classificationOf(result));
    }
  }

  async #addTagged(
    part: readonly SoughtValue[],
    call: SourceCall,
    found: Map<SoughtValue, TaggedResults>,
  ): Promise<void> {
    const terms = combinedPlaces(part);
    const query = luceneQuery(terms);
    const fields = [...RESULT_FIELDS, HEURISTIC, ...terms.keys()];
    const { items, total } = await this.#search('result', { query, fields, rows: PAGE, sort: 'created desc' }, call);
    const isWhole = total <= items.length;
    if (!isWhole && part.length > 1) {
      const middle = Math.ceil(part.length / 2);
      await this.#addTagged(part.slice(0, middle), call, found);
      await this.#addTagged(part.slice(middle), call, found);
      return;
    }
    const values = new HeldValues(part, resultDocument);
    for (const result of items) addResult(result, values, found);
    const [only] = part;
    const tagged = only === undefined ? undefined : found.get(only);
    if (isWhole || tagged === undefined) return;
    // Services and heuristics are those of the newest results.
    const worst = { query, fields: ['result.score'], rows: 1, sort: 'result.score desc' };
    tagged.count = total;
    tagged.highest = scoreOf((await this.#search('result', worst, call)).items[0]);
  }

  #search(index: string, search: Parameters<typeof searchService>[2], call: SourceCall): Promise<FoundDocuments> {
    return searchService(this.#client, `/api/v4/search/${index}/`, search, call);
  }
}

function addResult(result: unknown, values: HeldValues, found: Map<SoughtValue, TaggedResults>): void {
  const heuristics = new Map<SoughtValue, Set<string>>();
  for (const section of valuesAt(result, ['result', 'sections'])) {
    for (const one of values.in({ result: { sections: [section] } })) {
      const names = heuristics.get(one) ?? new Set();
      heuristics.set(one, names);
      const name = textAt(section, 'heuristic.name');
      if (name !== undefined) names.add(name);
    }
  }
  for (const [one, names] of heuristics) {
    const known = found.get(one) ?? {
      ...{ count: 0, highest: Number.NEGATIVE_INFINITY, files: new Set<string>() },
      ...{ services: new Map(), heuristics: new Map(), classifications: new Set<string>() },
    };
    found.set(one, known);
    known.count += 1;
    known.highest = Math.max(known.highest, scoreOf(result));
    known.files.add(textAt(result, 'sha256') ?? '');
    known.classifications.add(classificationOf(result));
    increment(known.services, textAt(result, 'response.service_name') ?? '');
    for (const name of names) increment(known.heuristics, name);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function scoreOf(result: unknown): number {
  const [score] = valuesAt(result, ['result', 'score']);
  return Number(score ?? 0);
}

function classificationOf(document: unknown): string {
  return textAt(document, 'classification') ?? '';
}
