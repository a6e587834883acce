import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { READ } from '../record-access.ts';
import type { AggregationService } from './aggregation-service.ts';
import { allFieldCatalogues } from './fields/all-field-catalogues.ts';
import { registerSearch, type SearchCall, type SearchEndpoint } from './register-search-routes.ts';
import { searchableDocument } from './search-collections.ts';
import { withSearchWording } from './search-error.ts';
import { readFacet, readFieldNames, readGroup, readHistogram, readSearch, readSelection } from './search-input.ts';
import * as schemas from './search-schemas.ts';
import type { SearchService } from './search-service.ts';
import type { SearchShares } from './search-shares.ts';

export interface SearchRouteDependencies {
  search: SearchService;
  aggregations: AggregationService;
  shares: SearchShares;
}

/** `/api/v1/search/*`: one kind of document at a time. */
export const searchRoutes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    const endpoint = (
      path: string,
      about: Pick<SearchEndpoint, 'summary' | 'body' | 'reply'>,
      run: (definition: DocumentDefinition<unknown>, call: SearchCall) => Promise<unknown>,
    ) =>
      registerSearch(app, shares, {
        path: `/api/v1/search/${path}`,
        ...about,
        wording: (_given, work) => withSearchWording(1, '', work),
        run: (call) => run(searchableDocument(call.parameter('index')), call),
      });

    endpoint(
      ':index',
      { summary: 'Search one kind of document', body: schemas.SearchBody, reply: schemas.SearchReply },
      async (definition, call) => search.search(call.actor, definition, readSearch(call)),
    );

    endpoint(
      'count/:index',
      { summary: 'Count the documents that match', body: schemas.CountBody, reply: schemas.CountReply },
      async (definition, call) => {
        call.given.requiredQuery();
        return { count: await search.count(call.actor, definition, readSelection(call)) };
      },
    );

    endpoint(
      'facet/:index',
      { summary: 'Count the values of several fields', body: schemas.FacetsBody, reply: schemas.FacetsReply },
      async (definition, call) =>
        aggregations.facets(call.actor, definition, readFieldNames(call.given), readFacet(call)),
    );

    endpoint(
      'facet/:index/:field',
      { summary: 'Count the values of a field', body: schemas.FacetBody, reply: schemas.CountsReply },
      async (definition, call) => aggregations.facet(call.actor, definition, call.parameter('field'), readFacet(call)),
    );

    endpoint(
      'histogram/:index/:field',
      {
        summary: 'Count documents by steps of a number or date',
        body: schemas.HistogramBody,
        reply: schemas.CountsReply,
      },
      async (definition, call) =>
        aggregations.histogram(call.actor, definition, call.parameter('field'), readHistogram(call)),
    );

    endpoint(
      'stats/:index/:int_field',
      { summary: 'Figures of a numeric field', body: schemas.StatsBody, reply: schemas.StatsReply },
      async (definition, call) =>
        aggregations.stats(call.actor, definition, call.parameter('int_field'), readSelection(call)),
    );

    endpoint(
      'grouped/:index/:group_field',
      { summary: 'Group documents by a field', body: schemas.GroupBody, reply: schemas.GroupReply },
      async (definition, call) => search.group(call.actor, definition, call.parameter('group_field'), readGroup(call)),
    );

    app.get<{ Params: { index: string } }>(
      '/api/v1/search/fields/:index',
      {
        access: READ,
        schema: {
          tags: ['search'],
          summary: 'List the fields of a kind of document, or of ALL',
          response: { 200: schemas.FieldsReply },
        },
      },
      async ({ actor, params: { index } }) =>
        index === 'ALL' ? allFieldCatalogues() : search.fields(actor, searchableDocument(index)),
    );
  };
