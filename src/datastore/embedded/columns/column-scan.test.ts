import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { FieldTypeName, FlatField } from '../../../documents/schema/field-types.ts';
import { flatField } from '../../../documents/schema/flat-field.ts';
import { type ColumnRow, copyAll, everyDocument, tableOf } from '../../../testing/copied-columns.ts';
import type { Datastore } from '../../port/datastore.ts';
import { ReadWriteLock } from '../documents/read-write-lock.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';
import { COLUMN_FILE } from './column-database.ts';
import { ColumnStore } from './column-store.ts';
import { tableName } from './column-tables.ts';

const RUNS = Number(process.env.RANDOM_COPIES ?? 5);
/** Copies in one folder, since opening it takes longer than all of them. */
const TOGETHER = 12;
const TYPES: readonly FieldTypeName[] = [
  'keyword',
  'case_insensitive_keyword',
  'text',
  'ssdeep',
  'integer',
  'long',
  'float',
  'boolean',
  'date',
  'ip',
  'mapping',
];
const PATHS = ['a', 'b', 'c.d', 'c.e', 'c.f.g', 'h'];

const shape = fc.record({
  type: fc.constantFrom(...TYPES),
  multiValued: fc.boolean(),
  indexed: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  copyToText: fc.oneof({ weight: 1, arbitrary: fc.constant(true) }, { weight: 3, arbitrary: fc.constant(false) }),
});
/** The fields before and after: most stay, some change, come, or go. */
const definitions = fc
  .tuple(
    ...PATHS.map((path) =>
      fc
        .tuple(
          shape,
          fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: shape }),
          fc.constantFrom('both', 'both', 'both', 'both', 'before', 'next'),
        )
        .map(([before, change, where]) => ({ path, before, next: change ?? before, where })),
    ),
    // Lies above others, so that a mapping there takes what is theirs.
    fc.record({ path: fc.constant('c'), before: shape, next: shape, where: fc.constantFrom('', '', 'before', 'next') }),
  )
  .map((fields) => ({
    before: fields.flatMap(({ path, before, where }) => (/both|before/.test(where) ? [field(path, before)] : [])),
    next: fields.flatMap(({ path, next, where }) => (/both|next/.test(where) ? [field(path, next)] : [])),
  }));

const leaf = fc.oneof(
  fc.constantFrom(
    'Fox',
    'fox',
    'The Quick fox',
    '3:Abc:d',
    '',
    'true',
    '10.0.0.1',
    '2026-01-02T03:04:05Z',
    'x'.repeat(9000),
  ),
  fc.constantFrom(
    0,
    1,
    -1,
    1.5,
    2 ** 31 - 1,
    2 ** 31,
    3_000_000_000,
    -(2 ** 40),
    '3000000000',
    '9007199254740993',
    1e300,
  ),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<unknown> = fc.oneof({ weight: 4, arbitrary: leaf }, fc.array(leaf, { maxLength: 3 }));
const inner = fc.record(
  { d: value, e: value, f: fc.oneof(leaf, fc.record({ g: value }, { requiredKeys: [] })) },
  { requiredKeys: [] },
);
const stored: fc.Arbitrary<StoredDocument> = fc.record(
  {
    a: value,
    b: fc.oneof(value, fc.dictionary(fc.constantFrom('k', 'l', 'm.n'), leaf, { maxKeys: 2 })),
    c: fc.oneof(leaf, inner, fc.array(inner, { maxLength: 2 })),
    'c.d': value,
    h: fc.oneof(value, fc.dictionary(fc.constantFrom('k', 'l'), value, { maxKeys: 2 })),
  },
  { requiredKeys: [] },
);
interface History {
  readonly definitions: { readonly before: readonly FlatField[]; readonly next: readonly FlatField[] };
  readonly documents: readonly StoredDocument[];
  readonly isSearchedBefore: boolean;
  readonly toSource: readonly [number, StoredDocument][];
  /** null: deletes. */
  readonly toTarget: readonly [number, StoredDocument | null][];
}
/** Documents that are written before, and after the copy has begun. */
const histories: fc.Arbitrary<History> = fc.record({
  definitions,
  documents: fc.array(stored, { minLength: 1, maxLength: 12 }),
  isSearchedBefore: fc.boolean(),
  toSource: fc.array(fc.tuple(fc.nat(11), stored), { maxLength: 2 }),
  toTarget: fc.array(fc.tuple(fc.nat(14), fc.option(stored)), { maxLength: 3 }),
});

describe('columns of copied documents', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'triad-copied-'));
    folders.push(folder);
    return folder;
  };

  it('are the same, row by row, as those made from the documents', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(histories, { minLength: 1, maxLength: TOGETHER }), async (all) => {
        const folder = newFolder();
        const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
        const copies: CollectionDefinition<StoredDocument>[] = [];
        for (const [number, history] of all.entries()) copies.push(await played(store, number, history));
        await store.close();
        const copied = await tablesOf(folder, copies);
        await madeAnew(folder, copies);
        assert.deepEqual(copied, await tablesOf(folder, copies));
        rmSync(folder, { recursive: true });
      }),
      // What fails is made smaller for so long at most.
      { numRuns: RUNS, interruptAfterTimeLimit: 120_000 },
    );
  });

  it('come from the columns of the source where nothing changed, and from the documents for the rest', async () => {
    const folder = newFolder();
    const fields = { name: type('keyword'), size: type('integer') };
    const before = define('before', [field('name', fields.name), field('size', fields.size)]);
    const next = define('next', [field('name', fields.name), field('size', type('long'))]);
    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    const large = 3_000_000_000;
    for (const id of ['one', 'two', 'three']) await store.collection(before).save(id, { name: id, size: large });
    assert.equal(await count(store, before, 'size', large), 0);
    await store.close();
    await forge(folder, 'name', 'forged');
    const again = await openEmbeddedDatastore({ folder, prefix: 'test' });
    await copyAll(again, before, next);
    await again.collection(next).save('two', { name: 'two', size: 2 });
    assert.equal(await count(again, next, 'name', 'forged'), 2);
    assert.equal(await count(again, next, 'name', 'two'), 1);
    assert.equal(await count(again, next, 'size', BigInt(large)), 2);
    await again.close();
  });

  it('have the values of fields that came after the first documents, as an engine that indexes them anew', async () => {
    const folder = newFolder();
    const before = define('before', [field('name', type('keyword'))]);
    const later = define('before', [field('name', type('keyword')), field('port', type('integer'))]);
    const next = { ...later, name: 'next' };
    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    await store.collection(before).save('one', { name: 'one', port: 443 });
    await everyDocument(store, before);
    await store.admin.addFields('test-before_hot', later);
    await store.collection(later).save('two', { name: 'two', port: 443 });
    assert.equal(await count(store, later, 'port', 443), 1);
    await copyAll(store, later, next);
    assert.equal(await count(store, next, 'port', 443), 2);
    await store.close();
  });
});

