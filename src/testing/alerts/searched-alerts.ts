import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { IndexedDocument } from '../../datastore/query-language/indexed-values.ts';
import { compareIndexedValues, matchesIndexed } from '../../datastore/query-language/matches.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';

/** The part of an alert that is searched. */
export interface SearchedAlert {
  readonly howler: { readonly id: string; readonly status: string };
  readonly event?: { readonly created?: string; readonly severity?: number };
  readonly user?: { readonly name: string };
}

/** Alerts in memory that are searched as the alert service does: by Lucene filters, in an order. */
export class SearchedAlerts {
  readonly alerts = new Map<string, SearchedAlert>();
  readonly #indexed = new Map<SearchedAlert, IndexedDocument>();
  /** The moment that `now` stands for. */
  now = new Date('2026-03-01T00:00:00.000Z');

  constructor(alerts: readonly SearchedAlert[]) {
    for (const alert of alerts) this.put(alert);
  }

  put(alert: SearchedAlert): void {
    this.alerts.set(alert.howler.id, alert);
  }

  /** Returns the alerts that match all filters, in the order of `event.severity desc,howler.id asc`. */
  search(filters: readonly string[], order = ''): readonly SearchedAlert[] {
    const found = this.#matching(filters);
    const clauses = order === '' ? [] : order.split(',').map((clause) => clause.split(' ') as [string, string]);
    return found.toSorted((left, right) => {
      for (const [field, direction] of clauses) {
        const [one, other] = [this.#value(left, field), this.#value(right, field)];
        if (one === other) continue;
        // Records without the field come last in both directions.
        if (one === undefined) return 1;
        if (other === undefined) return -1;
        const compared = compareIndexedValues(one, other);
        if (compared !== 0) return direction === 'asc' ? compared : -compared;
      }
      return 0;
    });
  }

  count(filters: readonly string[]): number {
    return this.#matching(filters).length;
  }

  /** Counts a date field in steps, as the histogram of the service. */
  steps(field: string, filters: readonly string[], { start, end, gap }: { start: number; end: number; gap: number }) {
    const counts = new Map<number, number>();
    for (const time of this.#values(field, filters)) {
      if (typeof time !== 'number' || time < start || time > end) continue;
      const begin = Math.floor(time / gap) * gap;
      counts.set(begin, (counts.get(begin) ?? 0) + 1);
    }
    return counts;
  }

  bounds(field: string, filters: readonly string[]): readonly [number, number] | undefined {
    const times = this.#values(field, filters).map(Number);
    if (times.length === 0) return undefined;
    return [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  }

  values(field: string, filters: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const value of this.#values(field, filters)) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    return counts;
  }

  #matching(filters: readonly string[]): readonly SearchedAlert[] {
    const queries = filters.map((filter) => compileQuery(filter, hitDocument, { now: this.now }));
    return [...this.alerts.values()].filter((alert) =>
      queries.every((query) => matchesIndexed(query, this.#indexedOf(alert))),
    );
  }

  #values(field: string, filters: readonly string[]) {
    return this.#matching(filters).flatMap((alert) => this.#value(alert, field) ?? []);
  }

  #value(alert: SearchedAlert, field: string) {
    return this.#indexedOf(alert).values.get(field)?.[0];
  }

  #indexedOf(alert: SearchedAlert): IndexedDocument {
    const known = this.#indexed.get(alert);
    if (known !== undefined) return known;
    const { howler, event, user } = alert;
    const values = [
      ['howler.id', howler.id],
      ['howler.status', howler.status],
      ['event.created', event?.created === undefined ? undefined : Date.parse(event.created)],
      ['event.severity', event?.severity],
      ['user.name', user?.name],
    ] as const;
    const indexed = {
      values: new Map(values.flatMap(([field, value]) => (value === undefined ? [] : [[field, [value]] as const]))),
      tokens: new Map(),
    };
    this.#indexed.set(alert, indexed);
    return indexed;
  }
}
