import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { Forbidden, InvalidInput, isTriadError } from '../../errors/errors.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import type { SearchDeadline, SearchShares } from '../../search/search-shares.ts';
import type { AccessDenials } from '../access-denials.ts';
import { callerOf } from '../analysis-guard.ts';
import { operation } from '../operations/analysis-operation.ts';
import type { HeuristicSignatures } from './heuristic-signatures.ts';
import { heuristicFields, SEARCH_INDEXES, type SearchFields, withFields } from './search-indexes.ts';
import * as schemas from './search-schemas.ts';
import type { AnalysisSearch, SearchedIndex } from './search-service.ts';

export interface AnalysisSearchRouteDependencies {
  readonly search: AnalysisSearch;
  readonly shares: SearchShares;
  readonly signatures: HeuristicSignatures;
  readonly denials: AccessDenials;
}

const SEARCH: GuardedAccess = {
  privileges: 'by_roles',
  roles: [
    'alert_view',
    'heuristic_view',
    'safelist_view',
    'signature_view',
    'submission_view',
    'workflow_view',
    'retrohunt_view',
    'badlist_view',
  ],
  audit: true,
};

/** Arguments that every search has. */
type SearchProperties = TObject<{ [Name in 'timeout' | 'archive_only' | 'use_archive']: TSchema }>;

interface SearchCall<Params extends TProperties, Input extends TObject> {
  readonly actor: AnalysisActor;
  readonly index: SearchedIndex;
  readonly params: Static<TObject<Params>>;
  readonly input: Static<Input> & { readonly deadline: SearchDeadline };
  readonly method: 'GET' | 'POST';
}

/** A call before the index that it names is known. */
type UncheckedCall<Params extends TProperties, Input extends TObject> = Omit<
  SearchCall<Params, Input>,
  'index' | 'params'
> & {
  readonly params: Static<TObject<Params>> & { readonly index: string };
  readonly input: { readonly timeout: number; readonly archive_only: boolean; readonly use_archive: boolean };
};

