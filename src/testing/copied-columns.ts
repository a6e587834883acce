import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBListValue } from '@duckdb/node-api';
import type { SqlValue } from '../datastore/embedded/columns/column-database.ts';
import { ColumnStore } from '../datastore/embedded/columns/column-store.ts';
import { tableName } from '../datastore/embedded/columns/column-tables.ts';
import { ReadWriteLock } from '../datastore/embedded/columns/read-write-lock.ts';
import { openForReading } from '../datastore/embedded/documents/document-database.ts';
import { readCatalogue } from '../datastore/embedded/documents/index-catalogue.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { MATCH_ALL, type QueryNode } from '../datastore/port/query-tree.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import type { CollectionDefinition, StoredDocument } from '../documents/schema/collection-definition.ts';
import { FIELD_TYPES, type FieldTypeName } from '../documents/schema/field-types.ts';
import { isTriadError } from '../errors/errors.ts';
import { SEARCHABLE } from './searchable-kind.ts';

const EVERYTHING = unrestricted('a test reads its own documents');
const LOOK_EVERY = 50;

/** The searchable kind of document with some fields indexed otherwise, for its copies. */
export const COPIED: CollectionDefinition<StoredDocument> = otherwise(SEARCHABLE, 'copied', {
  severity: 'long',
  status: 'case_insensitive_keyword',
  message: 'keyword',
});

/** The columns of one document; a column without a value is absent, a single value is a list of one. */
export interface ColumnRow {
  readonly key: SqlValue;
  readonly seq: SqlValue;
  readonly id: SqlValue;
  readonly values: Readonly<Record<string, readonly SqlValue[]>>;
}

/** Makes the index of `next` and copies that of `before` into it. */
export async function copyAll(
  { admin }: Datastore,
  before: CollectionDefinition<StoredDocument>,
  next: CollectionDefinition<StoredDocument>,
): Promise<void> {
  const alias = `${admin.prefix}-${next.name}`;
  await admin.create(`${alias}_hot`, next, { aliases: [{ name: alias, writeIndex: true }] });
  const task = await admin.copy(`${admin.prefix}-${before.name}_hot`, `${alias}_hot`);
  while (!(await admin.task(task)).done) await sleep(5);
  const { failures } = await admin.task(task);
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** Returns the number of matching documents, as soon as they are searchable. */
export async function everyDocument(
  store: Datastore,
  definition: CollectionDefinition<StoredDocument>,
  query: QueryNode = MATCH_ALL,
): Promise<number> {
  for (;;) {
    try {
      return await store.collection(definition).count({ query }, EVERYTHING);
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'columns_rebuilding') throw error;
      await sleep(LOOK_EVERY);
    }
  }
}

/** Returns the columns of an index in a closed folder, ordered by key. */
export async function tableOf(folder: string, name: string): Promise<readonly ColumnRow[]> {
  const documents = openForReading(folder);
  const index = readCatalogue(documents).indices.find((candidate) => candidate.name === name)?.number;
  documents.close();
  const store = await ColumnStore.open(folder, new ReadWriteLock());
  try {
    const table = index === undefined ? undefined : store.tables.get(index);
    if (table === undefined) throw new Error(`${name} has no columns`);
    const columns = [...table.columns.values()];
    const selected = ['k', 's', 'id', ...columns.map((column) => column.name)].join(', ');
    const rows = await store.database.rows(`SELECT ${selected} FROM ${tableName(table.index)} ORDER BY k, s`);
    return rows.map(([key = null, seq = null, id = null, ...cells]) => ({
      key,
      seq,
      id,
      values: Object.fromEntries(
        columns
          .map(({ path }, at) => [path, valuesOf(cells[at] ?? null)] as const)
          .filter(([, values]) => values.length > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    }));
  } finally {
    await store.database.close();
  }
}

function otherwise(
  definition: CollectionDefinition<StoredDocument>,
  name: string,
  types: Readonly<Record<string, FieldTypeName>>,
): CollectionDefinition<StoredDocument> {
  const fields = definition.fields.map((field) => {
    const type = types[field.path];
    return type === undefined ? field : { ...field, type, searchKind: FIELD_TYPES[type].searchKind };
  });
  return { ...definition, name, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
}

function valuesOf(cell: SqlValue): readonly SqlValue[] {
  if (cell === null) return [];
  return cell instanceof DuckDBListValue ? cell.items : [cell];
}
