import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import type { IndexedValue } from '../../port/query-tree.ts';
import { type ColumnKind, type ColumnType, duckdbType, sqlType } from './column-tables.ts';
import { fillColumn } from './column-transaction.ts';

const VALUES: Record<ColumnKind, fc.Arbitrary<IndexedValue>> = {
  text: fc.string({ unit: 'grapheme', maxLength: 30 }),
  string: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('', 'exactly12byt', 'thirteen byte', 'é'.repeat(6)),
  ),
  whole: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.maxSafeInteger()),
  float: fc.float({ noNaN: true }).map(Math.fround),
  boolean: fc.boolean(),
};

describe('filling a column of a chunk', () => {
  for (const kind of Object.keys(VALUES) as ColumnKind[]) {
    for (const list of [false, true]) {
      it(`stores what was given: ${kind}${list ? ' lists' : ''}`, async () => {
        const instance = await DuckDBInstance.create(':memory:');
        const connection = await instance.connect();
        const type: ColumnType = { kind, list };
        await connection.run(`CREATE TABLE t (v ${sqlType(type)})`);
        const cell = list
          ? fc.array(VALUES[kind], { minLength: 1, maxLength: 4 })
          : VALUES[kind].map((value) => [value]);
        const rows = fc.array(fc.option(cell, { freq: 3 }), { minLength: 1, maxLength: 300 });
        await fc.assert(
          fc.asyncProperty(rows, async (given) => {
            await connection.run('DELETE FROM t');
            const chunk = DuckDBDataChunk.create([duckdbType(type)], given.length);
            fillColumn(chunk, 0, type, {
              rows: given.flatMap((cells, row) => (cells ?? []).map(() => row)),
              values: given.flatMap((cells) => cells ?? []),
            });
            const appender = await connection.createAppender('t');
            appender.appendDataChunk(chunk);
            appender.closeSync();
            const stored = (await connection.runAndReadAll('SELECT v FROM t')).getRowsJS().map(([value]) => value);
            assert.deepEqual(
              stored,
              given.map((cells) => expected(cells, type)),
            );
          }),
          { numRuns: 30 },
        );
        connection.closeSync();
        instance.closeSync();
      });
    }
  }
});

function expected(cells: readonly IndexedValue[] | null, { kind, list }: ColumnType): unknown {
  if (cells === null) return null;
  const values = cells.map((value) => (kind === 'whole' ? BigInt(value) : value));
  return list ? values : values[0];
}
