import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { ID_FIELD, type SearchKind } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { CheckedSort } from '../../port/datastore-adapter.ts';
import { parseAddress } from '../../query-language/ip-address.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { Dsl } from './engine-values.ts';

/** A value that a hit was sorted by, as the server tells it. */
export type EngineSortValue = string | number | bigint | boolean | null;
/** A value that documents of several collections can be compared by; null: missing. */
export type SortKey = string | number | bigint | null;

/** The number of a write in its shard. The index order (`_doc`) changes with merges and between copies. */
const BY_WRITE = '_seq_no';

interface Part {
  readonly body: readonly Dsl[];
  readonly key: (values: readonly EngineSortValue[]) => SortKey;
}

export async function collectionSort(
  { definition, indices }: Pick<CollectionContext<unknown>, 'definition' | 'indices'>,
  sort: readonly CheckedSort[],
) {
  return engineSort(definition, sort, { severalIndices: (await indices()).length > 1 });
}

/**
 * Returns an order as it is sent; throws `unknown_sort_field` for a `mapping` field.
 * With several indices their names, which ascend with their age, precede the order of writes. `unique` gives every
 * document a place of its own, for pages that begin after a document.
 */
export function engineSort(
  { fieldByPath }: Pick<CollectionDefinition<unknown>, 'fieldByPath'>,
  sort: readonly CheckedSort[],
  { severalIndices, unique = false }: { readonly severalIndices: boolean; readonly unique?: boolean },
) {
  const parts = sort.map((criterion): Part => {
    const { field, kind, order } = criterion;
    if (kind === 'absent') return { body: [], key: () => null };
    if (kind === 'score') return { body: [{ _score: { order } }], key: ([value]) => plain(value) };
    if (kind === 'insertion') {
      return { body: insertionOrder(order, severalIndices), key: (values) => plain(values.at(-1)) };
    }
    if (fieldByPath.get(field)?.type !== 'mapping') return fieldPart(criterion, kind);
    const message = `The field ${field} has keys of its own; sort by one of them, such as ${field}.name.`;
    throw new InvalidInput('unknown_sort_field', message, { at: field });
  });
  const ends = insertionOrder('asc', severalIndices);
  const last = unique ? [{ [ID_FIELD]: { order: 'asc', missing: '_last', unmapped_type: 'keyword' } }] : [];
  return {
    body: [...parts.flatMap(({ body }) => body), ...ends, ...last],
    /** One for each criterion of the request, of the values that a hit was sorted by. */
    keysOf: (values: readonly EngineSortValue[]): SortKey[] => {
      let at = 0;
      return parts.map(({ body, key }) => {
        const own = values.slice(at, at + body.length);
        at += body.length;
        return key(own);
      });
    },
  };
}

function insertionOrder(order: 'asc' | 'desc', severalIndices: boolean): readonly Dsl[] {
  return [...(severalIndices ? [{ _index: { order } }] : []), { [BY_WRITE]: { order } }];
}

/** Kinds that are types of an index as well; an index without the field takes others for keywords. */
const TYPES: ReadonlySet<SearchKind> = new Set(['integer', 'long', 'float', 'boolean', 'date', 'ip']);

function fieldPart({ field, order, missing, mode }: CheckedSort, kind: SearchKind): Part {
  const criterion = (direction: 'asc' | 'desc'): Dsl => ({
    [field]: { order: direction, mode, missing: `_${missing}`, unmapped_type: TYPES.has(kind) ? kind : 'keyword' },
  });
  const own = criterion(order);
  if (kind !== 'integer' && kind !== 'long') return { body: [own], key: ([value]) => keyOf(kind, value) };
  // For a missing number the server takes the largest (smallest) of the type. The same criterion turned round, which stands the
  // opposite in, tells it from a document that has this number.
  const turned = criterion(order === 'asc' ? 'desc' : 'asc');
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
