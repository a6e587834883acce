import type { components } from '../../../../api/generated/alerts.ts';
import { TIME_FIELD } from '../search/alert-search.ts';
import type { View } from '../search/view-search.ts';
import { SPECIAL_COLUMNS, type SpecialColumn } from './special-columns.ts';

/** Columns of a list with the widths that were changed. */
export interface ListColumns {
  readonly columns: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
}

/** The fields that stand for special columns in a view, where other interfaces read them. */
const FIELDS: Readonly<Record<SpecialColumn, string>> = {
  severity: 'event.severity',
  time: TIME_FIELD,
  analytic: 'howler.analytic',
  outline: 'howler.outline.summary',
  status: 'howler.status',
  assignee: 'howler.assignment',
  labels: 'howler.labels',
  escalation: 'howler.escalation',
};

/** Returns the columns that a view has of its own, if any. */
export function columnsOfView(view: Pick<View, 'settings'> | undefined): ListColumns | undefined {
  const saved = view?.settings?.columns ?? [];
  if (saved.length === 0) return undefined;
  const columns = saved.map(({ field }) => SPECIAL_COLUMNS.find((id) => FIELDS[id] === field) ?? field);
  const widths = saved.flatMap(({ width }, index) => (width ? [[columns[index] ?? '', width] as const] : []));
  return { columns: [...new Set(columns)], widths: Object.fromEntries(widths) };
}

/** Returns columns as a view keeps them. */
export function gridColumns({ columns, widths }: ListColumns): components['schemas']['GridColumn'][] {
  return columns.map((id) => {
    const width = widths[id];
    const field = SPECIAL_COLUMNS.find((special) => special === id);
    return { field: field === undefined ? id : FIELDS[field], ...(width === undefined ? {} : { width }) };
  });
}
