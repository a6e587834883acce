import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type IndexedDocument, indexedValues } from '../../datastore/query-language/indexed-values.ts';
import { compareIndexedValues, matchesIndexed } from '../../datastore/query-language/matches.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { AnalysisKey } from '../../identity/analysis/analysis-api-keys.ts';
import { readText } from '../query-arguments.ts';
import { listedApiKey } from './listed-api-key.ts';

export interface FoundApiKeys {
  readonly items: readonly Partial<AnalysisKey>[];
  readonly offset: number;
  readonly rows: number;
  readonly total: number;
}

interface Candidate {
  readonly key: AnalysisKey;
  readonly indexed: IndexedDocument;
}

type Order = (left: Candidate, right: Candidate) => number;

const DEFAULT_ROWS = 100;
const MAX_ROWS = 10_000;

/**
 * Searches among API keys, which are no collection of their own.
 * @param args of the address: `query` (Lucene, default all), `offset` (0), `rows` (100, at most 10,000), `sort` (`<field> asc|desc`,
 *   separated by commas; default by identifier), `fl` (fields to show, separated by commas; default all)
 * @throws InvalidInput `invalid_query`, `invalid_sort`, `unknown_sort_field`, `invalid_rows`
 */
export function searchApiKeys(keys: readonly AnalysisKey[], args: unknown): FoundApiKeys {
  const query = compileQuery(readText(args, 'query') ?? '*:*', listedApiKey, { defaultField: '*' });
  const order = orderOf(readText(args, 'sort') ?? 'id asc');
  const offset = readNumber(args, 'offset', 0, Number.MAX_SAFE_INTEGER);
  const rows = readNumber(args, 'rows', DEFAULT_ROWS, MAX_ROWS);
  const found = keys
    .map((key) => ({ key, indexed: indexedValues(listedApiKey, key as unknown as typeof listedApiKey.Type) }))
    .filter(({ indexed }) => matchesIndexed(query, indexed))
    .sort(order);
  const shown = fieldsOf(readText(args, 'fl'));
  const items = found.slice(offset, offset + rows).map(({ key }) => shown(key));
  return { items, offset, rows, total: found.length };
}

function orderOf(sort: string): Order {
  const orders = sort.split(',').map((clause) => {
    const [, field, direction] = /^\s*(\S+)\s+(asc|desc)\s*$/i.exec(clause) ?? [];
    if (field === undefined || direction === undefined) {
      throw new InvalidInput('invalid_sort', `Unknown sort parameter ${clause.trim()}`, { at: 'sort' });
    }
    if (!listedApiKey.fieldByPath.has(field)) {
      throw new InvalidInput('unknown_sort_field', `No field [${field}] in apikey to sort on.`, { at: 'sort' });
    }
    return byField(field, direction.toLowerCase() === 'asc' ? 1 : -1);
  });
  return (left, right) => {
    for (const order of orders) {
      const difference = order(left, right);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Those without a value are last, whatever the direction. */
function byField(field: string, sign: 1 | -1): Order {
  return (left, right) => {
    const [a] = left.indexed.values.get(field) ?? [];
    const [b] = right.indexed.values.get(field) ?? [];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return sign * compareIndexedValues(a, b);
  };
}

function fieldsOf(fl: string | undefined): (key: AnalysisKey) => Partial<AnalysisKey> {
  if (!fl || fl === '*') return (key) => key;
  const names = new Set(fl.split(',').map((name) => name.trim()));
  return (key) => Object.fromEntries(Object.entries(key).filter(([name]) => names.has(name)));
}

function readNumber(args: unknown, name: string, usual: number, most: number): number {
  const text = readText(args, name);
  if (text === undefined) return usual;
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw new InvalidInput('invalid_rows', `The argument ${name} must be a whole number from 0 to ${most}.`, {
    at: name,
  });
}
