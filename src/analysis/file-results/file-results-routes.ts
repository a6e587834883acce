import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { presence } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import type { FileResultsService } from './file-results-service.ts';

const VIEW: GuardedAccess = { ...ANYONE, roles: ['submission_view'], quota: true, audit: true };
const SHA256 = ['SHA-256 of the file.', EXAMPLE_IDS.file] as const;
const ByFile = pathParameters({ sha256: SHA256 });

/** Serves the parts of `/api/v4/file/` about results: all, those of a service, score, extracted files. */
export const fileResultsRoutes =
  (files: FileResultsService): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/file/result/:sha256/',
      {
        access: VIEW,
        schema: operation('file_get_file_results', 'Get the latest results of all services about a file', {
          params: ByFile,
          reply: Anything,
        }),
      },
      async (request) => await files.results(callerOf(request), request.params.sha256),
    );

    app.get(
      '/api/v4/file/result/:sha256/:service/',
      {
        access: VIEW,
        schema: operation('file_get_file_results_for_service', 'Get the results of a service about a file', {
          params: pathParameters({ sha256: SHA256, service: ['Name of the service.', 'Characterize'] }),
          querystring: Type.Object({
            all: presence({ description: 'Present: up to 100 versions, not only the latest.' }),
          }),
          reply: Anything,
        }),
      },
      async (request) => {
        const { sha256, service } = request.params;
        return await files.ofService(callerOf(request), sha256, service, { all: request.query.all });
      },
    );

    app.get(
      '/api/v4/file/score/:sha256/',
      {
        access: VIEW,
        schema: operation('file_get_file_score', 'Get the sum of the latest scores of a file', {
          params: ByFile,
          reply: Anything,
        }),
      },
      async (request) => await files.score(callerOf(request), request.params.sha256),
    );

    app.get(
      '/api/v4/file/children/:sha256/',
      {
        access: VIEW,
        schema: operation('file_get_file_children', 'List the files that were extracted from a file', {
          params: ByFile,
          reply: Type.Array(Anything),
        }),
      },
      async (request) => await files.children(callerOf(request), request.params.sha256),
    );
  };
