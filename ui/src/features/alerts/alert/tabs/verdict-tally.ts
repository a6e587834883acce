import type { Alert } from '../../triage/alert.ts';

/** Alerts of the analytic that are counted. */
export const LAST_ALERTS = 50;

export interface Tally {
  /** The assessments that were given, the most frequent first. */
  readonly verdicts: readonly { readonly assessment: string; readonly count: number }[];
  /** Alerts without an assessment. */
  readonly waiting: number;
}

/** Counts the assessments of alerts. */
export function tallyOf(rows: readonly { readonly howler?: Partial<Alert['howler']> }[]): Tally {
  const counts = new Map<string, number>();
  let waiting = 0;
  for (const { howler } of rows) {
    const assessment = howler?.assessment;
    if (assessment === undefined || assessment === null) waiting += 1;
    else counts.set(assessment, (counts.get(assessment) ?? 0) + 1);
  }
  const verdicts = [...counts].map(([assessment, count]) => ({ assessment, count }));
  return { verdicts: verdicts.toSorted((left, right) => right.count - left.count), waiting };
}
