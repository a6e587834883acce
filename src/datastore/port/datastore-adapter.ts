import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../documents/schema/field-types.ts';
import type { BulkItem, NewDocument, UpdatePlanResult, Versioned, Visible, WhereOptions } from './collection.ts';
import type { Capabilities, DatastoreHealth } from './datastore.ts';
import type { IndexAdmin } from './index-admin.ts';
import type { FieldPick } from './picked-fields.ts';
import type { QueryNode } from './query-tree.ts';
import type {
  FacetRequest,
  FacetResult,
  GroupResult,
  HistogramBucket,
  HistogramRequest,
  SearchItem,
  Selection,
  SortClause,
  StatsRequest,
  StatsResult,
} from './search.ts';
import type { UpdateOperation } from './update-operations.ts';
import type { Version } from './versions.ts';

/** An engine behind the port; `checkedDatastore` makes a datastore of it. */
export interface DatastoreAdapter {
  readonly capabilities: Capabilities;
  readonly admin: IndexAdmin;
  collection<T>(definition: CollectionDefinition<T>): CollectionAdapter<T>;
  health(): Promise<DatastoreHealth>;
  close(): Promise<void>;
}

/** Documents of one kind in an engine. Requests are checked and complete (checked-requests.ts). */
export interface CollectionAdapter<T> {
  /** Reads documents in the order of `ids`, without regard to who may see them. */
  read(ids: readonly string[]): Promise<readonly (Versioned<T> | undefined)[]>;
  /** An outcome per item, in order. */
  write(items: readonly BulkItem<T>[], options: WriteManner): Promise<readonly WriteOutcome<T>[]>;
  /** Stores all of them or none; throws the error of the first that is refused. */
  createAll(documents: readonly NewDocument<T>[], visible: Visible): Promise<void>;
  changeWhere(selection: CheckedSelection, change: WhereChange, options: CheckedWhere): Promise<UpdatePlanResult>;
  page(request: CheckedPage): Promise<FoundPage<T>>;
  cursorPage(request: CheckedCursor): Promise<CursorPage<T>>;
  count(selection: CheckedSelection): Promise<number>;
  facet(request: CheckedFacet): Promise<FacetResult>;
  histogram(request: CheckedHistogram): Promise<readonly HistogramBucket[]>;
  stats(request: CheckedStats): Promise<StatsResult>;
  group(request: CheckedGroup): Promise<Omit<GroupResult<T>, 'offset'>>;
  stream(request: CheckedStream): AsyncIterable<SearchItem<T>>;
}

export interface WriteManner {
  readonly visible: Visible;
  /** True if the outcomes of updates carry the documents as they are now. */
  readonly documents: boolean;
}

export type WriteOutcome<T> =
  | {
      readonly ok: true;
      readonly id: string;
      readonly version: Version;
      readonly existed: boolean;
      readonly document?: T | undefined;
    }
  | { readonly ok: false; readonly id: string; readonly error: Error };

export type WhereChange = readonly UpdateOperation[] | 'delete';

export type CheckedWhere = Omit<WhereOptions, 'access'> & Required<Pick<WhereOptions, 'visible'>>;

export interface FoundPage<T> {
  readonly items: readonly SearchItem<T>[];
  readonly total: number;
  /** If wanted, for each item the values that it was sorted by, one for each criterion; null: missing. */
  readonly sortKeys: readonly (readonly unknown[])[];
}

export interface CursorPage<T> {
  readonly items: readonly SearchItem<T>[];
  readonly total: number;
  /** Undefined: nothing follows. */
  readonly nextCursor: string | undefined;
}

/** Documents to select, as adapters get them: with the caller's access inside. */
export interface CheckedSelection {
  /** The query and its filters. */
  readonly query: QueryNode;
  /** The documents that the caller may see; ANDed to every query, also where all are listed. */
  readonly access: QueryNode;
  /** Decides as `access` on one stored document. */
  readonly admits: (document: Readonly<Record<string, unknown>>) => boolean;
  /** Milliseconds; undefined: those of the adapter. */
  readonly timeout: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A sort criterion that the collection has. */
export interface CheckedSort extends Required<Omit<SortClause, 'unmapped'>> {
  /** `insertion`: order of storage; `absent`: no document has the field; `score`: relevance. */
  readonly kind: SearchKind | 'insertion' | 'absent' | 'score';
}

export interface CheckedPage extends CheckedSelection {
  /** True if the values that the documents are sorted by are wanted, too. */
  readonly sortKeys: boolean;
  readonly offset: number;
  readonly rows: number;
  readonly sort: readonly CheckedSort[];
  readonly fields: FieldPick;
}

export interface CheckedCursor extends Omit<CheckedPage, 'offset' | 'sortKeys'> {
  /** Undefined: a cursor is opened. */
  readonly cursor: string | undefined;
}

/** A field whose values are counted. `path` may lie below a `mapping` field. */
export interface AggregatedPath {
  readonly path: string;
  readonly searchKind: SearchKind;
}

export interface CheckedFacet
  extends CheckedSelection,
    Pick<FacetRequest, 'include' | 'exclude' | 'missing'>,
    Required<Pick<FacetRequest, 'rows' | 'minCount' | 'order'>> {
  readonly field: AggregatedPath;
}

export interface CheckedHistogram
  extends CheckedSelection,
    Omit<HistogramRequest, 'field' | 'minCount' | 'offset' | 'timeZone' | keyof Selection>,
    Required<Pick<HistogramRequest, 'minCount' | 'offset' | 'timeZone'>> {
  /** Undefined: the collection does not have it, so that nothing is found. */
  readonly field: AggregatedPath | undefined;
}

export interface CheckedStats extends CheckedSelection, Pick<StatsRequest, 'missing'> {
  readonly field: AggregatedPath;
}

export interface CheckedGroup extends Omit<CheckedPage, 'sortKeys'> {
  readonly field: AggregatedPath;
  readonly groupSort: readonly CheckedSort[];
  readonly limit: number;
}

export interface CheckedStream extends CheckedSelection {
  readonly fields: FieldPick;
}
