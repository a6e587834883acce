import type { Collection } from '../../datastore/port/collection.ts';
import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { anyOf } from '../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import { ERROR_TYPE_CODES, type ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { HeuristicRegistration } from './heuristic-registration.ts';

export interface ServiceStatisticsDependencies {
  readonly results: Pick<Collection<Result>, 'search'>;
  readonly errors: Pick<Collection<ErrorRecord>, 'facet'>;
  readonly heuristics: Pick<HeuristicRegistration, 'idsOf'>;
}

interface Spread {
  readonly avg: number;
  readonly max: number;
  readonly min: number;
}

/** Width of the classes that scores are counted in. */
const GAP = 500;
const FIELDS = [
  'result.score',
  'result.sections.heuristic.heur_id',
  'response.extracted.sha256',
  'response.supplementary.sha256',
];

/** Sums up the newest results of a service (contract/analysis.md section 6). */
export class ServiceStatistics {
  readonly #dependencies: ServiceStatisticsDependencies;

  constructor(dependencies: ServiceStatisticsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param rows newest results that count, at most 10,000 */
  async of(name: string, version: string | undefined, rows: number, access: ReadAccess): Promise<object> {
    const { results, errors, heuristics } = this.#dependencies;
    const query: QueryNode = { kind: 'term', field: 'response.service_name', value: name };
    const filters = version === undefined ? [] : [versionFilter(version)];
    const found = await errors.facet({ query, filters, field: 'type', rows: 100 }, access);
    const error = Object.fromEntries(Object.keys(ERROR_TYPE_CODES).map((type) => [type, 0]));
    for (const { label, count } of found.buckets) error[label] = count;
    const sort = [{ field: 'created', order: 'desc' }] as const;
    const { items } = await results.search({ query, filters, fields: FIELDS, sort, rows }, access);
    const newest = items.map(({ document }) => document as PartOfResult);
    const heuristic = Object.fromEntries((await heuristics.idsOf(name)).map((id) => [id, 0]));
    for (const { result } of newest) {
      const ids = new Set(result?.sections?.flatMap((section) => section.heuristic?.heur_id ?? []));
      for (const id of ids) heuristic[id] = (heuristic[id] ?? 0) + 1;
    }
    const scores = newest.map(({ result }) => result?.score ?? 0);
    return {
      error,
      file: {
        extracted: spreadOf(newest.map(({ response }) => response?.extracted?.length ?? 0)),
        supplementary: spreadOf(newest.map(({ response }) => response?.supplementary?.length ?? 0)),
      },
      heuristic,
      result: { count: newest.length, score: { ...spreadOf(scores), distribution: distributionOf(scores) } },
      service: { name, ...(version === undefined ? {} : { version }) },
    };
  }
}

interface PartOfResult {
  readonly result?: {
    readonly score?: number;
    readonly sections?: readonly { readonly heuristic?: { readonly heur_id?: string } }[];
  };
  readonly response?: { readonly extracted?: readonly object[]; readonly supplementary?: readonly object[] };
}

/** Results carry the version with the label of the stable channel, too. */
function versionFilter(version: string): QueryNode {
  const plain = version.replaceAll('stable', '');
  const parts = plain.split('.');
  const labelled = parts.length === 4 ? [...parts.slice(0, 3), `stable${parts[3]}`].join('.') : plain;
  const term = (value: string): QueryNode => ({ kind: 'term', field: 'response.service_version', value });
  return anyOf(term(plain), term(labelled));
}

function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { avg: 0, max: 0, min: 0 };
  const sum = values.reduce((total, value) => total + value, 0);
  const max = values.reduce((left, right) => Math.max(left, right));
  return { avg: sum / values.length, max, min: values.reduce((left, right) => Math.min(left, right)) };
}

/** Counts scores in classes of 500, from that of the lowest to the one above the highest. */
function distributionOf(scores: readonly number[]): Readonly<Record<string, number>> {
  const { min, max } = spreadOf(scores);
  const first = Math.floor(min / GAP) * GAP;
  const last = Math.floor(max / GAP) * GAP + GAP;
  // Scores of a few hostile results would make millions of empty classes.
  if ((last - first) / GAP > MAX_CLASSES) return countedClasses(scores);
  const classes: Record<string, number> = {};
  for (let edge = first; edge <= last; edge += GAP) classes[edge] = 0;
  return { ...classes, ...countedClasses(scores) };
}

const MAX_CLASSES = 1000;

function countedClasses(scores: readonly number[]): Readonly<Record<string, number>> {
  const classes: Record<string, number> = {};
  for (const score of scores) {
    const edge = Math.floor(score / GAP) * GAP;
    classes[edge] = (classes[edge] ?? 0) + 1;
  }
  return classes;
}
