import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { Capabilities } from './capabilities.ts';
import type { Collection } from './collection.ts';
import type { IndexAdmin } from './index-admin.ts';
import type { ReadAccess } from './read-access.ts';
import type { SearchRequest, SearchResult, SortClause } from './search.ts';

export interface DatastoreHealth {
  readonly ok: boolean;
  /** The problem and its remedy, if not ok. */
  readonly detail: string;
}

/** PORT: documents with search. `conformance/` says in tests what every adapter keeps. */
export interface Datastore {
  readonly capabilities: Capabilities;
  readonly admin: IndexAdmin;
  /** The collection, created when it is not there (its index exists when the first method resolves). */
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;
  /**
   * One search over several collections, merged by `sort` (required).
   * Queries are resolved per collection, therefore a function.
   */
  searchAcross(
    definitions: readonly CollectionDefinition<unknown>[],
    request: (definition: CollectionDefinition<unknown>) => SearchRequest & { readonly sort: readonly SortClause[] },
    access: ReadAccess,
  ): Promise<SearchResult<unknown>>;
  health(): Promise<DatastoreHealth>;
  /** Finishes what was begun, then releases files and connections. */
  close(): Promise<void>;
}
