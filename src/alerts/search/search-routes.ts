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

const { IndexParameter, IndexesParameter } = schemas;

/** `/api/v1/search/*`: one kind of document at a time. */
export const searchRoutes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    const endpoint = <Params extends TProperties, Input extends TimedInput>(
      path: string,
      about: Omit<SearchEndpoint<Params, Input>, 'version' | 'path' | 'run'>,
      run: SearchEndpoint<Params, Input>['run'],
    ) => registerSearch(app, shares, { version: 1, path, ...about, run });

    endpoint(
      ':index',
      {
        summary: 'Search one kind of document',
        params: IndexParameter,
        input: schemas.SearchBody,
        reply: schemas.SearchReply,
      },
      ({ actor, params, input }) => search.search(actor, params.index, input),
    );

    endpoint(
      'count/:index',
      {
        summary: 'Count the documents that match',
        params: IndexParameter,
        input: schemas.CountBody,
        reply: schemas.CountReply,
      },
      async ({ actor, params, input }) => ({ count: await search.count(actor, params.index, input) }),
    );

    endpoint(
      'facet/:index',
      {
        summary: 'Count the values of several fields',
        params: IndexParameter,
        input: schemas.FacetsBody,
        reply: schemas.FacetsReply,
      },
      ({ actor, params, input }) => aggregations.facets(actor, params.index, input.fields, input),
    );

    endpoint(
      'facet/:index/:field',
      {
        summary: 'Count the values of a field',
        params: { ...IndexParameter, field: Type.String() },
        input: schemas.FacetBody,
        reply: schemas.CountsReply,
      },
      ({ actor, params, input }) => aggregations.facet(actor, params.index, params.field, input),
    );

    endpoint(
      'histogram/:index/:field',
      {
        summary: 'Count documents by steps of a number or date',
        params: { ...IndexParameter, field: Type.String() },
        input: schemas.HistogramBody,
        reply: schemas.CountsReply,
      },
      ({ actor, params, input }) => aggregations.histogram(actor, params.index, params.field, input),
    );

    endpoint(
      'stats/:index/:int_field',
      {
        summary: 'Figures of a numeric field',
        params: { ...IndexParameter, int_field: Type.String() },
        input: schemas.SelectionBody,
        reply: schemas.StatsReply,
      },
      ({ actor, params, input }) => aggregations.stats(actor, params.index, params.int_field, input),
    );

    endpoint(
      'grouped/:index/:group_field',
      {
        summary: 'Group documents by a field',
        params: { ...IndexParameter, group_field: Type.String() },
        input: schemas.GroupBody,
        reply: schemas.GroupReply,
      },
      ({ actor, params, input }) => search.group(actor, params.index, params.group_field, input),
    );

    app.get(
      '/api/v1/search/fields/:index',
      {
        access: READ,
        schema: {
          tags: ['search'],
          summary: 'List the fields of a kind of document, or of ALL',
          params: pathParameters('index'),
          response: { 200: schemas.FieldsReply },
        },
      },
      async ({ actor, params: { index } }) =>
        index === 'ALL' ? allFieldCatalogues() : search.fields(actor, searchableDocument(index)),
    );
  };

/** `/api/v2/search/*`: several kinds at once, `hit,event`, and whole documents. */
export const searchV2Routes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    registerSearch(app, shares, {
      version: 2,
      path: ':indexes',
      summary: 'Search several kinds of documents',
      params: IndexesParameter,
      input: schemas.SearchV2Body,
      reply: schemas.SearchReply,
      run: ({ actor, params, input }) => search.searchAcross(actor, params.indexes, input),
    });

    registerSearch(app, shares, {
      version: 2,
      path: 'count/:index',
      summary: 'Count the documents that match',
      params: IndexParameter,
      input: schemas.CountBody,
      reply: schemas.CountReply,
      run: async ({ actor, params, input }) => ({ count: await search.count(actor, params.index, input) }),
    });

    registerSearch(app, shares, {
      version: 2,
      path: 'facet/:indexes',
      summary: 'Count the values of fields over several kinds of documents',
      params: IndexesParameter,
      input: schemas.FacetsBody,
      reply: schemas.FacetsReply,
      run: ({ actor, params, input }) => aggregations.facetsAcross(actor, params.indexes, input.fields, input),
    });
  };
