import { Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, listOf } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import { missingKey, type ResultService } from './result-service.ts';

const VIEW: GuardedAccess = { ...ANYONE, roles: ['submission_view'], quota: true, audit: true };
const ByKey = pathParameters({ cache_key: ['Key of the result.', EXAMPLE_IDS.result] });
const ByErrorKey = pathParameters({ cache_key: ['Key of the error.', EXAMPLE_IDS.error] });
/** Documents of an answer, whose size no schema bounds. */
const MAX_KEYS = 1000;

const keyList = (description: string) =>
  Type.Optional(listOf(Type.String(), { description, default: [], maxItems: MAX_KEYS }));
const KeysBody = documentOf(
  { result: keyList('Keys of results.'), error: keyList('Keys of errors.') },
  { description: 'The keys to look up.', examples: [{ result: [EXAMPLE_IDS.result], error: [] }] },
);

/** Serves `/api/v4/result/`: results and errors by their keys. */
export const resultRoutes =
  (results: ResultService): RouteModule =>
  (app) => {
    app.post(
      '/api/v4/result/multiple_keys/',
      {
        access: { ...VIEW, audit: false },
        schema: operation('result_get_multiple_service_results', 'Get the results and errors of several keys', {
          body: KeysBody,
          reply: Type.Object({ error: Anything, result: Anything }),
        }),
      },
      async (request) => {
        const { result = [], error = [] } = request.body;
        const found = await results.many(callerOf(request), { results: result, errors: error });
        return { result: Object.fromEntries(found.results), error: Object.fromEntries(found.errors) };
      },
    );

    app.get(
      '/api/v4/result/error/:cache_key/',
      {
        access: VIEW,
        schema: operation('result_get_service_error', 'Get an error of a service by its key', {
          params: ByErrorKey,
          reply: Anything,
        }),
      },
      async (request) => {
        const { cache_key: key } = request.params;
        const error = await results.error(callerOf(request), key);
        if (error === undefined) throw new NotFound('error_missing', missingKey(key));
        return error;
      },
    );

    app.get(
      '/api/v4/result/:cache_key/',
      {
        access: VIEW,
        schema: operation('result_get_service_result', 'Get a result by its key', { params: ByKey, reply: Anything }),
      },
      async (request) => await results.result(callerOf(request), request.params.cache_key),
    );
  };
