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

/** The signatures of one heuristic that have scores of their own. */
interface Signatures {
  readonly classification: string;
  readonly names: readonly string[];
}

/** The same object while nothing changed. */
export type KnownSignatures = readonly Signatures[];

/** Services bring heuristics when they are installed, which is seldom. */
const LIFETIME = 60_000;
const ACCESS = unrestricted('signatures of heuristics are filtered for whoever asks');

/**
 * Signatures of all heuristics, as of about a minute ago. Nobody waits for them but the first who asks: what is older is read again while it
 * still serves.
 */
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

  known(): KnownSignatures | Promise<KnownSignatures> {
    const isFresh = this.#now() - this.#readAt < LIFETIME;
    if (this.#known !== undefined && isFresh) return this.#known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    if (this.#known === undefined) return this.#reading;
    // Those who wait for the next reading are told of its failure.
    this.#reading.catch(() => undefined);
    return this.#known;
  }

  /** Names that somebody of this classification may know, in alphabetical order. */
  namesFor(known: KnownSignatures, clearance: string): readonly string[] {
    const visible = known.filter(({ classification }) =>
      this.#dependencies.classification.isAccessible(clearance, classification, true),
    );
    return [...new Set(visible.flatMap(({ names }) => names))].sort();
  }

  async #read(): Promise<KnownSignatures> {
    const readAt = this.#now();
    const read: Signatures[] = [];
    for await (const { document } of this.#dependencies.heuristics.stream({ query: MATCH_ALL }, ACCESS)) {
      const names = Object.keys(document.signature_score_map);
      if (names.length > 0) read.push({ classification: document.classification, names });
    }
    this.#readAt = readAt;
    if (JSON.stringify(read) !== JSON.stringify(this.#known)) this.#known = read;
    return this.#known ?? read;
  }
}