type Shape = Pick<FlatField, 'type' | 'multiValued' | 'indexed' | 'copyToText'>;

function type(name: FieldTypeName): Shape {
  return { type: name, multiValued: false, indexed: true, copyToText: false };
}

function field(path: string, { type: name, ...shape }: Shape): FlatField {
  return flatField(path, name, { ...shape, list: shape.multiValued });
}

function define(name: string, fields: readonly FlatField[]): CollectionDefinition<StoredDocument> {
  return {
    name,
    idField: undefined,
    fields,
    fieldByPath: new Map(fields.map((flat) => [flat.path, flat])),
    defaultSort: [],
    classificationField: undefined,
  };
}

async function count(
  store: Datastore,
  definition: CollectionDefinition<StoredDocument>,
  path: string,
  sought: string | number | bigint,
): Promise<number> {
  return everyDocument(store, definition, { kind: 'term', field: path, value: sought });
}

/** Writes and copies as told; the definition of the copy, whose columns are complete. */
async function played(
  store: Datastore,
  number: number,
  { definitions: fields, documents, isSearchedBefore, toSource, toTarget }: History,
): Promise<CollectionDefinition<StoredDocument>> {
  const [before, next] = [define(`before${number}`, fields.before), define(`next${number}`, fields.next)];
  const [source, target] = [store.collection(before), store.collection(next)];
  for (const [at, document] of documents.entries()) await source.save(`d${at}`, document);
  if (isSearchedBefore) await everyDocument(store, before);
  await copyAll(store, before, next);
  for (const [at, document] of toSource) await source.save(`d${at}`, document);
  for (const [at, document] of toTarget) {
    if (document) await target.save(`d${at}`, document);
    else await target.delete(`d${at}`);
  }
  await everyDocument(store, next);
  return next;
}

async function tablesOf(
  folder: string,
  definitions: readonly CollectionDefinition<StoredDocument>[],
): Promise<readonly (readonly ColumnRow[])[]> {
  const tables: (readonly ColumnRow[])[] = [];
  for (const { name } of definitions) tables.push(await tableOf(folder, `test-${name}_hot`));
  return tables;
}

async function madeAnew(folder: string, definitions: readonly CollectionDefinition<StoredDocument>[]): Promise<void> {
  rmSync(join(folder, COLUMN_FILE));
  const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
  for (const definition of definitions) await everyDocument(store, definition);
  await store.close();
}

/** Writes something else into a column than the documents have. */
async function forge(folder: string, path: string, value: string): Promise<void> {
  const store = await ColumnStore.open(folder, new ReadWriteLock());
  for (const { index, columns } of store.tables.values()) {
    const column = columns.get(path);
    if (column) await store.database.run(`UPDATE ${tableName(index)} SET ${column.name} = '${value}'`);
  }
  await store.database.checkpoint();
  await store.database.close();
}
