import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import type { RouteAccess, RouteModule } from '../../http/route-access.ts';
import type { AggregationService } from './aggregation-service.ts';
import { allFieldCatalogues, searchableFields } from './all-field-catalogues.ts';
import { SearchArguments } from './search-arguments.ts';
import { searchableDocument, searchableDocuments } from './search-collections.ts';
import { withSearchWording } from './search-error.ts';
import { readFacet, readGroup, readHistogram, readSearch, readSelection } from './search-input.ts';
import * as schemas from './search-schemas.ts';
import type { SearchService } from './search-service.ts';

export interface SearchRouteParts {
  search: SearchService;
  aggregations: AggregationService;
}

type Params = Readonly<Record<string, string>>;
type Handler = (request: FastifyRequest<{ Params: Params }>, given: SearchArguments) => Promise<unknown>;

const READ: RouteAccess = { privileges: ['R'], roles: ['admin', 'user'], audit: true };

/** `/api/v1/search/*`: one kind of document at a time, as `GET` with query arguments and as `POST` with a body. */
export const searchRoutes =
  ({ search, aggregations }: SearchRouteParts): RouteModule =>
  (app) => {
    const v1 = (handler: Handler): Handler => {
      return (request, given) =>
        withSearchWording(
          1,
          () => '',
          () => handler(request, given),
        );
    };

    searchRoute(
      app,
      '/api/v1/search/:index',
      'Search one kind of document',
      schemas.SearchBody,
      schemas.SearchReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return search.search(request.actor, definition, readSearch(given));
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/count/:index',
      'Count the documents that match',
      schemas.CountBody,
      schemas.CountReply,
      v1(async (request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        given.requiredQuery();
        return { count: await search.count(request.actor, definition, readSelection(given)) };
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/facet/:index',
      'Count the values of several fields',
      schemas.FacetsBody,
      schemas.FacetsReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return aggregations.facets(request.actor, definition, requiredFields(given), readFacet(given));
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/facet/:index/:field',
      'Count the values of a field',
      schemas.FacetBody,
      schemas.CountsReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return aggregations.facet(request.actor, definition, parameter(request, 'field'), readFacet(given));
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/histogram/:index/:field',
      'Count documents by steps of a number or date',
      schemas.HistogramBody,
      schemas.CountsReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return aggregations.histogram(request.actor, definition, parameter(request, 'field'), readHistogram(given));
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/stats/:index/:int_field',
      'Figures of a numeric field',
      schemas.StatsBody,
      schemas.StatsReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return aggregations.stats(request.actor, definition, parameter(request, 'int_field'), readSelection(given));
      }),
    );

    searchRoute(
      app,
      '/api/v1/search/grouped/:index/:group_field',
      'Group documents by a field',
      schemas.GroupBody,
      schemas.GroupReply,
      v1((request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        return search.group(request.actor, definition, parameter(request, 'group_field'), readGroup(given));
      }),
    );

    app.get<{ Params: Params }>(
      '/api/v1/search/fields/:index',
      {
        access: READ,
        schema: {
          tags: ['search'],
          summary: 'List the fields of a kind of document, or of ALL',
          response: { 200: schemas.FieldsReply },
        },
      },
      async (request) => {
        const index = parameter(request, 'index');
        if (index !== 'ALL') return searchableFields(searchableDocument(index));
        return allFieldCatalogues();
      },
    );
  };

/** `/api/v2/search/*`: several kinds at once, `hit,event`, and whole documents. */
export const searchV2Routes =
  ({ search, aggregations }: SearchRouteParts): RouteModule =>
  (app) => {
    const v2 = (handler: Handler): Handler => {
      return (request, given) =>
        withSearchWording(
          2,
          () => given.text('query') ?? '',
          () => handler(request, given),
        );
    };

    searchRoute(
      app,
      '/api/v2/search/:indexes',
      'Search several kinds of documents',
      schemas.SearchBody,
      schemas.SearchReply,
      v2((request, given) => {
        if (given.flag('use_archive')) {
          throw new InvalidInput('archive_missing', 'There is no archive to search: leave use_archive out.', {
            at: 'use_archive',
          });
        }
        const input = readSearch(given);
        return search.searchAcross(request.actor, searchableDocuments(parameter(request, 'indexes')), input);
      }),
    );

    searchRoute(
      app,
      '/api/v2/search/count/:index',
      'Count the documents that match',
      schemas.CountBody,
      schemas.CountReply,
      async (request, given) => {
        const definition = searchableDocument(parameter(request, 'index'));
        const count = v2(async () => search.count(request.actor, definition, readSelection(given)));
        given.requiredQuery();
        return { count: await count(request, given) };
      },
    );

    searchRoute(
      app,
      '/api/v2/search/facet/:indexes',
      'Count the values of fields over several kinds of documents',
      schemas.FacetsBody,
      schemas.FacetsReply,
      v2((request, given) => {
        const definitions = searchableDocuments(parameter(request, 'indexes'));
        return aggregations.facetsAcross(request.actor, definitions, requiredFields(given), readFacet(given));
      }),
    );
  };

function searchRoute(
  app: FastifyInstance,
  path: string,
  summary: string,
  body: TSchema,
  reply: TSchema,
  handler: Handler,
): void {
  const run = async (request: FastifyRequest<{ Params: Params }>) =>
    handler(request, new SearchArguments(request.method, request.query, request.body));
  const schema = { tags: ['search'], summary, response: { 200: reply } };
  app.get<{ Params: Params }>(path, { access: READ, schema: { ...schema, querystring: body } }, run);
  app.post<{ Params: Params }>(path, { access: READ, body: 'lenient_json', schema: { ...schema, body } }, run);
}

function parameter(request: FastifyRequest<{ Params: Params }>, name: string): string {
  return request.params[name] ?? '';
}

function requiredFields(given: SearchArguments): readonly string[] {
  const fields = given.texts('fields');
  if (fields === undefined) {
    throw new InvalidInput('fields_missing', 'The argument fields must list the fields to facet on.', { at: 'fields' });
  }
  return fields;
}
