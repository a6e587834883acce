import { hitDocument } from '../../../documents/kinds/hit.ts';
import { HeldValues, textAt, valuesAt } from '../values/held-values.ts';
import type { SoughtValue } from '../values/sought-value.ts';

/** An alert, as annotations name it. */
export interface NamedAlert {
  readonly id: string;
  readonly analytic: string;
  readonly status: string;
  readonly assessment: string | undefined;
}

/** The alerts that hold a value, within the reach of the caller. */
export interface AlertTally {
  count: number;
  /** Times of the earliest and the latest alert, as the alert service writes them. */
  first: string;
  last: string;
  readonly statuses: Map<string, number>;
  readonly assessments: Map<string, number>;
  readonly analytics: Map<string, number>;
  readonly classifications: Set<string>;
  /** Identifiers of records and cases that these alerts name. */
  readonly related: Set<string>;
  /** The newest. */
  readonly newest: NamedAlert[];
}

/** Alerts that annotations name. */
export const MAX_NAMED = 5;
/** Fields of an alert that are counted, in addition to those that hold values. */
export const COUNTED_FIELDS = [
  'howler.id',
  'howler.status',
  'howler.assessment',
  'howler.analytic',
  'howler.related',
  'classification',
  'timestamp',
] as const;

export function emptyTally(): AlertTally {
  return {
    count: 0,
    first: '',
    last: '',
    statuses: new Map(),
    assessments: new Map(),
    analytics: new Map(),
    classifications: new Set(),
    related: new Set(),
    newest: [],
  };
}

/** Counts alerts for each value that they hold. @param alerts found ones, the newest first */
export function tally(
  alerts: readonly unknown[],
  sought: readonly SoughtValue[],
): ReadonlyMap<SoughtValue, AlertTally> {
  const values = new HeldValues(sought, hitDocument);
  const tallies = new Map<SoughtValue, AlertTally>();
  for (const alert of alerts) {
    for (const one of values.in(alert)) {
      const known = tallies.get(one) ?? emptyTally();
      tallies.set(one, known);
      addAlert(known, alert);
    }
  }
  return tallies;
}

/** Adds an alert that is not newer than those before. */
export function addAlert(to: AlertTally, alert: unknown): void {
  const text = (path: string) => textAt(alert, path);
  const time = text('timestamp') ?? '';
  to.count += 1;
  if (to.last === '') to.last = time;
  to.first = time;
  const status = text('howler.status') ?? '';
  const assessment = text('howler.assessment');
  const analytic = text('howler.analytic') ?? '';
  increment(to.statuses, status);
  if (assessment !== undefined) increment(to.assessments, assessment);
  increment(to.analytics, analytic);
  const classification = text('classification');
  if (classification !== undefined) to.classifications.add(classification);
  for (const id of valuesAt(alert, ['howler', 'related'])) to.related.add(String(id));
  const id = text('howler.id');
  if (id !== undefined && to.newest.length < MAX_NAMED) to.newest.push({ id, analytic, status, assessment });
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
