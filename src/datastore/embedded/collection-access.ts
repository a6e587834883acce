import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { Versioned } from '../port/collection.ts';
import type { CheckedSelection } from '../port/datastore-adapter.ts';
import type { FieldPick } from '../port/picked-fields.ts';
import type { SearchItem } from '../port/search.ts';
import { versionOf } from '../port/versions.ts';
import type { Columns } from './columns/columns.ts';
import { storedDefinition } from './columns/stored-definitions.ts';
import type { DocumentStorage } from './documents/document-storage.ts';
import type { WriteItem, WriteItemResult } from './documents/write-requests.ts';
import { type CatalogueIndex, indicesOf } from './indices/index-catalogue.ts';
import type { FoundDocument } from './queries/cursors.ts';
import type { ColumnSelection } from './queries/query-context.ts';

const DEFAULT_TIMEOUT = 60_000;

/** The indices behind one collection: how they come to be, are read and written, and who sees what of them. */
export class CollectionAccess<T> {
  readonly alias: string;
  readonly storage: DocumentStorage;
  readonly #definition: CollectionDefinition<T>;
  #ready: Promise<void> | undefined;

  constructor(definition: CollectionDefinition<T>, storage: DocumentStorage, prefix: string) {
    this.#definition = definition;
    this.storage = storage;
    this.alias = `${prefix}-${definition.name}`;
  }

  get columns(): Columns {
    return this.storage.columns;
  }

  /** Runs an operation when the index is there; closing the datastore waits for it. */
  use<R>(operation: () => R | Promise<R>): Promise<R> {
    return this.storage.during(async () => {
      await this.#exists();
      return operation();
    });
  }

  read(id: string): Versioned<T> | undefined {
    const row = this.storage.reader.byId(this.#indices(), id);
    if (!row) return undefined;
    return { document: parseJson(row.json) as T, version: versionOf({ index: row.index.name, seq: row.seq }) };
  }

  write(
    items: readonly WriteItem[],
    options: { readonly atomic: boolean; readonly returnDocuments: boolean },
  ): Promise<readonly WriteItemResult[]> {
    return this.use(async () => {
      const { results } = await this.storage.write({ kind: 'items', target: this.alias, items, ...options });
      return results;
    });
  }

  /** What to look for in the columns. */
  select({ query, access, timeout = DEFAULT_TIMEOUT, signal }: CheckedSelection): ColumnSelection {
    return { indices: this.#indices().map(({ number }) => number), nodes: [query], access, timeout, signal };
  }

  /** Found documents as callers get them. Those that changed since they were found are judged again. */
  items(
    found: readonly FoundDocument[],
    { admits, fields }: Pick<CheckedSelection, 'admits'> & { readonly fields: FieldPick },
  ): SearchItem<T>[] {
    const names = new Map(this.storage.catalogue.indices.map(({ number, name }) => [number, name]));
    return found.flatMap((row) => {
      const parse = () => parseJson(row.json) as Record<string, unknown>;
      const judged = row.changed ? parse() : undefined;
      if (judged !== undefined && !admits(judged)) return [];
      const name = names.get(row.index);
      const version = name === undefined ? undefined : versionOf({ index: name, seq: row.seq });
      let document: T | undefined;
      return {
        id: row.id,
        collection: this.#definition.name,
        version,
        // Whoever kept what was made of this version need not read it again.
        get document() {
          document ??= fields.pick(judged ?? parse()) as T;
          return document;
        },
      };
    });
  }

  #exists(): Promise<void> {
    if (this.#ready && this.#indices().length > 0) return this.#ready;
    this.#ready = this.#create().catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** The index is made, and its stored definition brought to the present one. */
  async #create(): Promise<void> {
    const definition = storedDefinition(this.#definition);
    if (this.#indices().length === 0) {
      await this.storage.administer({
        op: 'create',
        index: `${this.alias}_hot`,
        definition,
        aliases: [{ name: this.alias }],
        unlessAlias: this.alias,
      });
    }
    for (const index of this.#indices()) {
      if (index.fingerprint !== definition.fingerprint) {
        await this.storage.administer({ op: 'define', index: index.name, definition });
      }
    }
  }

  #indices(): readonly CatalogueIndex[] {
    return indicesOf(this.storage.catalogue, this.alias);
  }
}
