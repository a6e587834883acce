import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { parseJson } from '../../json/lossless-json.ts';
import {
  assertDocumentSize,
  type BulkItem,
  type BulkItemResult,
  type Collection,
  type UpdatePlanResult,
  type Versioned,
  type WhereOptions,
  type WriteOptions,
} from '../port/collection.ts';
import type { QueryNode } from '../port/query-tree.ts';
import type { ReadAccess } from '../port/read-access.ts';
import { checkWindow } from '../port/result-window.ts';
import type {
  FacetRequest,
  FacetResult,
  GroupRequest,
  GroupResult,
  HistogramBucket,
  HistogramRequest,
  SearchItem,
  SearchRequest,
  SearchResult,
  Selection,
  SortClause,
  StatsRequest,
  StatsResult,
} from '../port/search.ts';
import type { UpdateOperation } from '../port/update-operations.ts';
import type { Version } from '../port/versions.ts';
import { CollectionAccess } from './collection-access.ts';
import type { SqlValue } from './columns/column-database.ts';
import type { DocumentStorage } from './documents/document-storage.ts';
import { changeWhere } from './documents/where-changes.ts';
import { errorFrom, type WriteItem, type WriteItemResult } from './documents/write-requests.ts';
import type { CursorPage } from './queries/cursors.ts';

const DEFAULT_ROWS = 25;
const STREAM_ROWS = 500;
/** Documents that are read before others get their turn. */
const READ_AT_ONCE = 200;

export interface SortedItem<T> {
  readonly item: SearchItem<T>;
  readonly sortKeys: readonly SqlValue[];
}

export class EmbeddedCollection<T> implements Collection<T> {
  readonly definition: CollectionDefinition<T>;
  readonly #access: CollectionAccess<T>;

  constructor(definition: CollectionDefinition<T>, storage: DocumentStorage, prefix: string) {
    this.definition = definition;
    this.#access = new CollectionAccess(definition, storage, prefix);
  }

  async get(id: string, access: ReadAccess): Promise<T | undefined> {
    return (await this.getVersioned(id, access))?.document;
  }

