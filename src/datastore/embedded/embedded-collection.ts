import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { BulkItem, NewDocument, UpdatePlanResult, Versioned } from '../port/collection.ts';
import type {
  CheckedCursor,
  CheckedFacet,
  CheckedGroup,
  CheckedHistogram,
  CheckedPage,
  CheckedSelection,
  CheckedSort,
  CheckedStats,
  CheckedStream,
  CheckedWhere,
  CollectionAdapter,
  CursorPage,
  FoundPage,
  WhereChange,
  WriteManner,
  WriteOutcome,
} from '../port/datastore-adapter.ts';
import type { FieldPick } from '../port/picked-fields.ts';
import { allOf, type QueryNode } from '../port/query-tree.ts';
import type { GroupResult, SearchItem } from '../port/search.ts';
import { ABSENT, type Version, versionOf } from '../port/versions.ts';
import type { Columns } from './columns.ts';
import type { DocumentStorage } from './document-storage.ts';
import { type ItemsOptions, textOf, type WriteItem, type WriteItemResult } from './documents/document-writer.ts';
import { type CatalogueIndex, indicesOf } from './documents/index-catalogue.ts';
import { storedDefinition } from './documents/stored-definitions.ts';
import type { FoundDocument } from './queries/cursors.ts';
import type { ColumnSelection } from './queries/query-context.ts';
import { changeWhere } from './where-changes.ts';
import { errorFrom } from './worker-calls.ts';

const DEFAULT_TIMEOUT = 60_000;
const STREAM_ROWS = 500;
/** Documents that are read before other work runs. */
const READ_AT_ONCE = 200;
const BY_ID: readonly CheckedSort[] = [
  { field: ID_FIELD, kind: 'keyword', order: 'asc', missing: 'last', mode: 'min' },
];

/** Reads and writes the indices behind one alias, `<prefix>-<collection>`. */
export class EmbeddedCollection<T> implements CollectionAdapter<T> {
  readonly #definition: CollectionDefinition<T>;
  readonly #storage: DocumentStorage;
  readonly #columns: Columns;
  readonly #alias: string;
  #ready: Promise<void> | undefined;

  constructor(definition: CollectionDefinition<T>, storage: DocumentStorage, prefix: string) {
    this.#definition = definition;
    this.#storage = storage;
    this.#columns = storage.columns;
    this.#alias = `${prefix}-${definition.name}`;
  }

