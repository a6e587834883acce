import { isRecord } from '../../models/json-record.ts';
import type { ServiceClient } from '../../sources/service-client.ts';
import type { SourceCall } from '../../sources/source-client.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import { textAt, valuesAt } from '../values/held-values.ts';
import {
  askService,
  type FoundDocuments,
  MAX_QUERY_CHARACTERS,
  type ServiceSearch,
  searchService,
} from '../values/service-search.ts';
import { combinedPlaces, luceneQuery, type QueryLimits, type SoughtValue } from '../values/sought-value.ts';
import type { TimelyParts } from '../values/timely-parts.ts';
import { type AlertTally, addAlert, COUNTED_FIELDS, emptyTally, tally } from './alert-tally.ts';

/** Alerts that one search returns. */
const PAGE = 1_000;
/** Alerts that are read of a value that many hold. */
const NEWEST = 100;
const MAX_GROUPS = 1_000;
/** A value is counted by itself if it is in more than this share of the newest alerts. */
const FREQUENT = 1 / 8;
/** Cases that one search returns. */
const MAX_CASES = 1_000;
/** Records that alerts name, among which cases are looked for. */
const MAX_RELATED = 500;
const CASE_FIELDS = ['indicators', 'targets', 'threats'] as const;
/** Leaves room for what joins the values. */
const MAX_CHARACTERS = MAX_QUERY_CHARACTERS - 10_000;
/** Elasticsearch takes at least 1,024 in a query of a Howler, which passes it on as it is. */
const MAX_TERMS = { here: 8_000, elsewhere: 1_000 };
const FACETS = ['howler.status', 'howler.assessment', 'howler.analytic', 'howler.related', 'classification'] as const;

/** A case that holds a value. */
export interface HoldingCase {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly classification: string | undefined;
}

export interface HoldingRecords {
  readonly alerts: AlertTally;
  readonly cases: readonly HoldingCase[];
}

/**
 * Counts the alerts and lists the cases that hold values, for many values with a few searches, one
 * after the other. Everything is counted by searches with the rights of the caller.
 */
export class AlertSearches {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** Limits of one query. */
  get limits(): QueryLimits {
    const terms = this.#client.isElsewhere ? MAX_TERMS.elsewhere : MAX_TERMS.here;
    return { terms, characters: MAX_CHARACTERS };
  }

