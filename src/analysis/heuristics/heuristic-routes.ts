import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { callerOf } from '../analysis-guard.ts';
import { Anything, operation } from '../operations/analysis-operation.ts';
import type { HeuristicStatistics } from './heuristic-statistics.ts';

const READERS: GuardedAccess = { privileges: 'by_roles', roles: ['heuristic_view'], audit: true, readOnly: false };
const ById = pathParameters({ heuristic_id: ['Identifier of the heuristic.', 'EXTRACT.1'] });

/** Serves `/api/v4/heuristics/`: heuristics with the statistics of their hits. */
export const heuristicRoutes =
  ({ statistics }: { readonly statistics: HeuristicStatistics }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/heuristics/:heuristic_id/',
      {
        access: READERS,
        schema: operation('heuristics_get_heuristic', 'Get a heuristic', { params: ById, reply: Anything }),
      },
      (request) => statistics.get(request.params.heuristic_id, callerOf(request)),
    );

    app.get(
      '/api/v4/heuristics/stats/',
      {
        access: READERS,
        schema: operation('heuristics_heuritics_statistics', 'Statistics of all heuristics', {
          reply: Type.Array(Anything),
        }),
      },
      (request) => statistics.list(callerOf(request)),
    );
  };
