import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { TooLarge } from '../../errors/errors.ts';
import type {
  BulkItem,
  BulkItemResult,
  Collection,
  UpdatePlanResult,
  Version,
  Versioned,
  WhereOptions,
  WriteOptions,
} from '../collection.ts';
import { allOf, MATCH_ALL, type QueryNode } from '../query-tree.ts';
import type { ReadAccess } from '../read-access.ts';
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
} from '../search.ts';
import type { UpdateOperation } from '../update-operations.ts';
import type { SqlValue } from './column-database.ts';
import type { FoundDocument } from './column-engine.ts';
import type { DocumentRow } from './document-reader.ts';
import type { DocumentStorage } from './document-storage.ts';
import { type CatalogueIndex, indicesOf, storedDefinition } from './index-catalogue.ts';
import { checkWindow } from './page-query.ts';
import { pickFields } from './picked-fields.ts';
import type { ColumnSelection } from './query-context.ts';
import { versionOf } from './versions.ts';
import { changeWhere } from './where-changes.ts';
import { errorFrom } from './write-failures.ts';
import type { WriteItem, WriteItemResult } from './write-requests.ts';

const DEFAULT_ROWS = 25;
const DEFAULT_TIMEOUT = 60_000;
/** Characters of JSON. */
const LARGEST_DOCUMENT = 100_000_000;
const STREAM_ROWS = 500;

export interface SortedItem<T> {
  readonly item: SearchItem<T>;
  readonly sortKeys: readonly SqlValue[];
}

export class EmbeddedCollection<T> implements Collection<T> {
  readonly definition: CollectionDefinition<T>;
  readonly #storage: DocumentStorage;
  readonly #alias: string;
  #ready: Promise<void> | undefined;

  constructor(definition: CollectionDefinition<T>, storage: DocumentStorage, prefix: string) {
    this.definition = definition;
    this.#storage = storage;
    this.#alias = `${prefix}-${definition.name}`;
  }

  async get(id: string, access: ReadAccess): Promise<T | undefined> {
    return (await this.getVersioned(id, access))?.document;
  }

  async getMany(ids: readonly string[], access: ReadAccess): Promise<(T | undefined)[]> {
    const documents: (T | undefined)[] = [];
    for (const id of ids) documents.push(await this.get(id, access));
    return documents;
  }

  async getVersioned(id: string, access: ReadAccess): Promise<Versioned<T> | undefined> {
    await this.#exists();
    const row = this.#storage.reader.byId(this.#indices(), id);
    const document = row && this.#admitted(row, access);
    return document === undefined ? undefined : { document, version: versionOf(row?.index.name ?? '', row?.seq ?? 0) };
  }

