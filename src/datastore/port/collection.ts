import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { Conflict, InvalidInput, NotFound, TooLarge, Unavailable } from '../../errors/errors.ts';
import type { ReadAccess } from './read-access.ts';
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
  StatsRequest,
  StatsResult,
  StreamRequest,
} from './search.ts';
import type { UpdateOperation } from './update-operations.ts';
import type { Version } from './versions.ts';

/** Bytes of JSON of one document. Reading the largest keeps other callers waiting for about 200 ms. */
export const MAX_DOCUMENT_SIZE = 4 * 1024 * 1024;

/** Values that one list of a document may have. */
export const MAX_LIST_LENGTH = 10_000;

/** Refuses a document, stored as `json`, above the limits; adapters check every document with it. */
export function assertDocumentSize(id: string, document: unknown, json: string): void {
  // A value of a list takes two characters at least, and a character at most 3 bytes of UTF-8 in a UTF-16 unit.
  if (json.length > 2 * MAX_LIST_LENGTH) assertListLengths(id, document);
  if (json.length * 3 <= MAX_DOCUMENT_SIZE) return;
  const size = Buffer.byteLength(json);
  if (size <= MAX_DOCUMENT_SIZE) return;
  const message = `The document ${id} would have ${size} bytes; at most ${MAX_DOCUMENT_SIZE} are allowed.`;
  throw new TooLarge('document_too_large', message);
}

/** Lists in lists, and fields of objects in a list, count as one list, as a search sees them. */
function assertListLengths(id: string, document: unknown): void {
  const lengths = new Map<string, number>();
  const count = (value: unknown, path: string, isInList: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) count(item, path, true);
      return;
    }
    if (isInList) lengths.set(path, (lengths.get(path) ?? 0) + 1);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) count(member, path === '' ? key : `${path}.${key}`, isInList);
  };
  count(document, '', false);
  for (const [path, length] of lengths) {
    if (length <= MAX_LIST_LENGTH) continue;
    const message = `The list ${path} of the document ${id} would have ${length} values; at most ${MAX_LIST_LENGTH} are allowed.`;
    throw new TooLarge('list_too_long', message, { at: path });
  }
}

export interface Versioned<T> {
  readonly document: T;
  readonly version: Version;
}

/** Searches see a write from the answer on (`now`) or within a second (`soon`); reads by id at once. */
export type Visible = 'now' | 'soon';

export interface WriteOptions {
  /** Throws `version_conflict` unless current; `ABSENT`: `already_exists` unless missing. Default: none. */
  readonly ifVersion?: Version | undefined;
  /** Default: `soon`. */
  readonly visible?: Visible;
}

/** A document that is not there yet, with its identifier. */
export interface NewDocument<T> {
  readonly id: string;
  readonly document: T;
}

export type BulkItem<T> = { readonly id: string; readonly ifVersion?: Version | undefined } & (
  | { readonly kind: 'save'; readonly document: T }
  | { readonly kind: 'update'; readonly operations: readonly UpdateOperation[] }
  | { readonly kind: 'delete' }
);
export type BulkItemResult =
  | { readonly ok: true; readonly id: string; readonly version: Version }
  | { readonly ok: false; readonly id: string; readonly code: string; readonly message: string };

export interface UpdatePlanResult {
  readonly matched: number;
  readonly changed: number;
}

export interface WhereOptions {
  readonly access: ReadAccess;
  readonly visible?: Visible;
  /** Called after each chunk. */
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Documents of one kind. Returned objects are copies; missing documents are `undefined`, no error.
 * Every read takes the caller's access as an argument of its own; a document that it does not admit is missing. Errors:
 * Conflict, InvalidInput, TooLarge, Unsupported, and Unavailable `write_blocked` or `datastore_unavailable`.
 */
export interface Collection<T> {
  readonly definition: CollectionDefinition<T>;

  get(id: string, access: ReadAccess): Promise<T | undefined>;
  /** In the order of `ids`, undefined where missing. */
  getMany(ids: readonly string[], access: ReadAccess): Promise<(T | undefined)[]>;
  getVersioned(id: string, access: ReadAccess): Promise<Versioned<T> | undefined>;

  /** Creates or replaces. */
  save(id: string, document: T, options?: WriteOptions): Promise<Version>;
  /** Applies operations in order, atomically: concurrent increments add up. Throws `document_missing`. */
  update(id: string, operations: readonly UpdateOperation[], options?: WriteOptions): Promise<Versioned<T>>;
  /** Deletes a document and returns whether it existed. */
  delete(id: string, options?: WriteOptions): Promise<boolean>;
  /** A result per item, in order: each is applied by itself. */
  bulk(items: readonly BulkItem<T>[], options?: { readonly visible?: Visible }): Promise<readonly BulkItemResult[]>;
  /**
   * Stores new documents, all or none, visible soon; throws the error of the first refused one.
   * Engines without transactions may show, or leave (`partly_applied`), a part of them: docs/decisions/0010.
   */
  createAll(documents: readonly NewDocument<T>[], visible?: Visible): Promise<void>;
  /** Applies the operations to every match; each document atomically, the whole not. */
  updateWhere(
    selection: Selection,
    operations: readonly UpdateOperation[],
    options: WhereOptions,
  ): Promise<UpdatePlanResult>;
  deleteWhere(selection: Selection, options: WhereOptions): Promise<UpdatePlanResult>;

  search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>>;
  count(selection: Selection, access: ReadAccess): Promise<number>;
  facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult>;
  histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]>;
  stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult>;
  group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>>;
  /** Every match once, in order of identifier, stable while writes go on. */
  stream(request: StreamRequest, access: ReadAccess): AsyncIterable<SearchItem<T>>;
}

/** Throws the first failure of a bulk, as a single write would, except those with an `ignored` code. */
export function throwBulkFailure(results: readonly BulkItemResult[], ignored: readonly string[] = []): void {
  for (const result of results) {
    if (result.ok || ignored.includes(result.code)) continue;
    const Failure = FAILURES[result.code] ?? Unavailable;
    throw new Failure(result.code, result.message);
  }
}

const FAILURES: Readonly<Record<string, typeof Conflict | typeof NotFound | typeof TooLarge | typeof InvalidInput>> = {
  version_conflict: Conflict,
  already_exists: Conflict,
  document_missing: NotFound,
  document_too_large: TooLarge,
  invalid_update: InvalidInput,
  invalid_document: InvalidInput,
};
