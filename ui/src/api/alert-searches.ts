import { alerts, dataOf, READ_HEADERS } from './clients.ts';
import type { components, paths } from './generated/alerts.ts';

type Posted<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

interface Filtered {
  /** Further queries; all of them have to match. */
  readonly filters?: readonly string[];
}

/** A search as the service takes it; what is left out has the default of the service. */
export type RecordSearch = Omit<Posted<'/api/v2/search/{indexes}'>, 'filters'> & Filtered;
export type RecordCount = Omit<Posted<'/api/v2/search/count/{index}'>, 'filters'> & Filtered;
export type FacetSearch = Omit<Posted<'/api/v2/search/facet/{indexes}'>, 'filters' | 'fields'> &
  Filtered & { readonly fields: readonly string[] };

export interface SearchOptions {
  /** Kinds of records, separated by commas. Default: `hit`, which are alerts. */
  readonly indexes?: string;
  readonly signal?: AbortSignal | undefined;
}

/** A page of records. */
export interface Found<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** Cursor of the next page of a search with `deep_paging_id`; undefined on the last one. */
  readonly next: string | undefined;
}

/** Counts by value, by field. */
export type Facets = Readonly<Record<string, Readonly<Record<string, number>>>>;

type Hit = components['schemas']['Hit'];

/** Returns the records of a query. `Row` is what the fields of the search (`fl`) and its index give. */
export async function searchRecords<Row extends object = Hit>(
  search: RecordSearch,
  options: SearchOptions = {},
): Promise<Found<Row>> {
  const params = { path: { indexes: options.indexes ?? 'hit' } };
  const body = { ...search, filters: [...(search.filters ?? [])] };
  const answer = await dataOf(alerts.POST('/api/v2/search/{indexes}', { params, body, ...read(options) }));
  // The description of the answer leaves the members of the items open.
  return { items: answer.items as unknown as Row[], total: answer.total, next: answer.next_deep_paging_id };
}

/** Returns how many records of one index match a query. */
export async function countRecords(search: RecordCount, options: SearchOptions = {}): Promise<number> {
  const params = { path: { index: options.indexes ?? 'hit' } };
  const body = { ...search, filters: [...(search.filters ?? [])] };
  return (await dataOf(alerts.POST('/api/v2/search/count/{index}', { params, body, ...read(options) }))).count;
}

/** Counts the values of fields among the records of a query. */
export function facetsOf(search: FacetSearch, options: SearchOptions = {}): Promise<Facets> {
  const params = { path: { indexes: options.indexes ?? 'hit' } };
  const body = { ...search, fields: [...search.fields], filters: [...(search.filters ?? [])] };
  return dataOf(alerts.POST('/api/v2/search/facet/{indexes}', { params, body, ...read(options) }));
}

/** The kinds of records whose items carry their identifier only in version 1 of the search. */
type NamedKind = 'action' | 'analytic' | 'case' | 'user' | 'view';
type KindSearch = Omit<Posted<'/api/v1/search/{index}'>, 'filters'>;

/** Returns records of one kind, with identifiers under the names of the kind, such as `view_id`. */
export async function searchKind<Row extends object = Readonly<Record<string, unknown>>>(
  index: NamedKind,
  search: KindSearch,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const options = { params: { path: { index } }, body: search, ...read({ signal }) };
  return (await dataOf(alerts.POST('/api/v1/search/{index}', options))).items as unknown as Row[];
}

function read({ signal }: SearchOptions) {
  return { headers: READ_HEADERS, ...(signal === undefined ? {} : { signal }) };
}
