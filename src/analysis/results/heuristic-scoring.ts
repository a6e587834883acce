import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';
import type { AttackCatalogue, AttackEntry } from '../attack/attack-catalogue.ts';

/** A heuristic as a service sends it. */
export interface SentHeuristic {
  readonly attackIds: readonly string[];
  /** Matches of each signature, by its name. */
  readonly signatures: ReadonlyMap<string, number>;
  readonly frequency: number;
  /** Scores of signatures that the definition does not know, by name. */
  readonly scores: ReadonlyMap<string, number>;
}

/** A heuristic as a section of a result has it. */
export interface ScoredHeuristic {
  readonly heur_id: string;
  readonly name: string;
  readonly score: number;
  readonly attack: readonly AttackEntry[];
  readonly signature: readonly { readonly name: string; readonly frequency: number; readonly safe: boolean }[];
}

interface Scoring {
  readonly heuristic: ScoredHeuristic;
  /** Tags that follow from ATT&CK. */
  readonly tags: readonly { readonly type: string; readonly value: string }[];
}

/** Scores are integers of 32 bits. */
const MAX_SCORE = 2 ** 31 - 1;

/**
 * Scores a heuristic by its definition; the score that the service sent does not count.
 * See contract/analysis.md section 4.8.
 */
export function scoreHeuristic(
  definition: Heuristic,
  sent: SentHeuristic,
  context: { readonly attack: AttackCatalogue; readonly isSafeSignature: (name: string) => boolean },
): Scoring {
  const { entries, tags } = context.attack.map(sent.attackIds);
  const signature = [...sent.signatures].map(([name, frequency]) => ({
    name,
    frequency,
    safe: context.isSafeSignature(name),
  }));
  const isSafe = signature.length > 0 && signature.every((one) => one.safe);
  const { heur_id, name } = definition;
  const score = isSafe ? 0 : boundedScore(definition, sent);
  return { heuristic: { heur_id, name, score, attack: entries, signature }, tags };
}

function boundedScore(definition: Heuristic, { signatures, scores, frequency }: SentHeuristic): number {
  const { signature_score_map: known, max_score: most } = definition;
  let score = definition.score * (frequency || 1);
  if (signatures.size > 0) {
    score = 0;
    for (const [name, count] of signatures) {
      const own = Object.hasOwn(known, name) ? known[name] : undefined;
      score += (own ?? scores.get(name) ?? definition.score) * count;
    }
  }
  return clampScore(most ? Math.min(score, most) : score);
}

/** Keeps a score within the range that can be stored. */
export function clampScore(score: number): number {
  return Math.max(-MAX_SCORE, Math.min(MAX_SCORE, score));
}
