import { type CollectionDefinition, definedField } from '../../documents/schema/collection-definition.ts';
import type { FlatField, SearchKind } from '../../documents/schema/field-types.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type {
  AggregatedPath,
  CheckedCursor,
  CheckedFacet,
  CheckedGroup,
  CheckedHistogram,
  CheckedPage,
  CheckedSelection,
  CheckedSort,
  CheckedStats,
  CheckedStream,
} from './datastore-adapter.ts';
import { rejectUngroupableKind, ungroupable } from './grouped-field.ts';
import { fieldPick } from './picked-fields.ts';
import { allOf, withScore } from './query-tree.ts';
import { accessFilter, admits, type ReadAccess } from './read-access.ts';
import {
  type FacetRequest,
  type GroupRequest,
  type HistogramRequest,
  MAX_RESULT_WINDOW,
  type SearchRequest,
  type Selection,
  type SortClause,
  type StatsRequest,
  type StreamRequest,
} from './search.ts';

type Definition = CollectionDefinition<unknown>;

const DEFAULT_ROWS = 25;
const DEFAULT_FACET_ROWS = 10;
const BY_COUNT = { by: 'count', direction: 'desc' } as const;
const OPENING_CURSOR = '*';
/** Ignored among the criteria of a sort, where every document is as good as any other. */
const SCORE = '_score';
const BY_RELEVANCE: readonly CheckedSort[] = [
  { field: SCORE, kind: 'score', order: 'desc', missing: 'last', mode: 'max' },
];
/** Order of insertion, as search engines name it. */
const INSERTION = '_doc';

const UNORDERED: ReadonlySet<SearchKind> = new Set(['text', 'ssdeep', 'none']);
const KEYWORDS: readonly SearchKind[] = ['keyword', 'lowercase_keyword'];
const NUMBERS: readonly SearchKind[] = ['integer', 'long', 'float', 'boolean', 'date'];

export function checkedSelection(
  definition: Definition,
  { query, filters = [], timeout, signal }: Selection,
  access: ReadAccess,
): CheckedSelection {
  return {
    query: allOf(query, ...filters),
    access: accessFilter(definition, access),
    admits: (document) => admits(definition, access, document),
    timeout,
    signal,
  };
}

/** @throws InvalidInput `result_window_too_large`, `invalid_rows`, `unknown_sort_field` */
export function checkedPage(definition: Definition, request: SearchRequest, access: ReadAccess): CheckedPage {
  const { offset = 0, rows = DEFAULT_ROWS, byRelevance = false } = request;
  checkWindow(offset, rows);
  const selection = byRelevance ? withoutFilterScores(request) : request;
  return {
    ...checkedSelection(definition, selection, access),
    sortKeys: byRelevance,
    offset,
    rows,
    sort: byRelevance ? BY_RELEVANCE : checkedSort(definition, request.sort),
    fields: fieldPick(request.fields),
  };
}

/** Returns the selection with its filters in the query, where they decide and do not score. */
function withoutFilterScores({ query, filters = [], ...rest }: SearchRequest): Selection {
  const must = [query, ...filters.map((filter) => withScore(filter, 0))];
  return { ...rest, query: { kind: 'boolean', must, should: [], mustNot: [] } };
}

/** @throws as `checkedPage` */
export function checkedCursor(
  definition: Definition,
  request: SearchRequest & { readonly cursor: string },
  access: ReadAccess,
): CheckedCursor {
  const whole = { ...request, offset: 0, byRelevance: false };
  const { offset: _offset, sortKeys: _sortKeys, ...page } = checkedPage(definition, whole, access);
  return { ...page, cursor: request.cursor === OPENING_CURSOR ? undefined : request.cursor };
}

/** Returns undefined when nothing is found; throws `invalid_rows`, `field_not_aggregatable`. */
export function checkedFacet(
  definition: Definition,
  request: FacetRequest,
  access: ReadAccess,
): CheckedFacet | undefined {
  const { filters: _filters, ...own } = request;
  const { rows = DEFAULT_FACET_ROWS, include, exclude, minCount = 1, order = BY_COUNT } = own;
  if (!(rows > 0)) throw new InvalidInput('invalid_rows', 'The number of values has to be positive.', { at: 'rows' });
  const field = aggregatedPath(definition, request.field);
  if (!field) return undefined;
  if ([include, exclude].some((limit) => typeof limit === 'string') && !KEYWORDS.includes(field.searchKind)) {
    const message = `The values of ${field.path} cannot be limited by a pattern; give a list.`;
    throw new InvalidInput('field_not_aggregatable', message, { at: field.path });
  }
  if (include?.length === 0 && typeof include !== 'string') return undefined;
  return { ...own, ...checkedSelection(definition, request, access), rows, minCount, order, field };
}

