import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { BIGINT, listValue, VARCHAR } from '@duckdb/node-api';
import fc from 'fast-check';
import { boundStatement, ColumnDatabase } from './column-database.ts';

const opened = ColumnDatabase.open('memory');
after(async () => (await opened).close());

const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("it's", 'back\\', 'a\0b', "'; DROP TABLE t; --", '$1', '\u2028', '😀', ''),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc.boolean(),
);
const TYPES = { string: 'VARCHAR', bigint: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN' } as Record<string, string>;

describe('values of a statement', () => {
  it('reach the database as they are, with their type', async () => {
    const database = await opened;
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const [row] = await database.rows('SELECT $1, typeof($1), $2', [first, second]);
        assert.deepEqual(row, [first, TYPES[typeof first], second]);
      }),
      {
        numRuns: 200,
        examples: [-0, Number.POSITIVE_INFINITY, Number.MAX_VALUE].map((one): [number, string] => [one, '']),
      },
    );
  });

  it('are left out where no placeholder names them', () => {
    const list = listValue(['a']);
    const statement = boundStatement('SELECT $4, $2, $4, $1', [1n, "it's", 'unused', list]);
    assert.equal(statement[0], 'SELECT $1, $2, $1, $3');
    assert.deepEqual(statement[1], [list, "it's", 1n]);
    assert.deepEqual(statement[2]?.slice(1), [VARCHAR, BIGINT]);
  });
});
