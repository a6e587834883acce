import type { Collection } from '../../datastore/port/collection.ts';
import { anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { valueAt } from '../../documents/schema/plain-objects.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import {
  type AlertPageInput,
  type AlertSelectionInput,
  checkAlertField,
  compileAlertSelection,
  readAlertSort,
  searchException,
  startOf,
} from './alert-query.ts';

export interface AlertServiceDependencies {
  readonly alerts: Collection<AnalysisAlert>;
  /** Milliseconds for which new alerts are not shown, so that workflows see them first. */
  readonly delay: number;
  /** Fields that statistics count. */
  readonly statistics: readonly string[];
  readonly now?: () => Date;
}

/** Total that engines count to by default. */
const COUNTED_TOTAL = 10_000;
const STATISTIC_SIZE = 10;
const VALUES = 100;
/** Fields by whose value an earlier alert gives a hint who knows the file. */
const HASH_FIELDS: ReadonlySet<string> = new Set(['file.md5', 'file.sha1', 'file.sha256']);
const OWNED: QueryNode = { kind: 'exists', field: 'owner' };

/** Finds and counts alerts. Every method shows what `access` admits. */
export class AlertService {
  readonly #alerts: Collection<AnalysisAlert>;
  readonly #delay: number;
  readonly #statistics: readonly string[];
  readonly #now: () => Date;

  constructor({ alerts, delay, statistics, now = () => new Date() }: AlertServiceDependencies) {
    this.#alerts = alerts;
    this.#delay = delay;
    this.#statistics = statistics;
    this.#now = now;
  }

  get(id: string, access: ReadAccess): Promise<AnalysisAlert | undefined> {
    return this.#alerts.get(id, access);
  }

  async list(input: AlertPageInput, access: ReadAccess) {
    const { offset, rows } = input;
    const sort = readAlertSort(input.sort);
    const found = await searching(
      this.#alerts.search({ ...this.#select(input).selection, offset, rows, sort }, access),
    );
    return {
      items: found.items.map(({ document }) => shown(document)),
      offset,
      rows,
      total: totalOf(input, found.total),
    };
  }

  /** Returns the newest alert of each value of a field, with how many alerts have it. */
  async grouped(field: string, input: AlertPageInput, access: ReadAccess) {
    checkAlertField(field);
    const { offset, rows } = input;
    const sort = readAlertSort(input.sort);
    const { selection, start, now } = this.#select(input);
    const filters = [...selection.filters, { kind: 'exists', field } as const];
    const request = { ...selection, filters, field, offset, rows, sort, groupSort: sort, limit: 1 };
    const { groups, total } = await searching(this.#alerts.group(request, access));
    const alerts = groups.flatMap(({ items: [first], total: count }) =>
      first === undefined ? [] : [{ alert: first.document, count }],
    );
    const hinted = HASH_FIELDS.has(field) ? await this.#ownedValues(field, alerts, access) : new Set<unknown>();
    return {
      items: alerts.map(({ alert, count }) => ({
        ...shown(alert),
        group_count: count,
        hint_owner: hinted.has(valueAt(alert, field)),
      })),
      counted_total: alerts.reduce((sum, { count }) => sum + count, 0),
      offset,
      rows,
      tc_start: start ?? formatDate(now),
      total: totalOf(input, total),
    };
  }

  /** Returns the most frequent values of the fields that people look at, with their counts. */
  async statistics(input: AlertSelectionInput, access: ReadAccess) {
    const { selection } = this.#select(input);
    const counts = this.#statistics.map(async (field) => {
      if (!alertDocument.fieldByPath.has(field)) return [field, {}];
      return [field, await this.#count(field, selection, STATISTIC_SIZE, access)];
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  /** Returns the values of a field with their counts. */
  values(field: 'label' | 'priority' | 'status', input: AlertSelectionInput, access: ReadAccess) {
    return this.#count(field, this.#select(input).selection, VALUES, access);
  }

  /** Returns the identifiers of all alerts of a query. @throws InvalidInput `argument_missing` */
  async related(input: Partial<AlertSelectionInput>, access: ReadAccess): Promise<readonly string[]> {
    const [first, ...rest] = [...(input.q === undefined ? [] : [input.q]), ...(input.fq ?? [])];
    if (first === undefined || first === '') {
      const message = 'You need to at least provide a query to filter the data';
      throw new InvalidInput('argument_missing', message, { response: [], at: 'q' });
    }
    const given = { ...input, q: first, fq: rest, no_delay: true };
    const selection = compileAlertSelection(given, input.tc_start, this.#now());
    const ids: string[] = [];
    for await (const { id } of this.#alerts.stream({ ...selection, fields: ['alert_id'] }, access)) ids.push(id);
    return ids;
  }

  #select(input: AlertSelectionInput) {
    const now = this.#now();
    const start = startOf(input, { delay: this.#delay, now });
    return { selection: compileAlertSelection(input, start, now), start, now };
  }

  async #count(
    field: string,
    selection: { readonly query: QueryNode; readonly filters: readonly QueryNode[] },
    rows: number,
    access: ReadAccess,
  ): Promise<Readonly<Record<string, number>>> {
    const { buckets } = await searching(this.#alerts.facet({ ...selection, field, rows }, access));
    return Object.fromEntries(buckets.map(({ label, count }) => [label, count]));
  }

  /** Returns the hashes of alerts without an owner of which others have one. */
  async #ownedValues(
    field: string,
    alerts: readonly { readonly alert: AnalysisAlert }[],
    access: ReadAccess,
  ): Promise<ReadonlySet<unknown>> {
    const hashes = alerts.flatMap(({ alert }) => (alert.owner ? [] : [String(valueAt(alert, field))]));
    if (hashes.length === 0) return new Set();
    const query = anyOf({ kind: 'terms', field, values: hashes });
    const { buckets } = await this.#alerts.facet({ query, filters: [OWNED], field, rows: hashes.length }, access);
    return new Set(buckets.map(({ label }) => label));
  }
}

/** Returns an alert as routes answer it. */
export function shown(alert: AnalysisAlert): AnalysisAlert {
  return wholeOutput(alertDocument, alert);
}

function totalOf({ track_total_hits: isExact }: AlertPageInput, total: number): number {
  return isExact ? total : Math.min(total, COUNTED_TOTAL);
}

async function searching<T>(search: Promise<T>): Promise<T> {
  try {
    return await search;
  } catch (error) {
    throw searchException(error);
  }
}
