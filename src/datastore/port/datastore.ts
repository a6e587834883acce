import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { Collection } from './collection.ts';
import type { IndexAdmin } from './index-admin.ts';
import type { ReadAccess } from './read-access.ts';
import type { SearchRequest, SearchResult, SortClause } from './search.ts';

/** Features of an adapter. Unsupported features are rejected with Unsupported, never approximated. */
export interface Capabilities {
  /** `visible: 'soon'` is as good as `now`. */
  readonly instantVisibility: boolean;
  /** The server moves indices through lifecycle phases by itself; otherwise our own job does. */
  readonly serverSideLifecycle: boolean;
}

export interface DatastoreHealth {
  readonly ok: boolean;
  /** The problem and its remedy, if not ok. */
  readonly detail: string;
}

/** A search whose order is the same in every collection. */
type AcrossRequest = SearchRequest & ({ readonly sort: readonly SortClause[] } | { readonly byRelevance: true });

/** PORT: documents with search. `conformance/` says in tests what every adapter keeps. */
export interface Datastore {
  readonly capabilities: Capabilities;
  readonly admin: IndexAdmin;
  /** The collection, created when it is not there (its index exists when the first method resolves). */
  collection<T>(definition: CollectionDefinition<T>): Collection<T>;
  /** One search over several collections, merged into one order. Queries are resolved per collection. */
  searchAcross(
    definitions: readonly CollectionDefinition<unknown>[],
    request: (definition: CollectionDefinition<unknown>) => AcrossRequest,
    access: ReadAccess,
  ): Promise<SearchResult<unknown>>;
  health(): Promise<DatastoreHealth>;
  /** Finishes what was begun, then releases files and connections. */
  close(): Promise<void>;
}
