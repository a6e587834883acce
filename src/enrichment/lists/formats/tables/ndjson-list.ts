import { isObject } from '../../../../json/json-object.ts';
import { type ListEntry, ListProblem } from '../../list-entry.ts';
import { type FormatContext, holdsExpressions, UNKNOWN_VALUE } from '../format-reader.ts';
import { lineBlocks } from '../line-blocks.ts';
import { expressionEntry } from '../text-list.ts';
import { fieldNamed, type RecordField, readRecordValue, recordEntry, typeOfColumn } from './list-record.ts';

/**
 * Reads `{"type", "value", ...}` from each line, and the same details under the names that tables
 * have. A string is a value of its own.
 */
export async function* readNdjson({
  document,
  list,
  signal,
  leftOut,
}: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const isExpression = holdsExpressions(list);
  for await (const { lines, first } of lineBlocks(document, signal)) {
    const entries: ListEntry[] = [];
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const { fields, type } = fieldsOf(parsed(line, `${document.place}, line ${first + index}`), list.column);
      const text = fields.get('value');
      const value = isExpression || text === undefined ? undefined : readRecordValue(fields, type);
      if (value !== undefined) entries.push(recordEntry(list, value, fields));
      else if (isExpression && text !== undefined) entries.push(expressionEntry(list, text));
      else leftOut.add(UNKNOWN_VALUE);
    }
    if (entries.length > 0) yield entries;
  }
}

function parsed(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ListProblem(place, 'it is not a JSON value. Each line has to hold a whole one', { cause });
  }
}

interface FoundFields {
  readonly fields: ReadonlyMap<RecordField, string>;
  /** Type of the value, as its key says it. */
  readonly type: string | undefined;
}

function fieldsOf(value: unknown, column: string | null): FoundFields {
  const fields = new Map<RecordField, string>();
  let type: string | undefined;
  if (typeof value === 'string') fields.set('value', value);
  if (!isObject(value)) return { fields, type };
  for (const [key, one] of Object.entries(value)) {
    const field = column === key ? 'value' : fieldNamed(key);
    const text = textOf(one);
    if (field === undefined || text === undefined || (field === 'value' && column !== null && column !== key)) continue;
    if (!fields.has(field)) fields.set(field, text);
  }
  if (fields.has('value') || column !== null) return { fields, type };
  for (const [key, one] of Object.entries(value)) {
    type = fieldNamed(key) === undefined && typeof one === 'string' ? typeOfColumn(key) : undefined;
    if (type === undefined) continue;
    fields.set('value', String(one));
    break;
  }
  return { fields, type };
}

/** Returns a field as a table would have it: words of a list on lines of their own. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return undefined;
  return value.filter((one) => typeof one === 'string').join('\n');
}
