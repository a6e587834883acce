import { LRUCache } from 'lru-cache';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';

interface HeuristicSignaturesDependencies {
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

export type HeuristicSignatures = ReturnType<typeof heuristicSignatures>;

/** Remembers the signatures of all heuristics for a minute, and then refreshes them in the background. */
export function heuristicSignatures({
  heuristics,
  classification: engine,
  now = Date.now,
}: HeuristicSignaturesDependencies) {
  const signatures = new LRUCache<'all', KnownSignatures>({
    max: 1,
    ttl: LIFETIME,
    allowStale: true,
    noDeleteOnFetchRejection: true,
    perf: { now },
    fetchMethod: (_all, known) => readSignatures(heuristics, known),
  });
  return {
    /** Returns the signatures. Only the first callers wait for them. */
    known: () => signatures.forceFetch('all'),
    /** Returns the names that a classification may see, in alphabetical order. */
    namesFor(known: KnownSignatures, clearance: string): readonly string[] {
      const visible = known.filter(({ classification }) => engine.isAccessible(clearance, classification, true));
      return [...new Set(visible.flatMap(({ names }) => names))].sort();
    },
  };
}

async function readSignatures(
  heuristics: Collection<Heuristic>,
  known: KnownSignatures | undefined,
): Promise<KnownSignatures> {
  const read: KnownSignatures[number][] = [];
  for await (const { document } of heuristics.stream({ query: MATCH_ALL }, ACCESS)) {
    const names = Object.keys(document.signature_score_map);
    if (names.length > 0) read.push({ classification: document.classification, names });
  }
  return known !== undefined && JSON.stringify(read) === JSON.stringify(known) ? known : read;
}
