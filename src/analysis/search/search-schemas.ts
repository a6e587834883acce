import { type Static, Type } from 'typebox';
import { MAX_RESULT_WINDOW } from '../../datastore/port/search.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { anyText, converted, flag, integer, joinedText, listOf, reading, refusing } from '../../input/input-kinds.ts';
import { splitFieldList } from '../../search/field-selection.ts';
import { readSort } from '../../search/sort-clauses.ts';
import { totalLimit } from '../../search/total-limit.ts';

/** Milliseconds. */
const MAX_TIMEOUT = 600_000;
/** Above this every number means "too far"; the datastore says so. */
const MAX_NUMBER = 2_147_483_647;
/** Values of one facet. */
const MAX_FACET_SIZE = 100;
const MAX_GROUP_LIMIT = 100;

const LUCENE = { description: 'Lucene query.', examples: ['sid:*'] };
const INDEX: readonly [string, string] = ['Name of the index; `results` is the same as `result`.', 'submission'];

export const ByIndex = pathParameters({ index: INDEX });
export const ByField = pathParameters({ index: INDEX, field: ['Path of the field.', 'state'] });
export const ByHistogramField = pathParameters({
  index: INDEX,
  field: ['Path of an integer or a date.', 'times.submitted'],
});
export const ByNumericField = pathParameters({ index: INDEX, int_field: ['Path of the field.', 'max_score'] });
export const ByGroupField = pathParameters({ index: INDEX, group_field: ['Path of the field.', 'params.submitter'] });
export const FieldsIndex = pathParameters({ index: ['Name of the index, or `ALL`.', 'submission'] });

const selection = {
  filters: listOf(anyText({ keepEmpty: true }), {
    description: 'Further Lucene queries; all of them have to match.',
    default: [],
  }),
  timeout: integer({
    minimum: 1,
    maximum: MAX_TIMEOUT,
    default: 60_000,
    description: 'Milliseconds after which the request is given up.',
  }),
  use_archive: flag({ description: 'Search the archive too.' }),
  archive_only: flag({ description: 'Search the archive alone.' }),
};

const everything = Type.Optional(anyText(LUCENE));
const page = {
  offset: integer({
    minimum: 0,
    maximum: MAX_NUMBER,
    default: 0,
    description: 'Documents to skip; offset and rows together at most 10,000.',
  }),
};
const sort = Type.Optional(
  converted(joinedText({ description: 'For example `times.submitted desc,max_score asc`.' }), (text) =>
    readSort(text, { defaultOrder: 'asc' }),
  ),
);
const fl = Type.Optional(
  converted(joinedText({ description: 'Fields to show, separated by commas; `*`: all.' }), splitFieldList),
);

export const SearchInput = Type.Object({
  ...selection,
  ...page,
  query: refusing(anyText(LUCENE), ({ kind }) =>
    kind === 'missing' ? new InvalidInput('query_missing', 'There was no search query.', { at: 'query' }) : undefined,
  ),
  rows: integer({ minimum: 0, maximum: MAX_NUMBER, default: 25, description: 'Documents of a page.' }),
  sort,
  fl,
  deep_paging_id: Type.Optional(
    anyText({
      description: '`*` for the first page, then `next_deep_paging_id` of the page before. Lives five minutes.',
    }),
  ),
  track_total_hits: totalLimit,
});
export type SearchInput = Static<typeof SearchInput>;

export const FacetInput = Type.Object({
  ...selection,
  query: everything,
  mincount: integer({
    minimum: 0,
    maximum: MAX_NUMBER,
    default: 1,
    description: 'Fewest documents of a listed value.',
  }),
  size: integer({ minimum: 1, maximum: MAX_NUMBER, default: 10, description: 'Values to list, at most 100.' }),
});
export type FacetInput = Static<typeof FacetInput>;
export const facetSize = ({ size }: FacetInput): number => Math.min(size, MAX_FACET_SIZE);

const edge = Type.Optional(
  reading(Type.Union([Type.Number(), Type.String()]), {
    accept: (value) => (value === '' ? undefined : typeof value === 'bigint' ? String(value) : value),
  }),
);
export const HistogramInput = Type.Object({
  ...selection,
  query: everything,
  mincount: integer({ minimum: 0, maximum: MAX_NUMBER, default: 1, description: 'Fewest documents of a step.' }),
  start: edge,
  end: edge,
  gap: edge,
});
export type HistogramInput = Static<typeof HistogramInput>;

export const StatsInput = Type.Object({ ...selection, query: everything });
export type StatsInput = Static<typeof StatsInput>;

export const GroupInput = Type.Object({
  ...selection,
  ...page,
  query: everything,
  rows: Type.Optional(integer({ minimum: 0, maximum: MAX_RESULT_WINDOW, description: 'Groups of a page.' })),
  offset: Type.Optional(integer({ minimum: 0, maximum: MAX_RESULT_WINDOW, description: 'Groups to skip.' })),
  limit: integer({ minimum: 0, maximum: MAX_GROUP_LIMIT, default: 1, description: 'Documents of a group.' }),
  sort,
  group_sort: sort,
  fl,
});
export type GroupInput = Static<typeof GroupInput>;

const Item = Type.Record(Type.String(), Type.Unknown());
const EchoedNumber = Type.Union([Type.Integer(), Type.String()]);

export const SearchReply = Type.Object({
  items: Type.Array(Item),
  next_deep_paging_id: Type.Optional(Type.String()),
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Union([Type.Integer(), Type.Null()]),
});
export const CountsReply = Type.Record(Type.String(), Type.Integer());
const figure = Type.Union([Type.Number(), Type.Null()]);
export const StatsReply = Type.Object({
  avg: figure,
  count: Type.Integer(),
  max: figure,
  min: figure,
  sum: Type.Number(),
});
export const GroupReply = Type.Object({
  items: Type.Array(
    Type.Object({
      items: Type.Array(Item),
      total: Type.Integer(),
      value: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    }),
  ),
  offset: EchoedNumber,
  rows: EchoedNumber,
  total: Type.Integer(),
});
export const FieldsReply = Type.Record(Type.String(), Type.Unknown());
