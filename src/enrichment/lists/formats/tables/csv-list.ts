import { type ListEntry, ListProblem, type ListSettings } from '../../list-entry.ts';
import { type FormatContext, holdsExpressions, UNKNOWN_VALUE } from '../format-reader.ts';
import { detectedValue, valueOfType } from '../selector-values.ts';
import { expressionEntry } from '../text-list.ts';
import { type CsvRow, csvRows, splitRow } from './csv-rows.ts';
import { fieldNamed, type RecordField, readRecordValue, recordEntry, typeOfColumn } from './list-record.ts';

interface Columns {
  /** Undefined until a row has a cell that is a value. */
  readonly value: number | undefined;
  /** Type of all values, as the name of the column says it. */
  readonly valueType: string | undefined;
  readonly others: readonly (readonly [RecordField, number])[];
  /** Columns with further hashes of the file that the value is a hash of. */
  readonly hashes: readonly { readonly index: number; readonly type: string }[];
}

const HASHES: ReadonlySet<unknown> = new Set(['md5', 'sha1', 'sha256', 'sha512']);

/**
 * Reads a value from each row. A header may be the first row or the comment before it, as abuse.ch
 * writes it. `column` names the column of values, or counts it from 1; without it the header
 * determines it, else the first row with a cell that is a value. In tables of files, all hashes are
 * read.
 */
export async function* readCsv({
  document,
  list,
  signal,
  leftOut,
}: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const isExpression = holdsExpressions(list);
  let columns: Columns | undefined;
  let isFirst = true;
  for await (const { rows, comment, separator } of csvRows(document, signal)) {
    const entries: ListEntry[] = [];
    for (const row of rows) {
      if (isFirst) {
        isFirst = false;
        columns = headerColumns(row.cells, list);
        if (columns !== undefined) continue;
        const above = splitRow(comment ?? '', separator);
        if (above.length === row.cells.length) columns = headerColumns(above, list);
        columns ??= countedColumn(list, document.place, row);
      }
      if (columns?.value === undefined) columns = withValue(columns, row);
      const before = entries.length;
      addEntries(entries, row.cells, columns, list, isExpression);
      if (entries.length === before) leftOut.add(UNKNOWN_VALUE);
    }
    if (entries.length > 0) yield entries;
  }
}

/** Returns the columns that a header names; undefined when the cells are no header. */
function headerColumns(cells: readonly string[], { column }: ListSettings): Columns | undefined {
  const names = cells.map((cell) => cell.trim());
  const fields = names.map(fieldNamed);
  const types = names.map((name, index) => (fields[index] === undefined ? typeOfColumn(name) : undefined));
  const isNamed = column !== null && !isCount(column);
  const named = isNamed ? names.findIndex((name) => name.toLowerCase() === column.toLowerCase()) : -1;
  const isHeader = [...fields, ...types].some((one) => one !== undefined) && !names.some((name) => detectedValue(name));
  if (isNamed ? named === -1 : !isHeader) return undefined;
  const valueColumns = [
    isNamed ? named : -1,
    isCount(column) ? Number(column) - 1 : -1,
    fields.indexOf('value'),
    types.findIndex(Boolean),
  ];
  const value = valueColumns.find((index) => index !== -1);
  const others = fields.flatMap((field, index) =>
    field === undefined || index === value || fields.indexOf(field) !== index ? [] : [[field, index] as const],
  );
  const valueType = value === undefined ? undefined : types[value];
  const hashes = types.flatMap((type, index) =>
    type !== undefined && column === null && index !== value && HASHES.has(type) && HASHES.has(valueType)
      ? [{ index, type }]
      : [],
  );
  return { value, valueType, others, hashes };
}

function isCount(column: string | null): boolean {
  return column !== null && /^[1-9][0-9]{0,4}$/.test(column);
}

/** @throws ListProblem when a column has to be named by a header, and none names it */
function countedColumn({ column }: ListSettings, place: string, { line, cells }: CsvRow): Columns | undefined {
  if (column === null) return undefined;
  if (!isCount(column)) {
    const shown = cells.slice(0, 20).join(', ').slice(0, 200);
    throw new ListProblem(
      `${place}, line ${line}`,
      `it names no column "${column}" (${shown}). Name one of the header, or count it from 1`,
    );
  }
  return { value: Number(column) - 1, valueType: undefined, others: [], hashes: [] };
}

function withValue(columns: Columns | undefined, { cells }: CsvRow): Columns {
  const others = columns?.others ?? [];
  const taken = new Set(others.map(([, index]) => index));
  const value = cells.findIndex((cell, index) => !taken.has(index) && detectedValue(cell) !== undefined);
  return { value: value === -1 ? undefined : value, valueType: undefined, others, hashes: [] };
}

function addEntries(
  entries: ListEntry[],
  cells: readonly string[],
  { value, valueType, others, hashes }: Columns,
  list: ListSettings,
  isExpression: boolean,
): void {
  const text = value === undefined ? '' : (cells[value]?.trim() ?? '');
  if (isExpression) {
    if (text !== '') entries.push(expressionEntry(list, text));
    return;
  }
  const fields = new Map<RecordField, string>([['value', text]]);
  for (const [field, index] of others) {
    const cell = cells[index]?.trim() ?? '';
    // "None" and "null" are how exports of Python and of databases write an empty cell.
    if (cell !== '' && !/^(?:none|null|n\/a|-)$/i.test(cell)) fields.set(field, cell);
  }
  const found = readRecordValue(fields, valueType);
  if (found !== undefined) entries.push(recordEntry(list, found, fields));
  for (const { index, type } of hashes) {
    const hash = valueOfType(type, cells[index] ?? '');
    if (hash !== undefined) entries.push(recordEntry(list, hash, fields));
  }
}