  read(ids: readonly string[]): Promise<readonly (Versioned<T> | undefined)[]> {
    return this.#use(async () => {
      const found: (Versioned<T> | undefined)[] = [];
      for (const [at, id] of ids.entries()) {
        if (at > 0 && at % READ_AT_ONCE === 0) await setImmediate();
        const row = this.#storage.reader.byId(this.#indices(), id);
        const version = row && versionOf({ index: row.index.name, seq: row.seq });
        found.push(row && version ? { document: parseJson(row.json) as T, version } : undefined);
      }
      return found;
    });
  }

  async write(items: readonly BulkItem<T>[], { documents }: WriteManner): Promise<readonly WriteOutcome<T>[]> {
    const writes = items.map((item): WriteItem => {
      if (item.kind !== 'save') return item;
      return { kind: 'save', id: item.id, json: textOf(item.id, item.document), ifVersion: item.ifVersion };
    });
    const results = await this.#write(writes, { atomic: false, returnDocuments: documents });
    return results.map((result) => {
      if (!result.ok) return { ok: false, id: result.id, error: errorFrom(result.failure) };
      const { json, ...outcome } = result;
      return json === undefined ? outcome : { ...outcome, document: parseJson(json) as T };
    });
  }

  async createAll(documents: readonly NewDocument<T>[]): Promise<void> {
    const writes = documents.map(
      ({ id, document }): WriteItem => ({ kind: 'save', id, json: textOf(id, document), ifVersion: ABSENT }),
    );
    await this.#write(writes, { atomic: true, returnDocuments: false });
  }

  changeWhere(selection: CheckedSelection, change: WhereChange, options: CheckedWhere): Promise<UpdatePlanResult> {
    const select = (extra: readonly QueryNode[]) =>
      this.#select({ ...selection, query: allOf(selection.query, ...extra) });
    return this.#use(() => changeWhere(this.#storage, select, change, options));
  }

  page(request: CheckedPage): Promise<FoundPage<T>> {
    const { sort, offset, rows, sortKeys } = request;
    return this.#use(async () => {
      const spec = { sort, offset, rows, sortKeys, idsOnly: request.fields.patterns?.length === 0 };
      const { documents, total } = await this.#columns.call('page', this.#select(request), spec);
      const items = this.#items(documents, request);
      const keys = sortKeys ? new Map(documents.map((row) => [row.id, row.sortKeys ?? []])) : undefined;
      return { items, total, sortKeys: keys ? items.map(({ id }) => keys.get(id) ?? []) : [] };
    });
  }

  cursorPage(request: CheckedCursor): Promise<CursorPage<T>> {
    const { sort, rows } = request;
    return this.#use(async () => {
      const open = () => this.#columns.call('openCursor', this.#select(request), sort, 'caller');
      const page = await this.#columns.call('readCursor', request.cursor ?? (await open()).cursor, rows);
      // A caller who sees more may have opened the cursor.
      const documents = page.documents.map((row) => ({ ...row, changed: true }));
      return { items: this.#items(documents, request), total: page.total, nextCursor: page.next };
    });
  }

  count(selection: CheckedSelection): Promise<number> {
    return this.#use(() => this.#columns.call('count', this.#select(selection)));
  }

  facet(request: CheckedFacet) {
    return this.#use(() => this.#columns.call('facet', this.#select(request), specOf(request)));
  }

  histogram(request: CheckedHistogram) {
    return this.#use(() => this.#columns.call('histogram', this.#select(request), specOf(request)));
  }

  stats(request: CheckedStats) {
    return this.#use(() => this.#columns.call('stats', this.#select(request), specOf(request)));
  }

  group(request: CheckedGroup): Promise<Omit<GroupResult<T>, 'offset'>> {
    const { fields: _fields, ...spec } = specOf(request);
    return this.#use(async () => {
      const found = await this.#columns.call('group', this.#select(request), spec);
      const groups = found.groups.map(({ value, total, documents }) => ({
        value,
        total,
        items: this.#items(documents, request),
      }));
      return { groups, total: found.total };
    });
  }

  async *stream(request: CheckedStream): AsyncIterable<SearchItem<T>> {
    const opened = await this.#use(() => this.#columns.call('openCursor', this.#select(request), BY_ID, 'program'));
    let cursor: string | undefined = opened.cursor;
    try {
      while (cursor !== undefined) {
        const at: string = cursor;
        const page = await this.#use(() => this.#columns.call('readCursor', at, STREAM_ROWS));
        yield* this.#items(page.documents, request);
        cursor = page.next;
      }
    } finally {
      if (cursor !== undefined) await this.#columns.call('closeCursor', cursor).catch(() => undefined);
    }
  }

  #write(items: readonly WriteItem[], options: ItemsOptions): Promise<readonly WriteItemResult[]> {
    return this.#use(() => this.#storage.write('items', this.#alias, items, options));
  }

  #select({ query, access, timeout = DEFAULT_TIMEOUT, signal }: CheckedSelection): ColumnSelection {
    return { indices: this.#indices().map(({ number }) => number), query, access, timeout, signal };
  }

  /** Converts found documents. Access to those that changed since they were found is checked again. */
  #items(
    found: readonly FoundDocument[],
    { admits, fields }: Pick<CheckedSelection, 'admits'> & { readonly fields: FieldPick },
  ): SearchItem<T>[] {
    const names = new Map(this.#storage.catalogue.indices.map(({ number, name }) => [number, name]));
    return found.flatMap((row): SearchItem<T>[] => {
      const parse = () => parseJson(row.json) as Record<string, unknown>;
      const checked = row.changed ? parse() : undefined;
      if (checked !== undefined && !admits(checked)) return [];
      const name = names.get(row.index);
      const version = name === undefined ? undefined : versionOf({ index: name, seq: row.seq });
      const read = () => fields.pick(checked ?? parse()) as T;
      return [new FoundItem(row.id, this.#definition.name, version, read)];
    });
  }

  /** Runs an operation once the index exists; closing the datastore waits for it. */
  #use<R>(operation: () => R | Promise<R>): Promise<R> {
    return this.#storage.during(async () => {
      if (!this.#ready || this.#indices().length === 0) {
        this.#ready = this.#create().catch((error) => {
          this.#ready = undefined;
          throw error;
        });
      }
      await this.#ready;
      return operation();
    });
  }

  /** Creates the index when there is none, and updates its stored definition. */
  async #create(): Promise<void> {
    const definition = storedDefinition(this.#definition);
    if (this.#indices().length === 0) {
      const options = { aliases: [{ name: this.#alias }], unlessAlias: this.#alias };
      await this.#storage.administer('create', `${this.#alias}_hot`, definition, options);
    }
    for (const { name, fingerprint } of this.#indices()) {
      if (fingerprint !== definition.fingerprint) await this.#storage.administer('define', name, definition);
    }
  }

  #indices(): readonly CatalogueIndex[] {
    return indicesOf(this.#storage.catalogue, this.#alias);
  }
}

/** Returns the request without what `ColumnSelection` contains. */
function specOf<R extends CheckedSelection>(request: R): Omit<R, keyof CheckedSelection> {
  const { query: _query, access: _access, admits: _admits, timeout: _timeout, signal: _signal, ...spec } = request;
  return spec;
}

/** Parses on demand. A class, because a literal with an accessor has a hidden class of its own. */
class FoundItem<T> implements SearchItem<T> {
  readonly id: string;
  readonly collection: string;
  readonly version: Version | undefined;
  readonly #read: () => T;
  #document: T | undefined;

  constructor(id: string, collection: string, version: Version | undefined, read: () => T) {
    this.id = id;
    this.collection = collection;
    this.version = version;
    this.#read = read;
  }

  get document(): T {
    this.#document ??= this.#read();
    return this.#document;
  }
}
