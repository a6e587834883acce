import { type Static, Type } from 'typebox';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type IndexedDocument, indexedValues } from '../../datastore/query-language/indexed-values.ts';
import { compareIndexedValues, matchesIndexed } from '../../datastore/query-language/matches.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { AnalysisKey } from '../../identity/keys/analysis-api-keys.ts';
import { converted, integer, names, text } from '../../input/input-kinds.ts';
import { withoutSecretFields } from '../../search/field-selection.ts';
import { listedApiKey } from '../search/listed-kinds.ts';

interface Candidate {
  readonly key: AnalysisKey;
  readonly indexed: IndexedDocument;
}

type Order = (left: Candidate, right: Candidate) => number;

const MAX_ROWS = 10_000;
const searchableApiKey = withoutSecretFields(listedApiKey);

export const ApiKeyQuery = Type.Object({
  query: text({ description: 'Lucene query of the keys.', default: '*:*' }),
  offset: integer({ minimum: 0, default: 0 }),
  rows: integer({ minimum: 0, maximum: MAX_ROWS, default: 100 }),
  sort: converted(text({ description: '`<field> asc|desc`, separated by commas.', default: 'id asc' }), readSort),
  fl: Type.Optional(names({ description: 'Fields to show, separated by commas. Default: all.' })),
  track_total_hits: Type.Optional(text({ description: 'Accepted without effect: totals are always exact.' })),
});

/** Searches among API keys. @throws InvalidInput `invalid_query` */
export function searchApiKeys(
  keys: readonly AnalysisKey[],
  { query: lucene, offset, rows, sort, fl }: Static<typeof ApiKeyQuery>,
) {
  const query = compileQuery(lucene, searchableApiKey, { defaultField: '*' });
  const found = keys
    .map((key) => ({ key, indexed: indexedValues(searchableApiKey, key as unknown as typeof listedApiKey.Type) }))
    .filter(({ indexed }) => matchesIndexed(query, indexed))
    .sort(sort);
  const items = found.slice(offset, offset + rows).map(({ key }) => shown(key, fl));
  return { items, offset, rows, total: found.length };
}

/** @throws InvalidInput `invalid_sort`, `unknown_sort_field` */
function readSort(sort: string): Order {
  const orders = sort.split(',').map((clause) => {
    const [, field, direction] = /^\s*(\S+)\s+(asc|desc)\s*$/i.exec(clause) ?? [];
    if (field === undefined || direction === undefined) {
      throw new InvalidInput('invalid_sort', `Unknown sort parameter ${clause.trim()}`, { at: 'sort' });
    }
    if (!searchableApiKey.fieldByPath.has(field)) {
      throw new InvalidInput('unknown_sort_field', `No field [${field}] in apikey to sort on.`, { at: 'sort' });
    }
    return byField(field, direction.toLowerCase() === 'asc' ? 1 : -1);
  });
  return (left, right) => orders.reduce((difference, order) => difference || order(left, right), 0);
}

/** Sorts keys without a value last, in both directions. */
function byField(field: string, sign: 1 | -1): Order {
  return (left, right) => {
    const [a] = left.indexed.values.get(field) ?? [];
    const [b] = right.indexed.values.get(field) ?? [];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compareIndexedValues(a, b);
  };
}

function shown(key: AnalysisKey, names: readonly string[] = ['*']): Partial<AnalysisKey> {
  if (names.includes('*')) return key;
  return Object.fromEntries(Object.entries(key).filter(([name]) => names.includes(name)));
}
