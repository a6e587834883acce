import { Type } from 'typebox';
import type { Collection } from '../../datastore/port/collection.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { integer, listOf, presence, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import { listErrors } from './error-list.ts';
import type { ResultService } from './result-service.ts';

export interface ErrorRouteDependencies {
  readonly results: ResultService;
  readonly errors: Collection<ErrorRecord>;
}

const ErrorListQuery = Type.Object({
  query: text({ description: 'Lucene query of the errors.', default: 'id:*' }),
  filters: listOf(text({ description: 'Lucene query that they match, too.' }), { default: [] }),
  offset: integer({ minimum: 0, default: 0 }),
  rows: integer({ minimum: 0, maximum: 10_000, default: 100 }),
  sort: text({ description: '`<field> asc|desc`, separated by commas.', default: 'created desc' }),
  track_total_hits: presence({ description: 'Present: counts all matches instead of the first 10,000.' }),
});

/** Serves `/api/v4/error/`: failures of services. */
export const errorRoutes =
  ({ results, errors }: ErrorRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/error/list/',
      {
        access: { ...ANYONE, roles: ['administration'], audit: true },
        schema: operation('error_list_errors', 'List the errors of services', {
          querystring: ErrorListQuery,
          reply: Anything,
        }),
      },
      async ({ query: { track_total_hits: countsAll, ...request } }) =>
        await listErrors(errors, { ...request, countsAll }),
    );

    app.get(
      '/api/v4/error/:error_key/',
      {
        access: { ...ANYONE, roles: ['submission_view'], quota: true, audit: true },
        schema: operation('error_get_error', 'Get an error of a service', {
          params: pathParameters({ error_key: ['Key of the error.', EXAMPLE_IDS.error] }),
          reply: Anything,
        }),
      },
      async (request) => {
        const error = await results.error(callerOf(request), request.params.error_key);
        if (error === undefined) throw new NotFound('error_missing', 'The error was not found');
        return error;
      },
    );
  };
