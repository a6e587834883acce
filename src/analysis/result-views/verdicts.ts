import type { SectionContent } from './result-content.ts';

/** Lowest scores of the verdicts (`submission.verdicts`). */
export interface Verdicts {
  readonly info: number;
  readonly suspicious: number;
  readonly highly_suspicious: number;
  readonly malicious: number;
}

/** Kinds of heuristics by their score, from the worst to the best. */
export const HEURISTIC_TYPES = ['malicious', 'suspicious', 'info', 'safe'] as const;
export type HeuristicType = (typeof HEURISTIC_TYPES)[number];

/** Returns how bad a heuristic of this score is; `info` without a heuristic. */
export function heuristicType(score: number | undefined, verdicts: Verdicts): HeuristicType {
  if (score === undefined) return 'info';
  if (score >= verdicts.malicious) return 'malicious';
  if (score >= verdicts.suspicious) return 'suspicious';
  return score >= verdicts.info ? 'info' : 'safe';
}

/** Returns whether the first is worse than the second. */
export function isWorse(left: HeuristicType, right: HeuristicType): boolean {
  return HEURISTIC_TYPES.indexOf(left) < HEURISTIC_TYPES.indexOf(right);
}

/** Returns sections with the highest score of their heuristics first. */
export function byHeuristicScore<T>(
  sections: readonly T[],
  contentOf: (section: T) => Pick<SectionContent, 'heuristic'>,
): readonly T[] {
  const score = (section: T) => contentOf(section).heuristic?.score ?? 0;
  return sections.toSorted((left, right) => score(right) - score(left));
}
