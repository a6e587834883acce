import { severityOf } from '../../../../design/data/marks/severity.ts';
import {
  AssessmentMark,
  EscalationMark,
  SeverityMark,
  StatusMark,
} from '../../../../design/data/marks/severity-marks.tsx';
import type { Column } from '../../../../design/data/table/columns.ts';
import { Tags } from '../../../../design/data/values/tags.tsx';
import { Time } from '../../../../design/data/values/time.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import type { Translate } from '../../../../i18n/translation.ts';
import { plainString, valueAt } from '../../../../json/members.ts';
import type { FieldInfo } from '../../../../shell/session-context.tsx';
import type { AlertRow } from '../results/alert-source.ts';
import { TIME_FIELD } from '../search/alert-search.ts';
import { isSpecialColumn, type SpecialColumn } from './special-columns.ts';

/** The fields that a column shows, for the list of fields of a search. */
const FIELDS: Readonly<Record<SpecialColumn, readonly string[]>> = {
  severity: ['event.severity', 'event.risk_score', 'event.risk_score_norm', 'howler.severity', 'howler.score'],
  time: [TIME_FIELD],
  analytic: ['howler.analytic', 'howler.detection'],
  outline: ['howler.outline', 'message', 'event.reason'],
  status: ['howler.status', 'howler.assessment'],
  assignee: ['howler.assignment'],
  labels: ['howler.labels'],
  escalation: ['howler.escalation'],
};

/** Columns whose order the service knows by one field. */
const SORT_FIELDS: Readonly<Partial<Record<string, string>>> = {
  severity: 'event.severity',
  time: TIME_FIELD,
  analytic: 'howler.analytic',
  status: 'howler.status',
  assignee: 'howler.assignment',
  escalation: 'howler.escalation',
};

/** Returns the fields that the columns need; other columns are fields themselves. */
export function fieldsOf(columns: readonly string[]): string[] {
  return columns.flatMap((id) => (isSpecialColumn(id) ? FIELDS[id] : [id]));
}

/** Returns the field that a column sorts by; undefined where sorting makes no sense. */
export function sortFieldOf(column: string): string | undefined {
  return isSpecialColumn(column) ? SORT_FIELDS[column] : column;
}

/** Returns the column that shows the order of a field. */
export function columnOfSort(field: string): string {
  return Object.entries(SORT_FIELDS).find(([, sorted]) => sorted === field)?.[0] ?? field;
}

const CELLS: Readonly<Record<SpecialColumn, Omit<Column<AlertRow>, 'id' | 'title' | 'sortable'>>> = {
  // The widths leave room for the longest mark, and for the arrow of the order.
  severity: { width: 56, cell: (row) => <SeverityMark value={severityOf(row)} compact /> },
  time: { width: 108, cell: (row) => <Time value={String(valueAt(row, TIME_FIELD) ?? row.timestamp ?? '')} /> },
  analytic: { width: 200, cell: (row) => <Value value={analyticOf(row)} inline /> },
  outline: { width: 180, grow: true, cell: (row) => <Value value={outlineOf(row)} inline /> },
  status: { width: 132, cell: (row) => <StatusCell row={row} /> },
  assignee: { width: 104, cell: (row) => <UserName user={row.howler.assignment} /> },
  labels: { width: 120, cell: (row) => <Tags values={labelsOf(row)} max={3} inline /> },
  escalation: { width: 108, cell: (row) => <EscalationMark value={row.howler.escalation ?? ''} /> },
};

/** Beside an open alert the analytic takes what is left, and status and assignee stay in sight. */
const BESIDE: Readonly<Partial<Record<SpecialColumn, Partial<Column<AlertRow>>>>> = {
  time: { width: 86 },
  analytic: { width: 84, grow: true },
  outline: { width: 72 },
  assignee: { width: 88 },
};

function StatusCell({ row }: { row: AlertRow }) {
  const { assessment, status = '' } = row.howler;
  return assessment ? <AssessmentMark value={assessment} /> : <StatusMark value={status ?? ''} />;
}

interface ColumnOptions {
  readonly t: Translate;
  /** Fields of alerts by their names; undefined while they are not known. */
  readonly described: Readonly<Record<string, Pick<FieldInfo, 'type'>>> | undefined;
  /** True: an open alert has the room beside the list. */
  readonly isBeside: boolean;
}

/** Returns the columns of the table for the chosen ids. */
export function alertColumns(ids: readonly string[], { t, described, isBeside }: ColumnOptions): Column<AlertRow>[] {
  return ids.map((id) => {
    const sortable = sortFieldOf(id) !== undefined;
    if (isSpecialColumn(id)) {
      return { id, title: t(`alerts.columns.${id}`), sortable, ...CELLS[id], ...(isBeside ? BESIDE[id] : undefined) };
    }
    const isDate = described?.[id]?.type === 'date';
    return {
      id,
      title: id,
      sortable,
      width: 160,
      cell: (row) => <FieldCell value={valueAt(row, id)} isDate={isDate} />,
    };
  });
}

/** Draws a cell of any field; a list has one line, too. Dates are those of the reader's zone. */
function FieldCell({ value, isDate }: { value: unknown; isDate: boolean }) {
  if (isDate && (typeof value === 'string' || typeof value === 'number')) return <Time value={value} />;
  return <Value value={cellOf(value)} inline />;
}

function analyticOf({ howler: { analytic, detection } }: AlertRow): string {
  return detection ? `${analytic} · ${detection}` : analytic;
}

function outlineOf(row: AlertRow): string {
  const { threat, target, indicators, summary } = row.howler.outline ?? {};
  const parts = [summary, threat, target, ...(indicators ?? [])].filter((part) => part);
  return parts.join('  ') || cellOf(valueAt(row, 'event.reason') ?? valueAt(row, 'message'));
}

/** Returns the labels of all sets. */
export function labelsOf({ howler: { labels } }: AlertRow): string[] {
  return Object.values(labels ?? {}).flatMap((set) => (Array.isArray(set) ? set.map(String) : []));
}

function cellOf(value: unknown): string {
  return Array.isArray(value) ? value.map(cellOf).join(', ') : plainString(value);
}
