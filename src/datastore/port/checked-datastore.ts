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
import type {
  BulkItem,
  BulkItemResult,
  Collection,
  NewDocument,
  Versioned,
  Visible,
  WhereOptions,
  WriteOptions,
} from './collection.ts';
import type { Datastore } from './datastore.ts';
import type {
  CheckedSort,
  CollectionAdapter,
  DatastoreAdapter,
  WhereChange,
  WriteOutcome,
} from './datastore-adapter.ts';
import { admits, type ReadAccess } from './read-access.ts';
import {
  type FacetRequest,
  type FacetResult,
  type GroupRequest,
  type GroupResult,
  type HistogramBucket,
  type HistogramRequest,
  NO_STATS,
  type SearchRequest,
  type SearchResult,
  type Selection,
  type StatsRequest,
  type StatsResult,
  type StreamRequest,
} from './search.ts';
import type { UpdateOperation } from './update-operations.ts';
import type { Version } from './versions.ts';

/** Puts the port before an engine: every request is checked and completed here, once. */
export function checkedDatastore(adapter: DatastoreAdapter): Datastore {
  const collections = new Map<unknown, CheckedCollection<unknown>>();
  const collectionOf = <T>(definition: CollectionDefinition<T>): CheckedCollection<T> => {
    const known = collections.get(definition);
    if (known) return known as CheckedCollection<unknown> as CheckedCollection<T>;
    const made = new CheckedCollection(definition, adapter.collection(definition));
    collections.set(definition, made as CheckedCollection<unknown>);
    return made;
  };
  return {
    capabilities: adapter.capabilities,
    admin: adapter.admin,
    collection: collectionOf,
    searchAcross: (definitions, request, access) =>
      searchAcross(
        definitions.map((definition) => ({ collection: collectionOf(definition), request: request(definition) })),
        access,
      ),
    health: () => adapter.health(),
    close: () => adapter.close(),
  };
}

class CheckedCollection<T> implements Collection<T> {
  readonly definition: CollectionDefinition<T>;
  readonly adapter: CollectionAdapter<T>;

  constructor(definition: CollectionDefinition<T>, adapter: CollectionAdapter<T>) {
    this.definition = definition;
    this.adapter = adapter;
  }

  async get(id: string, access: ReadAccess): Promise<T | undefined> {
    return (await this.getVersioned(id, access))?.document;
  }

  async getMany(ids: readonly string[], access: ReadAccess): Promise<(T | undefined)[]> {
    const found = await this.adapter.read(ids);
    return found.map((one) => this.#admitted(one, access)?.document);
  }

  async getVersioned(id: string, access: ReadAccess): Promise<Versioned<T> | undefined> {
    const [found] = await this.adapter.read([id]);
    return this.#admitted(found, access);
  }

  async save(id: string, document: T, options: WriteOptions = {}): Promise<Version> {
    return (await this.#one({ kind: 'save', id, document, ifVersion: options.ifVersion }, options)).version;
  }

  async update(id: string, operations: readonly UpdateOperation[], options: WriteOptions = {}): Promise<Versioned<T>> {
    const item = { kind: 'update', id, operations, ifVersion: options.ifVersion } as const;
    const { document, version } = await this.#one(item, options);
    return { document: document as T, version };
  }

  async delete(id: string, options: WriteOptions = {}): Promise<boolean> {
    return (await this.#one({ kind: 'delete', id, ifVersion: options.ifVersion }, options)).existed;
  }

  async bulk(
    items: readonly BulkItem<T>[],
    { visible = 'soon' }: { readonly visible?: Visible } = {},
  ): Promise<readonly BulkItemResult[]> {
    if (items.length === 0) return [];
    return (await this.adapter.write(items, { visible, documents: false })).map(bulkResult);
  }

  async createAll(documents: readonly NewDocument<T>[], visible: Visible = 'soon'): Promise<void> {
    if (documents.length > 0) await this.adapter.createAll(documents, visible);
  }

  updateWhere(selection: Selection, operations: readonly UpdateOperation[], options: WhereOptions) {
    return this.#changeWhere(selection, operations, options);
  }

  deleteWhere(selection: Selection, options: WhereOptions) {
    return this.#changeWhere(selection, 'delete', options);
  }

  async search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>> {
    const { cursor } = request;
    if (cursor === undefined) {
      const page = checkedPage(this.definition, request, access);
      const { items, total } = await this.adapter.page(page);
      return { items, total, offset: page.offset };
    }
    const found = await this.adapter.cursorPage(checkedCursor(this.definition, { ...request, cursor }, access));
    const { items, total, nextCursor } = found;
    return { items, total, offset: 0, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  async count(selection: Selection, access: ReadAccess): Promise<number> {
    return this.adapter.count(checkedSelection(this.definition, selection, access));
  }

  async facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult> {
    const checked = checkedFacet(this.definition, request, access);
    return checked ? this.adapter.facet(checked) : { buckets: [], other: 0 };
  }

  async histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]> {
    return this.adapter.histogram(checkedHistogram(this.definition, request, access));
  }

  async stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult> {
    const checked = checkedStats(this.definition, request, access);
    return checked ? this.adapter.stats(checked) : NO_STATS;
  }

  async group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>> {
    const checked = checkedGroup(this.definition, request, access);
    return { ...(await this.adapter.group(checked)), offset: checked.offset };
  }

  stream(request: StreamRequest, access: ReadAccess) {
    return this.adapter.stream(checkedStream(this.definition, request, access));
  }

  async #one(item: BulkItem<T>, { visible = 'soon' }: WriteOptions) {
    const manner = { visible, documents: item.kind === 'update' };
    const [outcome] = await this.adapter.write([item], manner);
    if (!outcome?.ok) throw outcome?.error ?? new Error('The engine left out a write.');
    return outcome;
  }

  async #changeWhere(selection: Selection, change: WhereChange, { access, ...options }: WhereOptions) {
    options.signal?.throwIfAborted();
    const checked = checkedSelection(this.definition, selection, access);
    return this.adapter.changeWhere(checked, change, { visible: 'soon', ...options });
  }

  #admitted(found: Versioned<T> | undefined, access: ReadAccess): Versioned<T> | undefined {
    return found && admits(this.definition, access, found.document as Record<string, unknown>) ? found : undefined;
  }
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
  parts: readonly { readonly collection: CheckedCollection<unknown>; readonly request: SearchRequest }[],
  access: ReadAccess,
): Promise<SearchResult<unknown>> {
  const pages = parts.map(({ collection, request }) => checkedPage(collection.definition, request, access));
  const [first] = pages;
  if (!first) return { items: [], total: 0, offset: 0 };
  const { offset, rows, sort } = first;
  const results = await Promise.all(
    parts.map(({ collection }, at) => {
      const page = pages[at] ?? first;
      return collection.adapter.page({ ...page, sortKeys: true, offset: 0, rows: rows === 0 ? 0 : offset + rows });
    }),
  );
  const candidates = results.flatMap(({ items, sortKeys }) =>
    items.map((item, at) => ({ item, keys: sortKeys[at] ?? [] })),
  );
  candidates.sort((a, b) => compareSortKeys(a.keys, b.keys, sort));
  return {
    items: candidates.slice(offset, offset + rows).map(({ item }) => item),
    total: results.reduce((sum, { total }) => sum + total, 0),
    offset,
  };
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
