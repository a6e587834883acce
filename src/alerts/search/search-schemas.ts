import { Type } from '../../schema/type.ts';

const filters = Type.Array(Type.String(), { description: 'Further Lucene queries; all of them have to match.' });
const query = Type.String({ description: 'Lucene query.' });
const rows = Type.Integer({ minimum: 0, default: 25, description: 'Documents of a page.' });
const offset = Type.Integer({
  minimum: 0,
  default: 0,
  description: 'Documents to skip; offset and rows together at most 10,000.',
});
const sort = Type.String({ description: 'For example `event.created desc,howler.score asc`.' });
const fl = Type.String({ description: 'Fields to show, separated by commas; `*` in a name stands for any text.' });

export const SearchBody = Type.Object({
  query,
  filters: Type.Optional(filters),
  offset: Type.Optional(offset),
  rows: Type.Optional(rows),
  sort: Type.Optional(sort),
  fl: Type.Optional(fl),
  timeout: Type.Optional(Type.Integer({ description: 'Milliseconds after which the search is given up.' })),
  deep_paging_id: Type.Optional(
    Type.String({
      description: '`*` for the first page, then `next_deep_paging_id` of the page before. Lives five minutes.',
    }),
  ),
  track_total_hits: Type.Optional(
    Type.Union([Type.Boolean(), Type.Integer()], {
      description: 'True: the exact total. A number: the largest total to report, 10,000 by default.',
    }),
  ),
  metadata: Type.Optional(
    Type.Array(Type.String(), { description: 'For hits: template, overview, analytic, dossiers.' }),
  ),
});

const Item = Type.Record(Type.String(), Type.Unknown());

export const SearchReply = Type.Object({
  offset: Type.Integer(),
  rows: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(Item),
  next_deep_paging_id: Type.Optional(Type.String()),
});

export const CountBody = Type.Object({ query, filters: Type.Optional(filters) });
export const CountReply = Type.Object({ count: Type.Integer() });

const mincount = Type.Integer({ minimum: 0, default: 1, description: 'Fewest documents of a listed value or step.' });
const facetRows = Type.Integer({ minimum: 1, default: 10, description: 'Values to list.' });

export const FacetBody = Type.Object({
  query: Type.Optional(query),
  filters: Type.Optional(filters),
  rows: Type.Optional(facetRows),
  mincount: Type.Optional(mincount),
});
export const FacetsBody = Type.Object({ ...FacetBody.properties, fields: Type.Array(Type.String()) });
export const CountsReply = Type.Record(Type.String(), Type.Integer());
export const FacetsReply = Type.Record(Type.String(), CountsReply);

const edge = Type.Union([Type.Integer(), Type.String()]);
export const HistogramBody = Type.Object({
  query: Type.Optional(query),
  filters: Type.Optional(filters),
  mincount: Type.Optional(mincount),
  start: Type.Optional(edge),
  end: Type.Optional(edge),
  gap: Type.Optional(edge),
});

export const StatsBody = Type.Object({ query: Type.Optional(query), filters: Type.Optional(filters) });
const figure = Type.Union([Type.Number(), Type.Null()]);
export const StatsReply = Type.Object({
  count: Type.Integer(),
  min: figure,
  max: figure,
  avg: figure,
  sum: Type.Number(),
});

export const GroupBody = Type.Object({
  query: Type.Optional(query),
  filters: Type.Optional(filters),
  offset: Type.Optional(offset),
  rows: Type.Optional(rows),
  sort: Type.Optional(sort),
  group_sort: Type.Optional(Type.String({ description: 'Order inside a group, as `sort`.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 1,
      description: 'Documents of each group. All groups together show at most 10,000: large groups show fewer.',
    }),
  ),
  fl: Type.Optional(fl),
});
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