/** @throws InvalidInput `field_not_aggregatable` */
export function checkedHistogram(
  definition: Definition,
  request: HistogramRequest,
  access: ReadAccess,
): CheckedHistogram {
  const { filters: _filters, ...own } = request;
  return {
    ...own,
    ...checkedSelection(definition, request, access),
    field: aggregatedPath(definition, request.field, request.interval.kind === 'number' ? NUMBERS : ['date']),
    minCount: request.minCount ?? 0,
    offset: request.offset ?? 0,
    timeZone: request.timeZone ?? 'UTC',
  };
}

/** Returns undefined when nothing is found; throws `field_not_aggregatable`. */
export function checkedStats(
  definition: Definition,
  request: StatsRequest,
  access: ReadAccess,
): CheckedStats | undefined {
  const { filters: _filters, ...own } = request;
  const field = aggregatedPath(definition, request.field, NUMBERS);
  return field && { ...own, ...checkedSelection(definition, request, access), field };
}

/** @throws as `checkedPage`; InvalidInput `group_field_unsupported`, `field_not_aggregatable` */
export function checkedGroup(definition: Definition, request: GroupRequest, access: ReadAccess): CheckedGroup {
  const page = checkedPage(definition, request, access);
  const { field: path, limit = 1 } = request;
  rejectUngroupableKind(path, definedField(definition, path));
  const field = aggregatedPath(definition, path);
  if (!field) throw ungroupable(path, 'missing');
  return { ...page, field, limit, groupSort: checkedSort(definition, request.groupSort) };
}

export function checkedStream(definition: Definition, request: StreamRequest, access: ReadAccess): CheckedStream {
  return { ...checkedSelection(definition, request, access), fields: fieldPick(request.fields) };
}

function checkWindow(offset: number, rows: number): void {
  for (const [at, value] of Object.entries({ offset, rows })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new InvalidInput('invalid_rows', `${at} has to be a whole number that is not negative.`, { at });
  }
  if (offset + rows <= MAX_RESULT_WINDOW) return;
  const message = `offset + rows must not exceed ${MAX_RESULT_WINDOW}. Use a cursor to read further.`;
  throw new InvalidInput('result_window_too_large', message, { at: 'offset' });
}

function checkedSort(definition: Definition, given: readonly SortClause[] | undefined): readonly CheckedSort[] {
  return (given ?? definition.defaultSort)
    .filter(({ field }) => field !== SCORE)
    .map((clause: SortClause) => {
      const { field, order, missing = 'last', mode = order === 'asc' ? 'min' : 'max' } = clause;
      return { field, order, missing, mode, kind: sortKind(definition, clause) };
    });
}

function sortKind(definition: Definition, { field: path, unmapped }: SortClause): CheckedSort['kind'] {
  if (path === INSERTION) return 'insertion';
  const field = definedField(definition, path);
  if (field === undefined && unmapped === 'missing') return 'absent';
  if (hasOrder(field)) return field.searchKind;
  throw new InvalidInput('unknown_sort_field', `There is no field ${path} that can be sorted by.`, { at: path });
}

/** Undefined: the collection does not have the field. */
function aggregatedPath(
  definition: Definition,
  path: string,
  kinds?: readonly SearchKind[],
): AggregatedPath | undefined {
  const field = definedField(definition, path);
  if (!field) return undefined;
  const { searchKind } = field;
  if (hasOrder(field) && (kinds === undefined || kinds.includes(searchKind))) return { path, searchKind };
  const message = `The field ${path} cannot be used for this kind of counting.`;
  throw new InvalidInput('field_not_aggregatable', message, { at: path });
}

function hasOrder(field: FlatField | undefined): field is FlatField {
  return field?.indexed === true && !UNORDERED.has(field.searchKind);
}
