import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../errors/errors.ts';
import { compareCodePoints } from '../regular-language/code-points.ts';
import {
  checkedCursor,
  checkedFacet,
  checkedGroup,
  checkedHistogram,
  checkedPage,
  checkedSelection,
  checkedStats,
  checkedStream,
} from './checked-requests.ts';
import type { BulkItem, BulkItemResult, Collection, Versioned, WhereOptions, WriteOptions } from './collection.ts';
import type { Datastore } from './datastore.ts';
import type {
  CheckedPage,
  CheckedSort,
  CollectionAdapter,
  DatastoreAdapter,
  WhereChange,
  WriteOutcome,
} from './datastore-adapter.ts';
import { admits, type ReadAccess } from './read-access.ts';
import { NO_STATS, type SearchResult, type Selection } from './search.ts';

/** Puts the port before an engine: every request is checked and completed here, once. */
export function checkedDatastore(adapter: DatastoreAdapter): Datastore {
  const parts = new Map<unknown, { collection: Collection<unknown>; adapter: CollectionAdapter<unknown> }>();
  const partsOf = (definition: CollectionDefinition<unknown>) => {
    const known = parts.get(definition);
    if (known) return known;
    const own = adapter.collection(definition);
    const made = { collection: checkedCollection(definition, own), adapter: own };
    parts.set(definition, made);
    return made;
  };
  return {
    capabilities: adapter.capabilities,
    admin: adapter.admin,
    collection: <T>(definition: CollectionDefinition<T>) =>
      partsOf(definition as CollectionDefinition<unknown>).collection as Collection<T>,
    searchAcross: async (definitions, request, access) =>
      searchAcross(
        definitions.map((definition) => ({
          adapter: partsOf(definition).adapter,
          page: checkedPage(definition, request(definition), access),
        })),
      ),
    health: () => adapter.health(),
    close: () => adapter.close(),
  };
}

function checkedCollection<T>(definition: CollectionDefinition<T>, adapter: CollectionAdapter<T>): Collection<T> {
  const admitted = (found: Versioned<T> | undefined, access: ReadAccess) =>
    found && admits(definition, access, found.document as Record<string, unknown>) ? found : undefined;
  const getVersioned = async (id: string, access: ReadAccess) => {
    const [found] = await adapter.read([id]);
    return admitted(found, access);
  };
  const writeOne = async (item: BulkItem<T>, { visible = 'soon' }: WriteOptions) => {
    const [outcome] = await adapter.write([item], { visible, documents: item.kind === 'update' });
    if (!outcome?.ok) throw outcome?.error ?? new Error('The engine left out a write.');
    return outcome;
  };
  const changeWhere = async (selection: Selection, change: WhereChange, { access, ...options }: WhereOptions) => {
    options.signal?.throwIfAborted();
    const checked = checkedSelection(definition, selection, access);
    return adapter.changeWhere(checked, change, { visible: 'soon', ...options });
  };
  return {
    definition,
    getVersioned,
    get: async (id, access) => (await getVersioned(id, access))?.document,
    getMany: async (ids, access) => (await adapter.read(ids)).map((found) => admitted(found, access)?.document),

    async save(id, document, options = {}) {
      return (await writeOne({ kind: 'save', id, document, ifVersion: options.ifVersion }, options)).version;
    },
    async update(id, operations, options = {}) {
      const item = { kind: 'update', id, operations, ifVersion: options.ifVersion } as const;
      const { document, version } = await writeOne(item, options);
      return { document: document as T, version };
    },
    async delete(id, options = {}) {
      return (await writeOne({ kind: 'delete', id, ifVersion: options.ifVersion }, options)).existed;
    },
    async bulk(items, { visible = 'soon' } = {}) {
      return items.length === 0 ? [] : (await adapter.write(items, { visible, documents: false })).map(bulkResult);
    },
    async createAll(documents, visible = 'soon') {
      if (documents.length > 0) await adapter.createAll(documents, visible);
    },
    updateWhere: changeWhere,
    deleteWhere: (selection, options) => changeWhere(selection, 'delete', options),

    async search(request, access) {
      const { cursor } = request;
      if (cursor === undefined) {
        const page = checkedPage(definition, request, access);
        const { items, total, sortKeys } = await adapter.page(page);
        return { items, total, offset: page.offset, ...scoresOf(page, sortKeys) };
      }
      const found = await adapter.cursorPage(checkedCursor(definition, { ...request, cursor }, access));
      const { items, total, nextCursor } = found;
      return { items, total, offset: 0, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    count: async (selection, access) => adapter.count(checkedSelection(definition, selection, access)),
    async facet(request, access) {
      const checked = checkedFacet(definition, request, access);
      return checked ? adapter.facet(checked) : { buckets: [], other: 0 };
    },
    histogram: async (request, access) => adapter.histogram(checkedHistogram(definition, request, access)),
    async stats(request, access) {
      const checked = checkedStats(definition, request, access);
      return checked ? adapter.stats(checked) : NO_STATS;
    },
    async group(request, access) {
      const checked = checkedGroup(definition, request, access);
      return { ...(await adapter.group(checked)), offset: checked.offset };
    },
    stream: (request, access) => adapter.stream(checkedStream(definition, request, access)),
  };
}

function bulkResult(outcome: WriteOutcome<unknown>): BulkItemResult {
  const { id } = outcome;
  if (outcome.ok) return { ok: true, id, version: outcome.version };
  // Anything else is a defect, and no result.
  if (!isTriadError(outcome.error)) throw outcome.error;
  return { ok: false, id, code: outcome.error.code, message: outcome.error.message };
}

/** Takes the best documents of each collection, and of those the best. */
async function searchAcross(
  searches: readonly { readonly adapter: CollectionAdapter<unknown>; readonly page: CheckedPage }[],
): Promise<SearchResult<unknown>> {
  const [first] = searches;
  if (!first) return { items: [], total: 0, offset: 0 };
  const { offset, rows, sort } = first.page;
  const window = { sortKeys: true, offset: 0, rows: rows === 0 ? 0 : offset + rows };
  const results = await Promise.all(searches.map(({ adapter, page }) => adapter.page({ ...page, ...window })));
  const candidates = results.flatMap(({ items, sortKeys }) =>
    items.map((item, at) => ({ item, keys: sortKeys[at] ?? [] })),
  );
  candidates.sort((a, b) => compareSortKeys(a.keys, b.keys, sort));
  const best = candidates.slice(offset, offset + rows);
  return {
    items: best.map(({ item }) => item),
    total: results.reduce((sum, { total }) => sum + total, 0),
    offset,
    ...scoresOf(
      first.page,
      best.map(({ keys }) => keys),
    ),
  };
}

function scoresOf({ sort }: CheckedPage, sortKeys: readonly (readonly unknown[])[]) {
  return sort[0]?.kind === 'score' ? { scores: sortKeys.map(([score]) => Number(score)) } : {};
}

/** Order of documents of several collections. 0: as equal as the order of their collections. */
function compareSortKeys(a: readonly unknown[], b: readonly unknown[], sort: readonly CheckedSort[]): number {
  for (const [at, { order, missing }] of sort.entries()) {
    const [x, y] = [a[at] ?? null, b[at] ?? null];
    if (x === null || y === null) {
      if (x === y) continue;
      return (x === null) === (missing === 'first') ? -1 : 1;
    }
    const compared = compareValues(x, y);
    if (compared !== 0) return order === 'asc' ? compared : -compared;
  }
  return 0;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [a as number | bigint, b as number | bigint];
  return x < y ? -1 : x > y ? 1 : 0;
}
