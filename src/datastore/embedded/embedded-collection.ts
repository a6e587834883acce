import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import { parseJson } from '../../json/lossless-json.ts';
import {
  assertDocumentSize,
  type BulkItem,
  type NewDocument,
  type UpdatePlanResult,
  type Versioned,
} from '../port/collection.ts';
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
import { allOf, type QueryNode } from '../port/query-tree.ts';
import type { GroupResult, SearchItem } from '../port/search.ts';
import { ABSENT } from '../port/versions.ts';
import { CollectionAccess } from './collection-access.ts';
import type { DocumentStorage } from './documents/document-storage.ts';
import { changeWhere } from './documents/where-changes.ts';
import { errorFrom, type WriteItem } from './documents/write-requests.ts';

const STREAM_ROWS = 500;
/** Documents that are read before others get their turn. */
const READ_AT_ONCE = 200;
const BY_ID: readonly CheckedSort[] = [
  { field: ID_FIELD, kind: 'keyword', order: 'asc', missing: 'last', mode: 'min' },
];

export class EmbeddedCollection<T> implements CollectionAdapter<T> {
  readonly #access: CollectionAccess<T>;

  constructor(definition: CollectionDefinition<T>, storage: DocumentStorage, prefix: string) {
    this.#access = new CollectionAccess(definition, storage, prefix);
  }

  read(ids: readonly string[]): Promise<readonly (Versioned<T> | undefined)[]> {
    return this.#access.use(async () => {
      const found: (Versioned<T> | undefined)[] = [];
      for (const [at, id] of ids.entries()) {
        if (at > 0 && at % READ_AT_ONCE === 0) await setImmediate();
        found.push(this.#access.read(id));
      }
      return found;
    });
  }

  async write(items: readonly BulkItem<T>[], { documents }: WriteManner): Promise<readonly WriteOutcome<T>[]> {
    const writes = items.map((item): WriteItem => {
      if (item.kind !== 'save') return item;
      return { kind: 'save', id: item.id, json: serialised(item.id, item.document), ifVersion: item.ifVersion };
    });
    const results = await this.#access.write(writes, { atomic: false, returnDocuments: documents });
    return results.map((result) => {
      if (!result.ok) return { ok: false, id: result.id, error: errorFrom(result.failure) };
      const { json, ...outcome } = result;
      return json === undefined ? outcome : { ...outcome, document: parseJson(json) as T };
    });
  }

  async createAll(documents: readonly NewDocument<T>[]): Promise<void> {
    const writes = documents.map(({ id, document }): WriteItem => {
      return { kind: 'save', id, json: serialised(id, document), ifVersion: ABSENT };
    });
    const results = await this.#access.write(writes, { atomic: true, returnDocuments: false });
    const refused = results.find((result) => !result.ok && result.failure.code !== 'not_applied');
    if (refused?.ok === false) throw errorFrom(refused.failure);
  }

  changeWhere(selection: CheckedSelection, change: WhereChange, options: CheckedWhere): Promise<UpdatePlanResult> {
    const { query } = selection;
    const select = (extra: readonly QueryNode[]) =>
      this.#access.select({ ...selection, query: allOf(query, ...extra) });
    return this.#access.use(() => changeWhere(this.#access.storage, select, change, options));
  }

  page(request: CheckedPage): Promise<FoundPage<T>> {
    const { sort, offset, rows, sortKeys } = request;
    return this.#access.use(async () => {
      const spec = { sort, offset, rows, sortKeys };
      const { documents, total } = await this.#access.columns.call('page', this.#access.select(request), spec);
      const items = this.#access.items(documents, request);
      const keys = sortKeys ? new Map(documents.map((row) => [row.id, row.sortKeys ?? []])) : undefined;
      return { items, total, sortKeys: keys ? items.map(({ id }) => keys.get(id) ?? []) : [] };
    });
  }

  cursorPage(request: CheckedCursor): Promise<CursorPage<T>> {
    const { columns } = this.#access;
    const { sort, rows } = request;
    return this.#access.use(async () => {
      const open = () => columns.call('openCursor', this.#access.select(request), sort, 'caller');
      const page = await columns.call('readCursor', request.cursor ?? (await open()).cursor, rows);
      // The cursor may have been opened by somebody who sees more.
      const documents = page.documents.map((row) => ({ ...row, changed: true }));
      return { items: this.#access.items(documents, request), total: page.total, nextCursor: page.next };
    });
  }

  count(selection: CheckedSelection): Promise<number> {
    return this.#access.use(() => this.#access.columns.call('count', this.#access.select(selection)));
  }

  facet(request: CheckedFacet) {
    return this.#access.use(() => this.#access.columns.call('facet', this.#access.select(request), specOf(request)));
  }

  histogram(request: CheckedHistogram) {
    return this.#access.use(() =>
      this.#access.columns.call('histogram', this.#access.select(request), specOf(request)),
    );
  }

  stats(request: CheckedStats) {
    return this.#access.use(() => this.#access.columns.call('stats', this.#access.select(request), specOf(request)));
  }

  group(request: CheckedGroup): Promise<Omit<GroupResult<T>, 'offset'>> {
    const { fields: _fields, ...spec } = specOf(request);
    return this.#access.use(async () => {
      const found = await this.#access.columns.call('group', this.#access.select(request), spec);
      const groups = found.groups.map(({ value, total, documents }) => ({
        value,
        total,
        items: this.#access.items(documents, request),
      }));
      return { groups, total: found.total };
    });
  }

  async *stream(request: CheckedStream): AsyncIterable<SearchItem<T>> {
    const { columns } = this.#access;
    const opened = await this.#access.use(() =>
      columns.call('openCursor', this.#access.select(request), BY_ID, 'program'),
    );
    let cursor: string | undefined = opened.cursor;
    try {
      while (cursor !== undefined) {
        const at: string = cursor;
        const page = await this.#access.use(() => columns.call('readCursor', at, STREAM_ROWS));
        yield* this.#access.items(page.documents, request);
        cursor = page.next;
      }
    } finally {
      if (cursor !== undefined) await columns.call('closeCursor', cursor).catch(() => undefined);
    }
  }
}

function serialised(id: string, document: unknown): string {
  const json = JSON.stringify(document);
  assertDocumentSize(id, document, json);
  return json;
}

/** The request without what `ColumnSelection` says. */
function specOf<R extends CheckedSelection>(request: R): Omit<R, keyof CheckedSelection> {
  const { query: _query, access: _access, admits: _admits, timeout: _timeout, signal: _signal, ...spec } = request;
  return spec;
}
