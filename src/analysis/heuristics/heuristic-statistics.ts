import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { type Heuristic, heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';

export interface HeuristicStatisticsDependencies {
  readonly heuristics: Pick<Collection<Heuristic>, 'get' | 'stream'>;
  readonly results: Pick<Collection<Result>, 'stats' | 'search' | 'facet'>;
  readonly classification: Pick<ClassificationEngine, 'isAccessible'>;
}

/** Hits of a heuristic, with the scores of the results that hit it. */
export interface HitStatistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly sum: number;
  readonly first_hit: string | null;
  readonly last_hit: string | null;
}

interface Reader {
  readonly classification: string;
  readonly searchAccess: ReadAccess;
}

const NO_HITS: HitStatistics = { count: 0, min: 0, max: 0, avg: 0, sum: 0, first_hit: null, last_hit: null };
const ANY = unrestricted('a heuristic that the reader may not see is refused by its classification');
const FIELD = 'result.sections.heuristic.heur_id';
/** Heuristics whose statistics are read at the same time. */
const CONCURRENCY = 4;
/** Heuristics with hits, at most. */
const MAX_HEURISTICS = 10_000;

/** Reads heuristics and counts their hits in results that the reader may see. */
export class HeuristicStatistics {
  readonly #dependencies: HeuristicStatisticsDependencies;

  constructor(dependencies: HeuristicStatisticsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NotFound `unknown_heuristic`; Forbidden `heuristic_classified` */
  async get(id: string, reader: Reader): Promise<object> {
    const { heuristics, classification } = this.#dependencies;
    const heuristic = await heuristics.get(id, ANY);
    if (heuristic === undefined) throw new NotFound('unknown_heuristic', 'Heuristic not found');
    if (!classification.isAccessible(reader.classification, heuristic.classification)) {
      throw new Forbidden('heuristic_classified', 'You are not allowed to see this heuristic...', { response: '' });
    }
    return { ...wholeOutput(heuristicDocument, heuristic), stats: await this.#hits(id, reader.searchAccess) };
  }

  /** Returns the statistics of all heuristics that the reader may see. */
  async list({ searchAccess }: Reader): Promise<readonly object[]> {
    const { heuristics, results } = this.#dependencies;
    const { buckets } = await results.facet({ query: MATCH_ALL, field: FIELD, rows: MAX_HEURISTICS }, searchAccess);
    const hit = new Set(buckets.map(({ label }) => label));
    const known: { readonly heur_id: string; readonly name: string; readonly classification: string }[] = [];
    const request = { query: MATCH_ALL, fields: ['heur_id', 'name', 'classification'] };
    for await (const { document } of heuristics.stream(request, searchAccess)) known.push(document);
    const statistics = new Map<string, HitStatistics>();
    const waiting = known.filter(({ heur_id: id }) => hit.has(id));
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        statistics.set(next.heur_id, await this.#hits(next.heur_id, searchAccess));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return known.map(({ heur_id, name, classification }) => ({
      heur_id,
      name,
      classification,
      ...(statistics.get(heur_id) ?? NO_HITS),
    }));
  }

  async #hits(id: string, access: ReadAccess): Promise<HitStatistics> {
    const { results } = this.#dependencies;
    const query: QueryNode = { kind: 'term', field: FIELD, value: id };
    const { count, min, max, avg, sum } = await results.stats({ query, field: 'result.score' }, access);
    if (count === 0) return NO_HITS;
    const [first, last] = await Promise.all([
      this.#created(query, 'asc', access),
      this.#created(query, 'desc', access),
    ]);
    return {
      count,
      min: Number(min),
      max: Number(max),
      avg: Math.trunc(avg ?? 0),
      sum: Number(sum),
      first_hit: first,
      last_hit: last,
    };
  }

  async #created(query: QueryNode, order: 'asc' | 'desc', access: ReadAccess): Promise<string | null> {
    const request = { query, fields: ['created'], sort: [{ field: 'created', order }], rows: 1 } as const;
    const { items } = await this.#dependencies.results.search(request, access);
    return items[0]?.document.created ?? null;
  }
}