/** Serves `/api/v4/search/` (contract/analysis.md section 5). */
export const searchRoutes =
  ({ search, shares, signatures, denials }: AnalysisSearchRouteDependencies): RouteModule =>
  (app) => {
    /** Registers a search twice: as `GET` with query arguments and as `POST` with a body. */
    const endpoint = <Params extends TProperties, Input extends SearchProperties>(
      path: string,
      name: string,
      summary: string,
      { params, input, reply }: { readonly params: TObject<Params>; readonly input: Input; readonly reply: TSchema },
      run: (call: SearchCall<Params, Input>) => Promise<unknown>,
    ) => {
      const handler = (part: 'query' | 'body', method: 'GET' | 'POST') => (request: FastifyRequest) => {
        const actor = callerOf(request);
        const { params } = request;
        // TypeScript does not infer the inputs of schemas that are parameters.
        const call = { actor, params, input: request[part], method } as UncheckedCall<Params, Input>;
        const index = indexFor(request, call.params.index, denials);
        const { archive_only: isAlone, use_archive: isIncluded } = call.input;
        if (isAlone || isIncluded) checkRole(request, denials, 'archive_view', 'use the archive');
        return shares.run(actor.username, call.input.timeout, (deadline) =>
          run({ ...call, index, input: { ...call.input, deadline } }),
        );
      };
      const url = `/api/v4/search/${path}/`;
      const about = { params, reply };
      app.get(
        url,
        {
          access: SEARCH,
          errorHandler: worded,
          schema: operation(`search_${name}`, summary, { ...about, querystring: input }),
        },
        handler('query', 'GET'),
      );
      app.post(
        url,
        {
          access: SEARCH,
          errorHandler: worded,
          schema: operation(`search_${name}_by_body`, summary, { ...about, body: input }),
        },
        handler('body', 'POST'),
      );
    };

    endpoint(
      ':index',
      'search',
      'Search one index',
      { params: schemas.ByIndex, input: schemas.SearchInput, reply: schemas.SearchReply },
      ({ actor, index, input }) => search.search(actor, index, input),
    );
    endpoint(
      'facet/:index/:field',
      'facet',
      'Count the values of a field',
      { params: schemas.ByField, input: schemas.FacetInput, reply: schemas.CountsReply },
      ({ actor, index, params, input }) => search.facet(actor, index, params.field, input),
    );
    endpoint(
      'histogram/:index/:field',
      'histogram',
      'Count documents by steps of an integer or date',
      { params: schemas.ByHistogramField, input: schemas.HistogramInput, reply: schemas.CountsReply },
      ({ actor, index, params, input }) => search.histogram(actor, index, params.field, input),
    );
    endpoint(
      'stats/:index/:int_field',
      'stats',
      'Figures of a numeric field',
      { params: schemas.ByNumericField, input: schemas.StatsInput, reply: schemas.StatsReply },
      ({ actor, index, params, input }) => search.stats(actor, index, params.int_field, input),
    );
    endpoint(
      'grouped/:index/:group_field',
      'group_search',
      'Group documents by a field',
      { params: schemas.ByGroupField, input: schemas.GroupInput, reply: schemas.GroupReply },
      async ({ actor, index, params, input, method }) => {
        const answer = await search.group(actor, index, params.group_field, input);
        // The arguments of an address come back as they were written.
        const echoed = (given: number | undefined, used: number) =>
          given !== undefined && method === 'GET' ? String(given) : used;
        return {
          ...answer,
          offset: echoed(input.offset, answer.offset),
          rows: echoed(input.rows, answer.rows),
        };
      },
    );

    app.get(
      '/api/v4/search/fields/:index/',
      {
        access: { ...SEARCH, audit: false, quota: 'concurrent' },
        schema: operation('search_list_index_fields', 'List the fields of an index, or of ALL', {
          params: schemas.FieldsIndex,
          reply: schemas.FieldsReply,
        }),
      },
      async (request) => {
        const { params } = request;
        const actor = callerOf(request);
        const scored = signatures.namesFor(await signatures.known(), actor.classification);
        const fieldsOf = (name: string, fields: SearchFields) =>
          name === 'heuristic' ? heuristicFields(scored) : fields;
        if (params.index === 'ALL') {
          checkRole(request, denials, 'administration', "request on index 'ALL'");
          return Object.fromEntries(
            Object.entries(SEARCH_INDEXES).map(([name, { fields }]) => [name, fieldsOf(name, fields)]),
          );
        }
        const index = indexFor(request, params.index, denials);
        if (index.shown.name === 'heuristic') return undescribed(heuristicFields(scored));
        return undescribed(withFields(index.fields, await search.keyFields(actor, index)));
      },
    );
  };

/** Other names of indexes. */
const ALIASES: Readonly<Record<string, string>> = { results: 'result' };

/** Returns the index that a path names. @throws Forbidden `missing_role`; InvalidInput `unknown_index` */
function indexFor(request: FastifyRequest, name: string, denials: AccessDenials): SearchedIndex {
  const known = ALIASES[name] ?? name;
  const index = Object.hasOwn(SEARCH_INDEXES, known) ? SEARCH_INDEXES[known] : undefined;
  checkRole(request, denials, index?.role ?? 'administration', `request on index '${name}'`);
  if (index?.stored === undefined) {
    throw new InvalidInput('unknown_index', `Not a valid index to search in: ${name}`, { at: 'index' });
  }
  return { ...index, name, stored: index.stored };
}

/** @throws Forbidden `missing_role` */
function checkRole(request: FastifyRequest, denials: AccessDenials, role: AnalysisRole, purpose: string): void {
  if (callerOf(request).roles.has(role)) return;
  const message = `API ${request.path} requires the role '${role}' for ${purpose}`;
  throw denials(new Forbidden('missing_role', message), request.path, request.ip);
}

/** Leaves out the descriptions, which are part of the list of all indexes alone. */
function undescribed(fields: SearchFields): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, { description: _description, ...field }]) => [path, field]),
  );
}

/** Errors in how the request itself is made, which clients know by their plain text. */
const PLAIN_TEXTS = new Set([
  'query_missing',
  'unknown_field',
  'unknown_index',
  'field_not_numeric',
  'histogram_field_unsupported',
  'invalid_body',
  'invalid_json',
]);

/** Rethrows the refusal of a search as clients know it: `SearchException: why`. Code and position stay. */
function worded(error: Error): never {
  if (!isTriadError(error) || error.kind !== 'invalid_input' || PLAIN_TEXTS.has(error.code)) throw error;
  throw new InvalidInput(error.code, `SearchException: ${error.message}`, { cause: error, at: error.at });
}