  getMany(ids: readonly string[], access: ReadAccess): Promise<(T | undefined)[]> {
    return this.#access.use(async () => {
      const documents: (T | undefined)[] = [];
      for (const [at, id] of ids.entries()) {
        if (at > 0 && at % READ_AT_ONCE === 0) await setImmediate();
        documents.push(this.#access.read(id, access)?.document);
      }
      return documents;
    });
  }

  getVersioned(id: string, access: ReadAccess): Promise<Versioned<T> | undefined> {
    return this.#access.use(() => this.#access.read(id, access));
  }

  async save(id: string, document: T, { ifVersion }: WriteOptions = {}): Promise<Version> {
    return (await this.#one({ kind: 'save', id, json: this.#serialise(id, document), ifVersion })).version;
  }

  async update(
    id: string,
    operations: readonly UpdateOperation[],
    { ifVersion }: WriteOptions = {},
  ): Promise<Versioned<T>> {
    const { json, version } = await this.#one({ kind: 'update', id, operations, ifVersion });
    return { document: parseJson(json ?? 'null') as T, version };
  }

  async delete(id: string, { ifVersion }: WriteOptions = {}): Promise<boolean> {
    return (await this.#one({ kind: 'delete', id, ifVersion })).existed;
  }

  async bulk(
    items: readonly BulkItem<T>[],
    { atomic = false }: { readonly atomic?: boolean } = {},
  ): Promise<readonly BulkItemResult[]> {
    const writes = items.map((item): WriteItem => {
      if (item.kind !== 'save') return item;
      return { kind: 'save', id: item.id, json: this.#serialise(item.id, item.document), ifVersion: item.ifVersion };
    });
    const results = await this.#access.write(writes, { atomic, returnDocuments: false });
    return results.map((result) => {
      if (result.ok) return { ok: true, id: result.id, version: result.version };
      return { ok: false, id: result.id, code: result.failure.code, message: result.failure.message };
    });
  }

  updateWhere(
    selection: Selection,
    operations: readonly UpdateOperation[],
    options: WhereOptions,
  ): Promise<UpdatePlanResult> {
    return this.#changeWhere(selection, operations, options);
  }

  deleteWhere(selection: Selection, options: WhereOptions): Promise<UpdatePlanResult> {
    return this.#changeWhere(selection, 'delete', options);
  }

  async search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>> {
    const { offset = 0, rows = DEFAULT_ROWS, cursor } = request;
    checkWindow(cursor === undefined ? offset : 0, rows);
    return this.#access.use(async () => {
      if (cursor !== undefined) return this.#cursorPage(request, cursor, rows, access);
      const spec = { sort: this.#sort(request.sort), offset, rows };
      const { documents, total } = await this.#access.columns.call('page', this.#access.select(request, access), spec);
      return { items: this.#access.items(documents, access, request.fields), total, offset };
    });
  }

  /** The first documents with what they are sorted by, for a page over several collections. */
  best(request: SearchRequest, rows: number, access: ReadAccess): Promise<{ items: SortedItem<T>[]; total: number }> {
    return this.#access.use(async () => {
      const spec = { sort: this.#sort(request.sort), offset: 0, rows, sortKeys: true };
      const { documents, total } = await this.#access.columns.call('page', this.#access.select(request, access), spec);
      const items = documents.flatMap((row) =>
        this.#access.items([row], access, request.fields).map((item) => ({ item, sortKeys: row.sortKeys ?? [] })),
      );
      return { items, total };
    });
  }

  count(selection: Selection, access: ReadAccess): Promise<number> {
    return this.#access.use(() => this.#access.columns.call('count', this.#access.select(selection, access)));
  }

  facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult> {
    return this.#access.use(() =>
      this.#access.columns.call('facet', this.#access.select(request, access), specOf(request)),
    );
  }

  histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]> {
    return this.#access.use(() =>
      this.#access.columns.call('histogram', this.#access.select(request, access), specOf(request)),
    );
  }

  stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult> {
    return this.#access.use(() =>
      this.#access.columns.call('stats', this.#access.select(request, access), specOf(request)),
    );
  }

  async group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>> {
    const { field, offset = 0, rows = DEFAULT_ROWS, limit = 1 } = request;
    checkWindow(offset, rows);
    const spec = {
      field,
      offset,
      rows,
      limit,
      sort: this.#sort(request.sort),
      groupSort: this.#sort(request.groupSort),
    };
    return this.#access.use(async () => {
      const found = await this.#access.columns.call('group', this.#access.select(request, access), spec);
      const groups = found.groups.map(({ value, total, documents }) => ({
        value,
        total,
        items: this.#access.items(documents, access, request.fields),
      }));
      return { groups, total: found.total, offset };
    });
  }

  async *stream(
    selection: Selection & { readonly fields?: readonly string[] },
    access: ReadAccess,
  ): AsyncIterable<SearchItem<T>> {
    const { columns } = this.#access;
    const opened = await this.#access.use(() =>
      columns.call('openCursor', this.#access.select(selection, access), [{ field: 'id', order: 'asc' }], 'program'),
    );
    let cursor: string | undefined = opened.cursor;
    try {
      while (cursor !== undefined) {
        const at: string = cursor;
        const page: CursorPage = await this.#access.use(() => columns.call('readCursor', at, STREAM_ROWS));
        yield* this.#access.items(page.documents, access, selection.fields);
        cursor = page.next;
      }
    } finally {
      if (cursor !== undefined) await columns.call('closeCursor', cursor).catch(() => undefined);
    }
  }

  #changeWhere(
    selection: Selection,
    change: readonly UpdateOperation[] | 'delete',
    options: WhereOptions,
  ): Promise<UpdatePlanResult> {
    const { query, filters = [] } = selection;
    const select = (extra: readonly QueryNode[]) =>
      this.#access.select({ query, filters: [...filters, ...extra] }, options.access);
    return this.#access.use(() => changeWhere(this.#access.storage, select, change, options));
  }

  async #cursorPage(request: SearchRequest, given: string, rows: number, access: ReadAccess): Promise<SearchResult<T>> {
    const { columns } = this.#access;
    const open = () =>
      columns.call('openCursor', this.#access.select(request, access), this.#sort(request.sort), 'caller');
    const page = await columns.call('readCursor', given === '*' ? (await open()).cursor : given, rows);
    // The cursor may have been opened by somebody who sees more.
    const documents = page.documents.map((row) => ({ ...row, changed: true }));
    const items = this.#access.items(documents, access, request.fields);
    return { items, total: page.total, offset: 0, ...(page.next === undefined ? {} : { nextCursor: page.next }) };
  }

  async #one(item: WriteItem): Promise<Extract<WriteItemResult, { ok: true }>> {
    const [result] = await this.#access.write([item], { atomic: false, returnDocuments: item.kind === 'update' });
    if (result?.ok) return result;
    throw result ? errorFrom(result.failure) : new Error('the writer gave no result');
  }

  #sort(sort: readonly SortClause[] | undefined): readonly SortClause[] {
    return sort ?? this.definition.defaultSort;
  }

  #serialise(id: string, document: T): string {
    const json = JSON.stringify(document);
    assertDocumentSize(id, document, json);
    return json;
  }
}

/** The request without what `ColumnSelection` says. */
function specOf<R extends Selection>({ query: _query, filters: _filters, ...spec }: R): Omit<R, 'query' | 'filters'> {
  return spec;
}
