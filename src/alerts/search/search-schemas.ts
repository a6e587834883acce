import { type Static, Type } from 'typebox';
import { MAX_RESULT_WINDOW } from '../../datastore/port/search.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import {
  anyText,
  converted,
  flag,
  integer,
  joinedText,
  listOf,
  reading,
  refusing,
  text,
} from '../../input/input-kinds.ts';
import { splitFieldList } from '../../search/field-selection.ts';
import type { SearchDeadline } from '../../search/search-shares.ts';
import { readSort } from '../../search/sort-clauses.ts';
import { totalLimit } from '../../search/total-limit.ts';
import { searchableDocument, searchableDocuments } from './search-collections.ts';

/** Milliseconds. */
const MAX_TIMEOUT = 600_000;
/** Fields of one request; each is a search of its own. */
export const MAX_FACET_FIELDS = 100;
/** Above this every number means "too far"; the datastore says so. */
const MAX_NUMBER = 2_147_483_647;
/** A body that is absent or not JSON searches for everything, as in the public system. */
const EVERYTHING = { default: { query: '*:*' } };

const INDEX_PARAMETER = { description: 'Kind of the documents: hit, event, case and others.', examples: ['hit'] };

/** The kind of documents of a path. @throws InvalidInput `unknown_index` */
export const IndexParameter = { index: converted(Type.String(INDEX_PARAMETER), searchableDocument) };
export const ExplainedIndexParameter = {
  index: converted(Type.String(INDEX_PARAMETER), (name) => searchableDocument(name, 'index', 'explain')),
};
export const IndexesParameter = {
  indexes: converted(
    Type.String({ description: 'Kinds of documents, separated by commas.', examples: ['hit,event'] }),
    searchableDocuments,
  ),
};

/** Deadline of the whole request. */
interface InTime {
  readonly deadline: SearchDeadline;
}

const selection = {
  query: Type.Optional(anyText({ description: 'Lucene query.', examples: ['howler.status:open'] })),
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
};
const query = refusing(anyText({ description: 'Lucene query.', examples: ['howler.status:open'] }), ({ kind }) =>
  kind === 'missing' ? new InvalidInput('query_missing', 'There was no search query.', { at: 'query' }) : undefined,
);
const page = {
  offset: integer({
    minimum: 0,
    maximum: MAX_NUMBER,
    default: 0,
    description: 'Documents to skip; offset and rows together at most 10,000.',
  }),
  rows: integer({ minimum: 0, maximum: MAX_NUMBER, default: 25, description: 'Documents of a page.' }),
};
export const sort = Type.Optional(
  converted(joinedText({ description: 'For example `event.created desc,howler.score asc`.' }), readSort),
);
export const fl = Type.Optional(
  converted(
    joinedText({ description: 'Fields to show, separated by commas; `*` in a name stands for any text.' }),
    splitFieldList,
  ),
);

const SearchFields = {
  ...selection,
  query,
  ...page,
  sort,
  fl,
  deep_paging_id: Type.Optional(
    anyText({
      description: '`*` for the first page, then `next_deep_paging_id` of the page before. Lives five minutes.',
    }),
  ),
  track_total_hits: totalLimit,
  metadata: listOf(anyText({ keepEmpty: true }), {
    description: 'For hits: template, overview, analytic, dossiers.',
    default: [],
  }),
};
export const SearchBody = Type.Object(SearchFields, EVERYTHING);
export type SearchInput = Static<typeof SearchBody> & InTime;

export const SearchV2Body = Type.Object(
  {
    ...SearchFields,
    use_archive: converted(flag({ other: true }), (isAsked) => {
      if (!isAsked) return false;
      throw new InvalidInput('archive_missing', 'There is no archive to search: leave use_archive out.', {
        at: 'use_archive',
      });
    }),
  },
  EVERYTHING,
);

const Item = Type.Record(Type.String(), Type.Unknown());

export const SearchReply = Type.Object({
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(Item),
  next_deep_paging_id: Type.Optional(Type.String()),
});

export const CountBody = Type.Object({ ...selection, query }, EVERYTHING);
export const CountReply = Type.Object({ count: Type.Integer() });

