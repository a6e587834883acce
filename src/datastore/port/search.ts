import type { QueryNode } from './query-tree.ts';
import type { Version } from './versions.ts';

/** A sort criterion; `_doc` is the order of insertion. Documents without `field` come last by default. */
export interface SortClause {
  readonly field: string;
  readonly order: 'asc' | 'desc';
  readonly missing?: 'first' | 'last';
  /** The value of a list to sort by. Default: the smallest for asc, the largest for desc. */
  readonly mode?: 'min' | 'max';
  /** `missing`: a collection without the field counts as missing it everywhere, and is not refused. */
  readonly unmapped?: 'missing';
}

/** The documents to select. The caller's access is a separate argument of every method. */
export interface Selection {
  readonly query: QueryNode;
  /** ANDed. */
  readonly filters?: readonly QueryNode[];
  /** Milliseconds until `search_timeout`. Default: 60,000 embedded, else the transport timeout. */
  readonly timeout?: number | undefined;
  /** Aborts the search in the engine, with `search_timeout`, when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
}

export interface StreamRequest extends Selection {
  /** Dotted paths or globs to return. Default: everything. Never used for secrets. */
  readonly fields?: readonly string[];
}

export interface SearchRequest extends StreamRequest {
  /** Default 0. `offset + rows` above `MAX_RESULT_WINDOW` is refused with `result_window_too_large`. */
  readonly offset?: number;
  /** Default 25. 0: only the total. */
  readonly rows?: number;
  /** Default: the collection's default sort. Ties are broken by order of insertion. */
  readonly sort?: readonly SortClause[];
  /** Sorts by relevance instead and answers `scores`. Filters do not score. Not with a cursor. */
  readonly byRelevance?: boolean;
  /** `'*'` opens a cursor, later `nextCursor`. It pins its state and lives 5 minutes after its last use. */
  readonly cursor?: string;
}

export const MAX_RESULT_WINDOW = 10_000;

export interface SearchItem<T> {
  readonly id: string;
  readonly collection: string;
  /** Version of the returned document. Undefined if the adapter does not know it. */
  readonly version?: Version | undefined;
  /** May be parsed when it is first read: a caller that caches by version need not read it. */
  readonly document: T;
}

export interface SearchResult<T> {
  readonly items: readonly SearchItem<T>[];
  /** Score of each item, of a search by relevance; comparable within one answer. */
  readonly scores?: readonly number[];
  /** Exact. (Callers that promise the public system's cap of 10,000 apply it.) */
  readonly total: number;
  readonly offset: number;
  /** Present while more may follow (as many items as rows). */
  readonly nextCursor?: string;
}

export interface FacetRequest extends Selection {
  readonly field: string;
  /** Number of values. Default 10. */
  readonly rows?: number;
  /** Default 1. With 0 the values of all documents are listed, not only those of the documents found. */
  readonly minCount?: number;
  /** Default: count descending, then key ascending. */
  readonly order?: { readonly by: 'key' | 'count'; readonly direction: 'asc' | 'desc' };
  /** Lucene regular expression or list that values (indexed form) must match / must not match. */
  readonly include?: string | readonly string[];
  readonly exclude?: string | readonly string[];
  /** Value counted for documents without the field. */
  readonly missing?: string | number | boolean;
}
export interface FacetBucket {
  /** Lower-case where the field is; dates in milliseconds, booleans 0 or 1, integers above 2^53 bigint. */
  readonly key: string | number | bigint;
  /** Dates as ISO with milliseconds and Z, booleans as words, addresses in canonical form, else the key. */
  readonly label: string;
  /** Documents in which the value occurs. */
  readonly count: number;
}
export interface FacetResult {
  readonly buckets: readonly FacetBucket[];
  /** Occurrences of values that are not listed. */
  readonly other: number;
}

export interface HistogramRequest extends Selection {
  /** A number with a numeric `interval`; a date with `fixed` (`1h`, `30m`) or `calendar` (`month`, `1M`). */
  readonly field: string;
  readonly interval:
    | { readonly kind: 'number'; readonly size: number }
    | { readonly kind: 'fixed'; readonly duration: string }
    | { readonly kind: 'calendar'; readonly unit: string };
  /** Shift of the bucket edges: a number, or a duration such as `+6h` for dates. */
  readonly offset?: number | string;
  /** Default 0: gaps between the first and last bucket are listed. */
  readonly minCount?: number;
  /** Buckets span at least / count only inside these bounds: numbers, or date strings with date math. */
  readonly extendedBounds?: { readonly min: number | string; readonly max: number | string };
  readonly hardBounds?: { readonly min?: number | string; readonly max?: number | string };
  /** IANA zone or offset, default UTC. */
  readonly timeZone?: string;
  /** `epoch_millis`, `epoch_second` or a date pattern for `label`. Default ISO with milliseconds and Z. */
  readonly format?: string;
  readonly missing?: number | string;
  readonly order?: { readonly by: 'key' | 'count'; readonly direction: 'asc' | 'desc' };
}
export interface HistogramBucket {
  /** Lower edge: number, or milliseconds for dates. */
  readonly key: number;
  readonly label: string;
  readonly count: number;
}

export interface StatsRequest extends Selection {
  readonly field: string;
  readonly missing?: number | string;
}
/** Over every value, not every document; sums are compensated. Nothing found: 0, 0 and null. */
export interface StatsResult {
  readonly count: number;
  readonly min: number | bigint | null;
  readonly max: number | bigint | null;
  readonly avg: number | null;
  readonly sum: number | bigint;
}

export const NO_STATS: StatsResult = { count: 0, min: null, max: null, avg: null, sum: 0 };

/** Groups are ordered by `sort` of their best document, and `rows` and `offset` count groups. */
export interface GroupRequest extends Omit<SearchRequest, 'cursor' | 'byRelevance'> {
  /** Keyword or number with at most one value per document, else refused with `group_field_unsupported`. */
  readonly field: string;
  /** Order inside a group. */
  readonly groupSort?: readonly SortClause[];
  /** Documents of each group, default 1; large groups give way to the result window. */
  readonly limit?: number;
}
export interface GroupResult<T> {
  readonly groups: readonly {
    readonly value: string | number | bigint | null;
    readonly total: number;
    readonly items: readonly SearchItem<T>[];
  }[];
  /** Matching documents, not groups. */
  readonly total: number;
  readonly offset: number;
}