  /** Returns what holds each value; values that nothing holds are absent. @throws SourceFailure */
  async find(
    sought: readonly SoughtValue[],
    parts: TimelyParts,
    call: SourceCall,
  ): Promise<ReadonlyMap<SoughtValue, HoldingRecords>> {
    const found = new Map<SoughtValue, HoldingRecords>();
    for (const part of parts.of(sought)) {
      const tallies = new Map<SoughtValue, AlertTally>();
      // The longest search first: the other is read while it runs.
      const [, indicated] = await Promise.all([this.#count(part, call, tallies), this.#casesOfIndicators(part, call)]);
      const holdingCases = casesByValue([...indicated, ...(await this.#casesOfAlerts(tallies, indicated, call))]);
      for (const one of part) {
        const alerts = tallies.get(one) ?? emptyTally();
        const cases = holdingCases(one, alerts);
        if (alerts.count > 0 || cases.length > 0) found.set(one, { alerts, cases });
      }
    }
    return found;
  }

  /**
   * Counts from the alerts themselves when one page has them all. Otherwise values that many
   * alerts hold are counted by themselves, and the rest again.
   */
  async #count(part: readonly SoughtValue[], call: SourceCall, into: Map<SoughtValue, AlertTally>): Promise<void> {
    const terms = combinedPlaces(part);
    const fields = [...COUNTED_FIELDS, ...terms.keys()];
    const { items, total } = await this.#search('hit', { query: luceneQuery(terms), fields, rows: PAGE }, call);
    const tallies = tally(items, part);
    if (total <= items.length) {
      for (const [one, counted] of tallies) into.set(one, counted);
      return;
    }
    const isFrequent = (one: SoughtValue) => (tallies.get(one)?.count ?? 0) > items.length * FREQUENT;
    const frequent = part.length === 1 ? part : part.filter(isFrequent);
    for (const one of frequent) into.set(one, await this.#countOne(one, call));
    const rest = part.filter((one) => !frequent.includes(one));
    if (rest.length === 0) return;
    // Halves end also where no value is frequent.
    const middle = frequent.length > 0 ? rest.length : Math.ceil(rest.length / 2);
    await this.#count(rest.slice(0, middle), call, into);
    if (middle < rest.length) await this.#count(rest.slice(middle), call, into);
  }

  /** Counts a value that more alerts hold than a page has. */
  async #countOne(one: SoughtValue, call: SourceCall): Promise<AlertTally> {
    const query = luceneQuery(one.places);
    const [newest, oldest, facets] = await Promise.all([
      this.#search('hit', { query, fields: COUNTED_FIELDS, rows: NEWEST }, call),
      this.#search('hit', { query, fields: ['timestamp'], rows: 1, order: 'asc' }, call),
      askService(this.#client, '/api/v1/search/facet/hit', { query, fields: FACETS, rows: MAX_GROUPS }, call),
    ]);
    const sample = emptyTally();
    for (const alert of newest.items) addAlert(sample, alert);
    const countsOf = (field: (typeof FACETS)[number]) => countsIn(facets, field);
    // Facets write analytics in lower case.
    const names = new Map([...sample.analytics.keys()].map((name) => [name.toLowerCase(), name]));
    return {
      count: newest.total,
      first: textAt(oldest.items[0], 'timestamp') ?? sample.first,
      last: sample.last,
      statuses: countsOf('howler.status'),
      assessments: countsOf('howler.assessment'),
      analytics: new Map([...countsOf('howler.analytic')].map(([name, count]) => [names.get(name) ?? name, count])),
      classifications: new Set(countsOf('classification').keys()),
      related: new Set(countsOf('howler.related').keys()),
      newest: sample.newest,
    };
  }

  /** Returns the cases that list one of the values as an indicator, a target or a threat. */
  #casesOfIndicators(part: readonly SoughtValue[], call: SourceCall): Promise<readonly unknown[]> {
    const spellings = new Set(part.flatMap((one) => (isIndicator(one) ? one.spellings : [])));
    if (spellings.size === 0) return Promise.resolve([]);
    return this.#searchCases(new Map(CASE_FIELDS.map((field) => [field, spellings])), call);
  }

  /** Returns the cases of the alerts that hold the values, without those that are known. */
  #casesOfAlerts(
    tallies: ReadonlyMap<SoughtValue, AlertTally>,
    known: readonly unknown[],
    call: SourceCall,
  ): Promise<readonly unknown[]> {
    const related = new Set([...tallies.values()].flatMap((counted) => [...counted.related]));
    for (const one of known) related.delete(textAt(one, 'case_id') ?? '');
    if (related.size === 0) return Promise.resolve([]);
    return this.#searchCases(new Map([['case_id', [...related].slice(0, MAX_RELATED)]]), call);
  }

  /** A Howler without cases has no such index. */
  async #searchCases(terms: ReadonlyMap<string, Iterable<string>>, call: SourceCall): Promise<readonly unknown[]> {
    const fields = ['case_id', 'title', 'status', 'classification', ...CASE_FIELDS];
    try {
      return (await this.#search('case', { query: luceneQuery(terms), fields, rows: MAX_CASES }, call)).items;
    } catch (error) {
      if (this.#client.isElsewhere && error instanceof SourceFailure && error.status === 400) return [];
      throw error;
    }
  }

  #search(
    index: 'hit' | 'case',
    { order = 'desc', ...request }: SearchSpec,
    call: SourceCall,
  ): Promise<FoundDocuments> {
    const sort = `${index === 'hit' ? 'timestamp' : 'created'} ${order}`;
    return searchService(this.#client, `/api/v1/search/${index}`, { ...request, sort }, call);
  }
}

/** Returns the function that picks the cases of a value. */
function casesByValue(items: readonly unknown[]) {
  const known = items.map((item) => ({
    id: textAt(item, 'case_id') ?? '',
    title: textAt(item, 'title') ?? '',
    status: textAt(item, 'status') ?? '',
    classification: textAt(item, 'classification'),
    held: new Set(CASE_FIELDS.flatMap((field) => valuesAt(item, [field])).map(String)),
  }));
  return (one: SoughtValue, { related }: AlertTally): readonly HoldingCase[] =>
    known
      .filter(({ id, held }) => related.has(id) || (isIndicator(one) && one.spellings.some((text) => held.has(text))))
      .map(({ held: _, ...shown }) => shown);
}

/** True for values that people list as indicators of an alert or a case. */
function isIndicator({ places }: SoughtValue): boolean {
  return places.has('howler.outline.indicators');
}

interface SearchSpec extends Omit<ServiceSearch, 'sort'> {
  /** Order by time. Default: the newest first. */
  readonly order?: 'asc' | 'desc';
}

function countsIn(facets: Readonly<Record<string, unknown>>, field: string): Map<string, number> {
  const counts = facets[field];
  if (!isRecord(counts)) return new Map();
  const entries = Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return new Map(entries.sort(([, left], [, right]) => right - left));
}
