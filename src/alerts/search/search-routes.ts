import { type TProperties, Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { READ } from '../record-access.ts';
import type { AggregationService } from './aggregation-service.ts';
import { allFieldCatalogues } from './fields/all-field-catalogues.ts';
import { registerSearch, type SearchEndpoint, type TimedInput } from './register-search-routes.ts';
import { searchableDocument } from './search-collections.ts';
import * as schemas from './search-schemas.ts';
import type { SearchService } from './search-service.ts';
import type { SearchShares } from './search-shares.ts';

export interface SearchRouteDependencies {
  search: SearchService;
  aggregations: AggregationService;
  shares: SearchShares;
}

const byIndex = schemas.IndexParameter;
const byIndexes = schemas.IndexesParameter;
const { SearchReply, FacetsReply, CountsReply } = schemas;

/**
 * `/api/v1/search/*`: one kind of document at a time.
 * `/api/v2/search/*`: several kinds at once, `hit,event`, and whole documents.
 */
export const searchRoutes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    const endpoint =
      (version: 1 | 2) =>
      <Params extends TProperties, Input extends TimedInput>(
        path: string,
        summary: string,
        schema: Pick<SearchEndpoint<Params, Input>, 'params' | 'input' | 'reply'>,
        run: SearchEndpoint<Params, Input>['run'],
      ) =>
        registerSearch(app, shares, { version, path, summary, ...schema, run });
    const v1 = endpoint(1);
    const v2 = endpoint(2);

    v1(
      ':index',
      'Search one kind of document',
      { params: byIndex, input: schemas.SearchBody, reply: SearchReply },
      ({ actor, params, input }) => search.search(actor, params.index, input),
    );
    v2(
      ':indexes',
      'Search several kinds of documents',
      { params: byIndexes, input: schemas.SearchV2Body, reply: SearchReply },
      ({ actor, params, input }) => search.searchAcross(actor, params.indexes, input),
    );
    for (const register of [v1, v2]) {
      register(
        'count/:index',
        'Count the documents that match',
        { params: byIndex, input: schemas.CountBody, reply: schemas.CountReply },
        async ({ actor, params, input }) => ({ count: await search.count(actor, params.index, input) }),
      );
    }
    v1(
      'facet/:index',
      'Count the values of several fields',
      { params: byIndex, input: schemas.FacetsBody, reply: FacetsReply },
      ({ actor, params, input }) => aggregations.facets(actor, params.index, input),
    );
    v2(
      'facet/:indexes',
      'Count the values of fields over several kinds of documents',
      { params: byIndexes, input: schemas.FacetsBody, reply: FacetsReply },
      ({ actor, params, input }) => aggregations.facetsAcross(actor, params.indexes, input),
    );
    v1(
      'facet/:index/:field',
      'Count the values of a field',
      { params: { ...byIndex, field: Type.String() }, input: schemas.FacetBody, reply: CountsReply },
      ({ actor, params, input }) => aggregations.facet(actor, params.index, params.field, input),
    );
    v1(
      'histogram/:index/:field',
      'Count documents by steps of a number or date',
      { params: { ...byIndex, field: Type.String() }, input: schemas.HistogramBody, reply: CountsReply },
      ({ actor, params, input }) => aggregations.histogram(actor, params.index, params.field, input),
    );
    v1(
      'stats/:index/:int_field',
      'Figures of a numeric field',
      { params: { ...byIndex, int_field: Type.String() }, input: schemas.SelectionBody, reply: schemas.StatsReply },
      ({ actor, params, input }) => aggregations.stats(actor, params.index, params.int_field, input),
    );
    v1(
      'grouped/:index/:group_field',
      'Group documents by a field',
      { params: { ...byIndex, group_field: Type.String() }, input: schemas.GroupBody, reply: schemas.GroupReply },
      ({ actor, params, input }) => search.group(actor, params.index, params.group_field, input),
    );

    app.get(
      '/api/v1/search/fields/:index',
      {
        access: READ,
        schema: {
          summary: 'List the fields of a kind of document, or of ALL',
          params: pathParameters('index'),
          response: { 200: schemas.FieldsReply },
        },
      },
      async ({ actor, params: { index } }) =>
        index === 'ALL' ? allFieldCatalogues() : search.fields(actor, searchableDocument(index)),
    );
  };
