import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Heuristic } from '../../documents/kinds/heuristic.ts';

export interface HeuristicSignaturesDependencies {
  readonly heuristics: Collection<Heuristic>;
  readonly classification: ClassificationEngine;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The signatures with scores of each heuristic. The object stays the same while nothing changes. */
export type KnownSignatures = readonly {
  readonly classification: string;
  readonly names: readonly string[];
}[];

/** Services install heuristics rarely. */
const LIFETIME = 60_000;
const ACCESS = unrestricted('signatures of heuristics are filtered for each caller');

/** Remembers the signatures of all heuristics for a minute, and then refreshes them in the background. */
export class HeuristicSignatures {
  readonly #dependencies: HeuristicSignaturesDependencies;
  readonly #now: () => number;
  #known: KnownSignatures | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<KnownSignatures> | undefined;

  constructor(dependencies: HeuristicSignaturesDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns the signatures; a promise for the first callers only. */
  known(): KnownSignatures | Promise<KnownSignatures> {
    const isFresh = this.#now() - this.#readAt < LIFETIME;
    if (this.#known !== undefined && isFresh) return this.#known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    if (this.#known === undefined) return this.#reading;
    // Callers that wait for the next refresh get its failure.
    this.#reading.catch(() => undefined);
    return this.#known;
  }

  /** Returns the names that a classification may see, in alphabetical order. */
  namesFor(known: KnownSignatures, clearance: string): readonly string[] {
    const visible = known.filter(({ classification }) =>
      this.#dependencies.classification.isAccessible(clearance, classification, true),
    );
    return [...new Set(visible.flatMap(({ names }) => names))].sort();
  }

  async #read(): Promise<KnownSignatures> {
    const readAt = this.#now();
    const read: KnownSignatures[number][] = [];
    for await (const { document } of this.#dependencies.heuristics.stream({ query: MATCH_ALL }, ACCESS)) {
      const names = Object.keys(document.signature_score_map);
      if (names.length > 0) read.push({ classification: document.classification, names });
    }
    this.#readAt = readAt;
    if (JSON.stringify(read) !== JSON.stringify(this.#known)) this.#known = read;
    return this.#known ?? read;
  }
}
