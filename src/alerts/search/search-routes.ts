import type { FastifyRequest } from 'fastify';
import { type Static, type TInteger, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, isTriadError } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SearchDeadline, SearchShares } from '../../search/search-shares.ts';
import { READ } from '../record-access.ts';
import type { AggregationService } from './aggregation-service.ts';
import { explain } from './explanation.ts';
import { allFieldCatalogues, searchableDocument } from './search-collections.ts';
import * as schemas from './search-schemas.ts';
import type { SearchService } from './search-service.ts';

/** A search with its arguments; `deadline` ends everything that the request started. */
interface SearchCall<Params extends TProperties, Input extends TObject> {
  readonly actor: Actor;
  readonly params: Static<TObject<Params>>;
  readonly input: Static<Input> & { readonly deadline: SearchDeadline };
}

export interface SearchRouteDependencies {
  search: SearchService;
  aggregations: AggregationService;
  shares: SearchShares;
}

const byIndex = schemas.IndexParameter;
const byIndexes = schemas.IndexesParameter;
const fieldNamed = (example: string) => Type.String({ description: 'Path of the field.', examples: [example] });
const { SearchReply, FacetsReply, CountsReply } = schemas;

/** `/api/v1/search/*`: one kind of document; `/api/v2/search/*`: several, shown whole. */
export const searchRoutes =
  ({ search, aggregations, shares }: SearchRouteDependencies): RouteModule =>
  (app) => {
    /** Registers a search twice: as `GET` with query arguments and as `POST` with a body. */
    const endpoint =
      (version: 1 | 2) =>
      <Params extends TProperties, Input extends TObject<{ timeout: TInteger }>>(
        url: string,
        summary: string,
        { params, input, reply }: { readonly params: Params; readonly input: Input; readonly reply: TSchema },
        run: (call: SearchCall<Params, Input>) => Promise<unknown>,
      ) => {
        const path = `/api/v${version}/search/${url}`;
        const schema = { summary, params: Type.Object(params), response: { 200: reply } };
        const errorHandler = (error: unknown, request: FastifyRequest) => {
          throw worded(version, error, request);
        };
        const handler = (part: 'query' | 'body') => (request: FastifyRequest) => {
          const { actor, params } = request;
          // TypeScript does not infer the inputs of schemas that are parameters.
          const call = { actor, params, input: request[part] } as SearchCall<Params, Input>;
          return shares.run(actor.username, call.input.timeout, (deadline) =>
            run({ ...call, input: { ...call.input, deadline } }),
          );
        };
        app.get(path, { access: READ, errorHandler, schema: { ...schema, querystring: input } }, handler('query'));
        app.post(
          path,
          { access: READ, body: 'lenient_json', errorHandler, schema: { ...schema, body: input } },
          handler('body'),
        );
      };
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
    for (const register of [v1, v2]) {
      register(
        ':index/explain',
        'Explain how a query is read',
        { params: schemas.ExplainedIndexParameter, input: schemas.ExplainBody, reply: schemas.ExplainReply },
        async ({ params, input }) => explain(params.index, input.query),
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
      { params: { ...byIndex, field: fieldNamed('howler.status') }, input: schemas.FacetBody, reply: CountsReply },
      ({ actor, params, input }) => aggregations.facet(actor, params.index, params.field, input),
    );
    v1(
      'histogram/:index/:field',
      'Count documents by steps of a number or date',
      { params: { ...byIndex, field: fieldNamed('event.created') }, input: schemas.HistogramBody, reply: CountsReply },
      ({ actor, params, input }) => aggregations.histogram(actor, params.index, params.field, input),
    );
    v1(
      'stats/:index/:int_field',
      'Figures of a numeric field',
      {
        params: { ...byIndex, int_field: fieldNamed('howler.score') },
        input: schemas.SelectionBody,
        reply: schemas.StatsReply,
      },
      ({ actor, params, input }) => aggregations.stats(actor, params.index, params.int_field, input),
    );
    v1(
      'grouped/:index/:group_field',
      'Group documents by a field',
      {
        params: { ...byIndex, group_field: fieldNamed('howler.analytic') },
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
          summary: 'List the fields of a kind of document, or of ALL',
          params: pathParameters({ index: ['Kind of the documents, or `ALL`.', 'hit'] }),
          response: { 200: schemas.FieldsReply },
        },
      },
      async ({ actor, params: { index } }) =>
        index === 'ALL' ? allFieldCatalogues() : search.fields(actor, searchableDocument(index)),
    );
  };

/** Errors in how the request itself is made, which clients know by their plain text. */
const PLAIN_TEXTS = new Set([
  'query_missing',
  'unknown_field',
  'field_not_numeric',
  'histogram_field_unsupported',
  'invalid_body',
  'fields_missing',
]);

/**
 * Returns the refusal of a search in the words of its version.
 * Version 1: `SearchException: why`, version 2: `SearchException on query <query>: why`. Code and position stay. A single
 * index that does not exist keeps its plain text.
 */
function worded(version: 1 | 2, error: unknown, { body, query }: FastifyRequest): unknown {
  if (!isTriadError(error) || error.kind !== 'invalid_input' || PLAIN_TEXTS.has(error.code)) return error;
  if (error.code === 'unknown_index' && error.at === 'index') return error;
  const given = [body, query].find(isObject)?.query ?? '';
  const message = `SearchException${version === 1 ? '' : ` on query ${given}`}: ${error.message}`;
  return new InvalidInput(error.code, message, { cause: error, at: error.at });
}
