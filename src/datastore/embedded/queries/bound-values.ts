import { BIGINT, BOOLEAN, DOUBLE, DuckDBListValue, type DuckDBType, LIST, VARCHAR } from '@duckdb/node-api';
import type { SqlValue } from '../columns/column-database.ts';

/** A statement as it is run: text, and the values that stand for its placeholders. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly types: readonly DuckDBType[];
}

/** What could end a literal, or the text of the statement, before its end. */
const UNSAFE = /['\\\0]/;

/**
 * Puts values in the places of their placeholders (`$1` is the first), because the database plans a statement with bound values twice, once without
 * them; a small search takes a third less. What cannot be written safely stays bound. Values that no placeholder names
 * are left out: a condition that was found to decide nothing leaves some behind, and the database refuses those.
 */
export function withValues(sql: string, values: readonly SqlValue[]): BoundStatement {
  const bound: SqlValue[] = [];
  const written = new Map<string, string>();
  const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
    const known = written.get(number);
    if (known !== undefined) return known;
    const value = values[Number(number) - 1] ?? null;
    const place = literalOf(value) ?? `$${bound.push(value)}`;
    written.set(number, place);
    return place;
  });
  return { sql: text, values: bound, types: bound.map(typeOf) };
}

/** The same value of the same type as if it were bound. Undefined: it has to be. */
function literalOf(value: SqlValue): string | undefined {
  if (typeof value === 'string') return UNSAFE.test(value) ? undefined : `'${value}'::VARCHAR`;
  if (typeof value === 'bigint') return `(${value})::BIGINT`;
  // JavaScript writes the negative zero without its sign.
  if (typeof value === 'number') return `'${Object.is(value, -0) ? '-0' : value}'::DOUBLE`;
  if (typeof value === 'boolean') return `${value}`;
  return undefined;
}

/** The client would take whole numbers for integers, and bigints for 128 bits. */
function typeOf(value: SqlValue): DuckDBType {
  if (typeof value === 'bigint') return BIGINT;
  if (typeof value === 'number') return DOUBLE;
  if (typeof value === 'boolean') return BOOLEAN;
  if (value instanceof DuckDBListValue) return LIST(typeOf(value.items[0] ?? null));
  return VARCHAR;
}