export const ExplainBody = Type.Object(
  {
    // An empty object counts as no query, and a number is refused, as in the public system.
    query: refusing(text({ description: 'Lucene query.', examples: ['howler.status:open'] }), ({ kind, value }) =>
      kind === 'missing' || isObject(value)
        ? new InvalidInput('query_missing', 'There was no query.', { at: 'query' })
        : undefined,
    ),
    timeout: selection.timeout,
  },
  EVERYTHING,
);
export const ExplainReply = Type.Object({
  valid: Type.Boolean(),
  explanations: Type.Array(
    Type.Object({
      valid: Type.Boolean(),
      explanation: Type.Optional(
        Type.String({ description: "How the query is read, in Lucene's notation; the first 10,000 characters." }),
      ),
      error: Type.Optional(
        Type.String({ description: 'Code, zero-based position in the query and reason why it is refused.' }),
      ),
    }),
  ),
});

const mincount = {
  minimum: 0,
  maximum: MAX_NUMBER,
  default: 1,
  description: 'Fewest documents of a listed value or step.',
};
const FacetFields = {
  ...selection,
  rows: integer({ minimum: 1, maximum: MAX_RESULT_WINDOW, default: 10, description: 'Values to list.' }),
  // 0 counts as 1, as in the public system: values that do not occur are never listed.
  mincount: converted(integer(mincount), (count) => Math.max(1, count)),
};
export const FacetBody = Type.Object(FacetFields, EVERYTHING);
export type FacetInput = Static<typeof FacetBody> & InTime;

export const FacetsBody = Type.Object(
  {
    ...FacetFields,
    fields: refusing(
      listOf(anyText({ keepEmpty: true }), {
        description: 'Fields to facet on.',
        maxItems: MAX_FACET_FIELDS,
        examples: [['howler.status']],
      }),
      ({ kind, value }) => {
        if (kind === 'missing') {
          const message = 'The argument fields must list the fields to facet on.';
          return new InvalidInput('fields_missing', message, { at: 'fields' });
        }
        if (!Array.isArray(value)) return undefined;
        const message = `The argument fields lists ${value.length} fields to facet on; at most ${MAX_FACET_FIELDS} are allowed.`;
        return new InvalidInput('too_many_fields', message, { at: 'fields' });
      },
    ),
  },
  EVERYTHING,
);
export type FacetsInput = Static<typeof FacetsBody> & InTime;
export const CountsReply = Type.Record(Type.String(), Type.Integer());
export const FacetsReply = Type.Record(Type.String(), CountsReply);

const edge = Type.Optional(
  reading(Type.Union([Type.Number(), Type.String()]), {
    accept: (value) => (value === '' ? undefined : typeof value === 'bigint' ? String(value) : value),
  }),
);
export const HistogramBody = Type.Object(
  { ...selection, mincount: integer(mincount), start: edge, end: edge, gap: edge },
  EVERYTHING,
);
export type HistogramInput = Static<typeof HistogramBody> & InTime;

export const SelectionBody = Type.Object(selection, EVERYTHING);
export type SelectionInput = Static<typeof SelectionBody> & InTime;
const figure = Type.Union([Type.Number(), Type.Null()]);
export const StatsReply = Type.Object({
  count: Type.Integer(),
  min: figure,
  max: figure,
  avg: figure,
  sum: Type.Number(),
});

export const GroupBody = Type.Object(
  {
    ...selection,
    ...page,
    sort,
    group_sort: Type.Optional(converted(joinedText({ description: 'Order inside a group, as `sort`.' }), readSort)),
    limit: integer({
      minimum: 0,
      maximum: MAX_RESULT_WINDOW,
      default: 1,
      description: 'Documents of each group. All groups together show at most 10,000: large groups show fewer.',
    }),
    fl,
  },
  EVERYTHING,
);
export type GroupInput = Static<typeof GroupBody> & InTime;
export const GroupReply = Type.Object({
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(
    Type.Object({
      value: Type.Union([Type.String(), Type.Number(), Type.Null()]),
      total: Type.Integer(),
      items: Type.Array(Item),
    }),
  ),
});

export const FieldsReply = Type.Record(Type.String(), Type.Unknown());
