import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { type FlatField, ID_FIELD, TEXT_FIELD } from '../../documents/field-types.ts';
import { indexedValues } from '../query-language/indexed-values.ts';
import type { IndexedValue } from '../query-tree.ts';
import { type ColumnKind, type ColumnType, columnKindOf } from './column-types.ts';
import { escapeToken, joinTokens, VALUE_SEPARATOR } from './token-text.ts';

/** A column that a field may have. A field gets its columns with its first value. */
export interface ColumnTarget extends ColumnType {
  readonly path: string;
}

/** Column path of the keys of a `mapping` field: entries `key␂value` of all its keys. */
export function mappingColumnPath(path: string): string {
  return `${path}.*`;
}

/** Beginning of the entries of one key in that column. */
export function mappingEntryPrefix(key: string): string {
  return escapeToken(key) + VALUE_SEPARATOR;
}

export const TEXT_COLUMN: ColumnTarget = { path: TEXT_FIELD, kind: 'text', list: false };

export type ColumnValue = string | number | bigint | boolean;
/** Column path → the values of one document; more than one only where the column is or has to become a list. */
export type ColumnRow = Map<
  string,
  { readonly kind: ColumnKind; readonly declaredList: boolean; readonly values: ColumnValue[] }
>;

/** What the columns hold of one document. The identifier has a column of its own and is not among them. */
export function columnValues(definition: CollectionDefinition<unknown>, document: unknown, id: string): ColumnRow {
  const row: ColumnRow = new Map();
  const { values, tokens } = indexedValues(definition, document, { id });
  for (const [path, list] of values) {
    if (path === ID_FIELD || list.length === 0) continue;
    const field = definition.fieldByPath.get(path);
    if (field) add(row, path, field, list);
    else addMapping(row, definition, path, list);
  }
  for (const [path, list] of tokens) row.set(path, { kind: 'text', declaredList: false, values: [joinTokens(list)] });
  return row;
}

function add(row: ColumnRow, path: string, field: FlatField, list: readonly IndexedValue[]): void {
  const kind = columnKindOf(field.searchKind);
  if (kind === undefined) return;
  const declaredList = field.multiValued || field.type === 'mapping';
  row.set(path, {
    kind,
    declaredList,
    values: kind === 'whole' ? list.map((value) => BigInt(value as number)) : [...list],
  });
}

function addMapping(
  row: ColumnRow,
  definition: CollectionDefinition<unknown>,
  path: string,
  list: readonly IndexedValue[],
): void {
  const field = mappingFieldAbove(definition, path);
  if (!field) return;
  const column = mappingColumnPath(field.path);
  const prefix = mappingEntryPrefix(path.slice(field.path.length + 1));
  const entries = list.map((value) => prefix + String(value));
  const present = row.get(column);
  if (present) present.values.push(...entries);
  else row.set(column, { kind: 'string', declaredList: true, values: entries });
}

/** The `mapping` field that a path lies below. */
export function mappingFieldAbove(definition: CollectionDefinition<unknown>, path: string): FlatField | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const field = definition.fieldByPath.get(path.slice(0, dot));
    if (field) return field.type === 'mapping' ? field : undefined;
  }
  return undefined;
}