  async save(id: string, document: T, options: WriteOptions = {}): Promise<Version> {
    const result = await this.#one({
      kind: 'save',
      id,
      json: this.#serialise(id, document),
      ifVersion: options.ifVersion,
    });
    return result.version;
  }

  async update(id: string, operations: readonly UpdateOperation[], options: WriteOptions = {}): Promise<Versioned<T>> {
    const result = await this.#one({ kind: 'update', id, operations, ifVersion: options.ifVersion });
    return { document: JSON.parse(result.json ?? 'null'), version: result.version };
  }

  async delete(id: string, options: WriteOptions = {}): Promise<boolean> {
    return (await this.#one({ kind: 'delete', id, ifVersion: options.ifVersion })).existed;
  }

  async bulk(
    items: readonly BulkItem<T>[],
    options: { readonly atomic?: boolean } = {},
  ): Promise<readonly BulkItemResult[]> {
    await this.#exists();
    const writes = items.map((item): WriteItem => {
      if (item.kind !== 'save') return item;
      return { kind: 'save', id: item.id, json: this.#serialise(item.id, item.document), ifVersion: item.ifVersion };
    });
    const { results } = await this.#storage.write({
      kind: 'items',
      target: this.#alias,
      items: writes,
      atomic: options.atomic ?? false,
      returnDocuments: false,
    });
    return results.map((result) => {
      if (result.ok) return { ok: true, id: result.id, version: result.version };
      return { ok: false, id: result.id, code: result.failure.code, message: result.failure.message };
    });
  }

  async updateWhere(
    selection: Selection,
    operations: readonly UpdateOperation[],
    options: WhereOptions,
  ): Promise<UpdatePlanResult> {
    await this.#exists();
    return this.#changeWhere(selection, operations, options);
  }

  async deleteWhere(selection: Selection, options: WhereOptions): Promise<UpdatePlanResult> {
    await this.#exists();
    return this.#changeWhere(selection, 'delete', options);
  }

  async search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>> {
    const offset = request.offset ?? 0;
    const rows = request.rows ?? DEFAULT_ROWS;
    if (request.cursor === undefined) checkWindow(offset, rows);
    else checkWindow(0, rows);
    await this.#exists();
    if (request.cursor !== undefined) return this.#cursorPage(request, request.cursor, rows, access);
    const spec = { sort: this.#sort(request.sort), offset, rows };
    const { documents, total } = await this.#storage.columns.page(
      this.#selection(request, access, request.timeout),
      spec,
    );
    return { items: this.#items(documents, access, request.fields), total, offset };
  }

  /** The first documents with what they are sorted by, for a page over several collections. */
  async best(
    request: SearchRequest,
    rows: number,
    access: ReadAccess,
  ): Promise<{ items: SortedItem<T>[]; total: number }> {
    await this.#exists();
    const spec = { sort: this.#sort(request.sort), offset: 0, rows, sortKeys: true };
    const { documents, total } = await this.#storage.columns.page(
      this.#selection(request, access, request.timeout),
      spec,
    );
    const items = documents.flatMap((row) =>
      this.#items([row], access, request.fields).map((item) => ({ item, sortKeys: row.sortKeys ?? [] })),
    );
    return { items, total };
  }

  async count(selection: Selection, access: ReadAccess): Promise<number> {
    await this.#exists();
    return this.#storage.columns.count(this.#selection(selection, access));
  }

  async facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult> {
    await this.#exists();
    return this.#storage.columns.facet(this.#selection(request, access), specOf(request));
  }

  async histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]> {
    await this.#exists();
    return this.#storage.columns.histogram(this.#selection(request, access), specOf(request));
  }

  async stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult> {
    await this.#exists();
    return this.#storage.columns.stats(this.#selection(request, access), specOf(request));
  }

  async group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>> {
    const offset = request.offset ?? 0;
    const rows = request.rows ?? DEFAULT_ROWS;
    checkWindow(offset, rows);
    await this.#exists();
    const found = await this.#storage.columns.group(this.#selection(request, access), {
      field: request.field,
      offset,
      rows,
      sort: this.#sort(request.sort),
      groupSort: this.#sort(request.groupSort),
      limit: request.limit ?? 1,
    });
    const groups = found.groups.map(({ value, total, documents }) => ({
      value,
      total,
      items: this.#items(documents, access, request.fields),
    }));
    return { groups, total: found.total, offset };
  }

  async *stream(
    selection: Selection & { readonly fields?: readonly string[] },
    access: ReadAccess,
  ): AsyncIterable<SearchItem<T>> {
    await this.#exists();
    const { columns } = this.#storage;
    const opened = await columns.openCursor(this.#selection(selection, access), [{ field: 'id', order: 'asc' }]);
    let cursor: string | undefined = opened.cursor;
    try {
      while (cursor !== undefined) {
        const page = await columns.readCursor(cursor, STREAM_ROWS);
        yield* this.#items(page.documents.map(unchanged), access, selection.fields);
        cursor = page.next;
      }
    } finally {
      if (cursor !== undefined) await columns.closeCursor(cursor);
    }
  }

  #changeWhere(
    selection: Selection,
    change: readonly UpdateOperation[] | 'delete',
    options: WhereOptions,
  ): Promise<UpdatePlanResult> {
    const select = (extra: readonly QueryNode[]) =>
      this.#selection({ query: selection.query, filters: [...(selection.filters ?? []), ...extra] }, options.access);
    return changeWhere(this.#storage, select, change, options);
  }

  async #cursorPage(request: SearchRequest, given: string, rows: number, access: ReadAccess): Promise<SearchResult<T>> {
    const { columns } = this.#storage;
    const selection = this.#selection(request, access, request.timeout);
    const cursor = given === '*' ? (await columns.openCursor(selection, this.#sort(request.sort))).cursor : given;
    const page = await columns.readCursor(cursor, rows);
    const items = this.#items(page.documents.map(unchanged), access, request.fields);
    return { items, total: page.total, offset: 0, ...(page.next === undefined ? {} : { nextCursor: page.next }) };
  }

  async #one(item: WriteItem): Promise<Extract<WriteItemResult, { ok: true }>> {
    await this.#exists();
    const { results } = await this.#storage.write({
      kind: 'items',
      target: this.#alias,
      items: [item],
      atomic: false,
      returnDocuments: item.kind === 'update',
    });
    const [result] = results;
    if (result?.ok) return result;
    throw result ? errorFrom(result.failure) : new Error('the writer gave no result');
  }

  /** The index is made, and its stored definition brought to the present one, before anything else. */
  #exists(): Promise<void> {
    this.#ready ??= this.#create().catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #create(): Promise<void> {
    const definition = storedDefinition(this.definition);
    if (this.#indices().length === 0) {
      await this.#storage.administer({
        op: 'create',
        index: `${this.#alias}_hot`,
        definition,
        aliases: [{ name: this.#alias }],
        unlessAlias: this.#alias,
      });
    }
    for (const index of this.#indices()) {
      if (index.fingerprint !== definition.fingerprint) {
        await this.#storage.administer({ op: 'define', index: index.name, definition });
      }
    }
  }

  #indices(): readonly CatalogueIndex[] {
    return indicesOf(this.#storage.catalogue, this.#alias);
  }

  #selection(selection: Selection, access: ReadAccess, timeout: number = DEFAULT_TIMEOUT): ColumnSelection {
    return {
      indices: this.#indices().map(({ number }) => number),
      nodes: [allOf(selection.query, ...(selection.filters ?? []))],
      access: this.definition.classificationField === undefined ? MATCH_ALL : access.filter,
      timeout,
    };
  }

  #sort(sort: readonly SortClause[] | undefined): readonly SortClause[] {
    return sort ?? this.definition.defaultSort;
  }

  #items(
    documents: readonly FoundDocument[],
    access: ReadAccess,
    fields: readonly string[] | undefined,
  ): SearchItem<T>[] {
    return documents.flatMap((row) => {
      const document = row.changed ? this.#admitted(row, access) : (JSON.parse(row.json) as T);
      if (document === undefined) return [];
      const picked = fields === undefined ? document : (pickFields(document as Record<string, unknown>, fields) as T);
      return [{ id: row.id, collection: this.definition.name, document: picked }];
    });
  }

  #admitted(row: DocumentRow, access: ReadAccess): T | undefined {
    const document = JSON.parse(row.json);
    return this.definition.classificationField === undefined || access.admits(document) ? document : undefined;
  }

  #serialise(id: string, document: T): string {
    const json = JSON.stringify(document);
    if (json.length > LARGEST_DOCUMENT) {
      throw new TooLarge(
        'document_too_large',
        `${this.#alias}: the document ${id} is larger than ${LARGEST_DOCUMENT} bytes.`,
      );
    }
    return json;
  }
}

function unchanged(row: DocumentRow & { readonly index: number }): FoundDocument {
  return { ...row, changed: false };
}

/** The request without what `ColumnSelection` says. */
function specOf<R extends Selection>({ query: _query, filters: _filters, ...spec }: R): Omit<R, 'query' | 'filters'> {
  return spec;
}
