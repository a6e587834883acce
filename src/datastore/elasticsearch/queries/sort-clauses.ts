import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { ID_FIELD, type SearchKind } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { SortClause } from '../../port/search.ts';
import { parseAddress } from '../../query-language/ip-address.ts';
import { definedField, hasOrder } from '../../semantics/aggregated-field.ts';
import type { Dsl } from './engine-values.ts';

/** A value that a hit was sorted by, as the server tells it. */
export type EngineSortValue = string | number | bigint | boolean | null;
/** A value that documents of several collections can be compared by; null: missing. */
export type SortKey = string | number | bigint | null;

/** An order as it is sent. */
export interface EngineSort {
  readonly body: readonly Dsl[];
  /** One for each clause of the request, of the values that a hit was sorted by. */
  keysOf(values: readonly EngineSortValue[]): SortKey[];
}

/** Order of insertion, as search engines name it. */
const INSERTION = '_doc';
/** Every document of a filter is as good as any other. */
const SCORE = '_score';
/**
 * The number of a write in its shard.
 * The order of the index itself (`_doc`) changes when it is merged, and differs from copy to copy. A document that is
 * written again goes to the end; documents in several shards are written side by side.
 */
const BY_WRITE = '_seq_no';

interface Part {
  readonly body: readonly Dsl[];
  readonly key: (values: readonly EngineSortValue[]) => SortKey;
}

export interface EngineSortOptions {
  /**
   * Several indices lie behind the collection: their names, which ascend with their age, come before the
   * order of writes.
   */
  readonly severalIndices: boolean;
  /** Every document has a place of its own, for pages that begin after a document. */
  readonly unique?: boolean;
}

/**
 * @throws InvalidInput `unknown_sort_field`, for a field that the collection does not have or that has
 * no order
 */
export function engineSort(
  definition: CollectionDefinition<unknown>,
  clauses: readonly SortClause[],
  { severalIndices, unique = false }: EngineSortOptions,
): EngineSort {
  const parts = clauses.map((clause) => partOf(definition, clause, severalIndices));
  const ends = insertionOrder('asc', severalIndices);
  const last = unique ? [{ [ID_FIELD]: { order: 'asc', missing: '_last', unmapped_type: 'keyword' } }] : [];
  return {
    body: [...parts.flatMap(({ body }) => body), ...ends, ...last],
    keysOf: (values) => {
      let at = 0;
      return parts.map(({ body, key }) => {
        const own = values.slice(at, at + body.length);
        at += body.length;
        return key(own);
      });
    },
  };
}

function partOf(definition: CollectionDefinition<unknown>, clause: SortClause, severalIndices: boolean): Part {
  const { field: path, order } = clause;
  if (path === SCORE) return { body: [], key: () => null };
  if (path === INSERTION) return { body: insertionOrder(order, severalIndices), key: (values) => plain(values.at(-1)) };
  const field = definedField(definition, path);
  if (field === undefined && clause.unmapped === 'missing') return { body: [], key: () => null };
  // The values of all keys of a mapping lie in no field of the index.
  if (!hasOrder(field) || definition.fieldByPath.get(path)?.type === 'mapping') {
    throw new InvalidInput('unknown_sort_field', `There is no field ${path} that can be sorted by.`, { at: path });
  }
  return fieldPart(clause, field.searchKind);
}

function insertionOrder(order: 'asc' | 'desc', severalIndices: boolean): readonly Dsl[] {
  return [...(severalIndices ? [{ _index: { order } }] : []), { [BY_WRITE]: { order } }];
}

/** The type that an index without the field takes it for. */
const UNMAPPED_TYPES: Readonly<Record<SearchKind, string>> = {
  keyword: 'keyword',
  lowercase_keyword: 'keyword',
  text: 'keyword',
  ssdeep: 'keyword',
  integer: 'integer',
  long: 'long',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  ip: 'ip',
  none: 'keyword',
};

function fieldPart({ field, order, missing = 'last', mode }: SortClause, kind: SearchKind): Part {
  const clause = (direction: 'asc' | 'desc', of: 'min' | 'max'): Dsl => ({
    [field]: { order: direction, mode: of, missing: `_${missing}`, unmapped_type: UNMAPPED_TYPES[kind] },
  });
  const chosen = mode ?? (order === 'asc' ? 'min' : 'max');
  const own = clause(order, chosen);
  if (kind !== 'integer' && kind !== 'long') return { body: [own], key: ([value]) => keyOf(kind, value) };
  // For a missing number the server takes the largest (smallest) of the type. The same clause turned round, which stands the opposite
  // in, tells it from a document that has this number.
  const turned = clause(order === 'asc' ? 'desc' : 'asc', chosen);
  return { body: [own, turned], key: ([value, again]) => (value === again ? plain(value) : null) };
}

function keyOf(kind: SearchKind, value: EngineSortValue | undefined): SortKey {
  switch (kind) {
    case 'float': {
      const number = Number(value);
      return value === null || !Number.isFinite(number) ? null : number;
    }
    case 'date':
      return typeof value === 'bigint' ? null : plain(value);
    case 'boolean':
      return value === 0 || value === false ? 0 : value === 1 || value === true ? 1 : null;
    case 'ip':
      return typeof value === 'string' ? (parseAddress(value) ?? null) : null;
    default:
      return plain(value);
  }
}

function plain(value: EngineSortValue | undefined): SortKey {
  if (value === undefined || value === null) return null;
  return typeof value === 'boolean' ? Number(value) : value;
}
