import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';

/** Milliseconds after which a definition is read again. */
const LIFETIME = 4000;
const MAX_ENTRIES = 20_000;
const ACCESS = unrestricted('results are scored by heuristics of every classification');

/** Definitions of heuristics, at most 5 seconds old: a result waits for the datastore once in a while. */
export class HeuristicDefinitions {
  readonly #heuristics: Pick<Collection<Heuristic>, 'getMany'>;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly definition: Heuristic; readonly at: number }>();

  constructor(heuristics: Pick<Collection<Heuristic>, 'getMany'>, now: () => number = Date.now) {
    this.#heuristics = heuristics;
    this.#now = now;
  }

  /** Returns the definitions that exist, by identifier. */
  async get(ids: Iterable<string>): Promise<ReadonlyMap<string, Heuristic>> {
    const wanted = [...new Set(ids)];
    const now = this.#now();
    const isFresh = (id: string) => now - (this.#known.get(id)?.at ?? Number.NEGATIVE_INFINITY) < LIFETIME;
    const stale = wanted.filter((id) => !isFresh(id));
    if (stale.length > 0) {
      const read = await this.#heuristics.getMany(stale, ACCESS);
      if (this.#known.size + stale.length > MAX_ENTRIES) this.#known.clear();
      stale.forEach((id, index) => {
        const definition = read[index];
        // A missing one is asked for again: it may be registered any moment.
        if (definition === undefined) this.#known.delete(id);
        else this.#known.set(id, { definition, at: now });
      });
    }
    const found = new Map<string, Heuristic>();
    for (const id of wanted) {
      const definition = this.#known.get(id)?.definition;
      if (definition !== undefined) found.set(id, definition);
    }
    return found;
  }
}
