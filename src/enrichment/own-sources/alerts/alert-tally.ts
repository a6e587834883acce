import { hitDocument } from '../../../documents/kinds/hit.ts';
import { isRecord } from '../../models/json-record.ts';
import { combinedPlaces, comparable, type SoughtValue } from './sought-value.ts';

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
  const holders = holdersByField(sought);
  const tallies = new Map<SoughtValue, AlertTally>();
  for (const alert of alerts) {
    const held = new Set<SoughtValue>();
    for (const { parts, kind, byTerm } of holders) {
      for (const value of valuesAt(alert, parts)) {
        for (const one of byTerm.get(comparable(kind, value) ?? '') ?? []) held.add(one);
      }
    }
    for (const one of held) {
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

/** Returns the string at a path. */
export function textAt(document: unknown, path: string): string | undefined {
  const [value] = valuesAt(document, path.split('.'));
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the values at a path, through lists. */
export function valuesAt(document: unknown, parts: readonly string[]): readonly unknown[] {
  let values: readonly unknown[] = [document];
  for (const part of parts) {
    values = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : []));
  }
  return values.filter((value) => value !== null);
}

function holdersByField(sought: readonly SoughtValue[]) {
  return [...combinedPlaces(sought).keys()].map((path) => {
    const byTerm = new Map<string, SoughtValue[]>();
    for (const one of sought) {
      for (const term of one.places.get(path) ?? []) {
        const known = byTerm.get(term);
        if (known === undefined) byTerm.set(term, [one]);
        else known.push(one);
      }
    }
    const kind = hitDocument.fieldByPath.get(path)?.searchKind ?? 'keyword';
    return { parts: path.split('.'), kind, byTerm };
  });
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
