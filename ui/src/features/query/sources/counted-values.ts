import { escapedTerm } from '../../../../../src/datastore/query-language/written-values.ts';
import { byCount } from '../../../api/value-counts.ts';
import type { CompletionSources, CountedValue } from '../language/completions.ts';

/** A request for the values of a field: those of the facet routes of the services. */
export interface ValueRequest {
  readonly field: string;
  readonly query: string;
  readonly filters: readonly string[];
  readonly rows: number;
}

/** Asks a server for the number of records by value. */
export type LoadValues = (request: ValueRequest, signal: AbortSignal) => Promise<Readonly<Record<string, number>>>;

type ValueSource = NonNullable<CompletionSources['values']>;

const ROWS = 100;
const MAX_CACHED = 30;
/** Milliseconds that counts are shown again without asking. */
const FRESH_FOR = 30_000;
/** Types whose values are worth a list; dates and decimals are almost all different. */
const COUNTED_TYPES: ReadonlySet<string> = new Set(['keyword', 'ip', 'boolean', 'integer', 'long']);

/**
 * Returns a source of values for completions. A field with few values is asked for once; of a keyword
 * with more, those that begin with what is typed are asked for.
 * @param filters the other filters of the page at that time
 */
export function countedValues(
  load: LoadValues,
  filters: () => readonly string[] = () => [],
  now: () => number = Date.now,
): ValueSource {
  const cache = new Map<string, { readonly values: readonly CountedValue[]; readonly until: number }>();

  async function cached(request: ValueRequest, signal: AbortSignal): Promise<readonly CountedValue[]> {
    const key = JSON.stringify(request);
    const known = cache.get(key);
    if (known && known.until > now()) return known.values;
    const values = byCount(await load(request, signal));
    cache.delete(key);
    cache.set(key, { values, until: now() + FRESH_FOR });
    for (const oldest of [...cache.keys()].slice(0, -MAX_CACHED)) cache.delete(oldest);
    return values;
  }

  return async (field, typed, rest, signal) => {
    if (!COUNTED_TYPES.has(field.type) || field.indexed === false) return [];
    const request = { field: field.name, query: rest, filters: filters(), rows: ROWS };
    const all = await cached(request, signal);
    if (all.length < ROWS || typed === '' || field.type !== 'keyword') return all;
    const prefix = `${escapedTerm(field.name)}:${escapedTerm(typed)}*`;
    return cached({ ...request, filters: [...request.filters, prefix] }, signal);
  };
}
