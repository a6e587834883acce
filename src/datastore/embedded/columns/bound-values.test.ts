import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { BIGINT, BOOLEAN, DOUBLE, listValue, VARCHAR } from '@duckdb/node-api';
import fc from 'fast-check';
import { withValues } from './bound-values.ts';
import { ColumnDatabase, type SqlValue } from './column-database.ts';

const opened = ColumnDatabase.open('memory');
after(async () => (await opened).close());

/** Returns the result of the statement, and its result with every value bound. */
async function bothWays(sql: string, values: readonly SqlValue[]) {
  const database = await opened;
  return database.withConnection(async (connection) => {
    const bound = await connection.runAndReadAll(sql, [...values], values.map(typeOf));
    return { bound: bound.getRows(), run: await database.rows(sql, values) };
  });
}

function typeOf(value: SqlValue) {
  if (typeof value === 'bigint') return BIGINT;
  if (typeof value === 'number') return DOUBLE;
  return typeof value === 'boolean' ? BOOLEAN : VARCHAR;
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    "it's",
    'back\\',
    "\\'",
    'a\0b',
    "'; DROP TABLE t; --",
    '$1',
    '$$',
    '--',
    '/*',
    '\u00a0',
    '\u2028',
    'é',
    '😀',
    '',
  ),
);
const values = fc.oneof(
  texts,
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

const UNUSUAL_NUMBERS = [-0, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE, Number.MAX_VALUE];

describe('withValues', () => {
  it('gives the database the value and the type that binding gives it', async () => {
    await fc.assert(
      fc.asyncProperty(values, texts, async (first, second) => {
        const sql = 'SELECT $1, typeof($1), $2, $1 IS NOT DISTINCT FROM $1';
        const { bound, run } = await bothWays(sql, [first, second]);
        assert.deepEqual(run, bound);
      }),
      {
        numRuns: 200,
        examples: UNUSUAL_NUMBERS.map((one): [number, string] => [one, '']),
      },
    );
  });

  it('writes nothing that could end a literal', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [sql, values = []] = withValues('SELECT $1', [text]);
        if (values.length > 0) assert.deepEqual([sql, values], ['SELECT $1', [text]]);
        else assert.match(sql, /^SELECT '[^'\\\0]*'::VARCHAR$/s);
      }),
    );
  });

  it('binds what cannot be written, in the order of its places, and leaves out what has none', () => {
    const list = listValue(['a']);
    const [sql, values = []] = withValues('SELECT $4, $2, $4, $5, $1', [1n, "it's", 'unused', list, 'a']);
    assert.equal(sql, "SELECT $1, $2, $1, 'a'::VARCHAR, (1)::BIGINT");
    assert.deepEqual(values, [list, "it's"]);
  });
});
