import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import type { ActionExecution } from './action-execution.ts';
import { ById, tags, USE, USE_AUDITED } from './action-schemas.ts';
import type { ActionService } from './action-service.ts';
import * as schemas from './execution-schemas.ts';

export interface ExecutionRouteDependencies {
  actions: Pick<ActionService, 'get'>;
  execution: ActionExecution;
}

/** Running actions, saved or not, and what can be run. */
export const executionRoutes =
  ({ actions, execution }: ExecutionRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/action/operations',
      {
        access: USE,
        schema: {
          tags,
          summary: 'List the operations that actions are made of',
          response: { 200: Type.Array(schemas.OperationReply) },
        },
      },
      async () => execution.specifications(),
    );

    app.post(
      '/api/v1/action/execute',
      {
        access: USE_AUDITED,
        schema: {
          tags,
          summary: 'Run operations on the alerts of a query',
          body: schemas.ExecutionBody,
          response: { 200: schemas.ReportReply },
        },
      },
      async ({ actor, body }) => execution.run(actor, body),
    );

    app.post(
      '/api/v1/action/:id/execute',
      {
        access: USE_AUDITED,
        schema: {
          tags,
          summary: 'Run a saved action',
          params: ById,
          body: schemas.SavedExecutionBody,
          response: { 200: schemas.ReportReply },
        },
      },
      async ({ actor, params, body }) => {
        const { document: action } = await actions.get(params.id);
        const { request_id: requestId, query = action.query } = body;
        return execution.run(actor, { requestId, query, operations: action.operations });
      },
    );
  };
