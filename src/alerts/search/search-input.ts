import { MAX_RESULT_WINDOW, type SortClause } from '../../datastore/port/search.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { splitFieldList } from './fields/field-selection.ts';
import type { SearchArguments } from './search-arguments.ts';
import type { SearchDeadline } from './search-shares.ts';
import { readSort } from './sort-clauses.ts';

/** What every question over documents has. */
export interface SelectionInput {
  /** Lucene text. Undefined: every document. */
  readonly query: string | undefined;
  /** Lucene texts, ANDed. */
  readonly filters: readonly string[];
  /** Of the whole request. */
  readonly deadline: SearchDeadline;
}

export interface SearchInput extends SelectionInput {
  readonly query: string;
  readonly offset: number;
  readonly rows: number;
  readonly sort: readonly SortClause[] | undefined;
  /** Names and patterns of the fields to show. Undefined: all that the version shows by itself. */
  readonly fields: readonly string[] | undefined;
  /** `*` opens a cursor, later the identifier of the answer before. */
  readonly deepPagingId: string | undefined;
  /** The largest total that is answered. */
  readonly maxTotal: number;
  readonly metadata: readonly string[];
}

export interface GroupInput extends SelectionInput {
  readonly offset: number;
  readonly rows: number;
  readonly sort: readonly SortClause[] | undefined;
  readonly groupSort: readonly SortClause[] | undefined;
  /** Documents shown of each group. */
  readonly limit: number;
  readonly fields: readonly string[] | undefined;
}

export interface FacetInput extends SelectionInput {
  readonly rows: number;
  readonly minCount: number;
}

export interface HistogramInput extends SelectionInput {
  readonly minCount: number;
  readonly start: number | string | undefined;
  readonly end: number | string | undefined;
  readonly gap: number | string | undefined;
}

const DEFAULT_ROWS = 25;
const DEFAULT_FACET_ROWS = 10;
/** Fields of one request; each is a search of its own. */
export const MAX_FACET_FIELDS = 100;
/** Milliseconds. */
const DEFAULT_TIMEOUT = 60_000;
const MAX_TIMEOUT = 600_000;
/** Above this every number means "too far"; the datastore says so. */
const MAX_NUMBER = 2_147_483_647;

/** The arguments of a request, and what ends it. */
export interface GivenSearch {
  readonly given: SearchArguments;
  readonly deadline: SearchDeadline;
}

export function readSelection({ given, deadline }: GivenSearch): SelectionInput {
  return { query: given.text('query'), filters: given.texts('filters') ?? [], deadline };
}

/** Milliseconds that the request may take. @throws InvalidInput `wrong_argument_kind`, `number_out_of_range` */
export function readTimeout(given: SearchArguments): number {
  return given.integer('timeout', { min: 1, max: MAX_TIMEOUT }) ?? DEFAULT_TIMEOUT;
}

/** @throws InvalidInput `query_missing`, `invalid_sort`, `wrong_argument_kind`, `number_out_of_range`, each naming the argument */
export function readSearch(search: GivenSearch): SearchInput {
  const { given } = search;
  return {
    ...readSelection(search),
    query: given.requiredQuery(),
    offset: given.integer('offset', { min: 0, max: MAX_NUMBER }) ?? 0,
    rows: given.integer('rows', { min: 0, max: MAX_NUMBER }) ?? DEFAULT_ROWS,
    sort: readSort(given.texts('sort')?.join(',')),
    fields: readFieldList(given),
    deepPagingId: given.text('deep_paging_id'),
    maxTotal: readMaxTotal(given),
    metadata: given.texts('metadata') ?? [],
  };
}

/** A number of `track_total_hits` is the limit of the total; any other yes asks for the exact one. */
function readMaxTotal(given: SearchArguments): number {
  if (!given.flag('track_total_hits')) return MAX_RESULT_WINDOW;
  const limit = Number(given.text('track_total_hits'));
  return Number.isInteger(limit) && limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

export function readGroup(search: GivenSearch): GroupInput {
  const { given } = search;
  return {
    ...readSelection(search),
    offset: given.integer('offset', { min: 0, max: MAX_NUMBER }) ?? 0,
    rows: given.integer('rows', { min: 0, max: MAX_NUMBER }) ?? DEFAULT_ROWS,
    sort: readSort(given.texts('sort')?.join(',')),
    groupSort: readSort(given.texts('group_sort')?.join(',')),
    limit: given.integer('limit', { min: 0, max: MAX_RESULT_WINDOW }) ?? 1,
    fields: readFieldList(given),
  };
}

export function readFacet(search: GivenSearch): FacetInput {
  const { given } = search;
  return {
    ...readSelection(search),
    rows: given.integer('rows', { min: 1, max: MAX_RESULT_WINDOW }) ?? DEFAULT_FACET_ROWS,
    // 0 counts as not given, as in the public system: values that do not occur are never listed.
    minCount: given.integer('mincount', { min: 0, max: MAX_NUMBER }) || 1,
  };
}

export function readHistogram(search: GivenSearch): HistogramInput {
  const { given } = search;
  return {
    ...readSelection(search),
    minCount: given.integer('mincount', { min: 0, max: MAX_NUMBER }) ?? 1,
    start: given.numberOrText('start'),
    end: given.numberOrText('end'),
    gap: given.numberOrText('gap'),
  };
}

/** The fields to facet on. @throws InvalidInput `fields_missing`, `too_many_fields` */
export function readFieldNames(given: SearchArguments): readonly string[] {
  const fields = given.texts('fields');
  if (fields !== undefined && fields.length > MAX_FACET_FIELDS) {
    const message = `The argument fields lists ${fields.length} fields to facet on; at most ${MAX_FACET_FIELDS} are allowed.`;
    throw new InvalidInput('too_many_fields', message, { at: 'fields' });
  }
  if (fields !== undefined) return fields;
  throw new InvalidInput('fields_missing', 'The argument fields must list the fields to facet on.', { at: 'fields' });
}

function readFieldList(given: SearchArguments): readonly string[] | undefined {
  return splitFieldList(given.texts('fl')?.join(','));
}
