import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { RunsReply } from '../run-schemas.ts';
import { savedObjectRoutes } from '../saved-objects/saved-object-routes.ts';
import { ofAction, type RunReports } from '../workers/run-reports.ts';
import type { ActionExecution } from './action-execution.ts';
import * as schemas from './action-schemas.ts';
import type { ActionService } from './action-service.ts';

export interface ActionRouteDependencies {
  actions: ActionService;
  execution: ActionExecution;
  reports: Pick<RunReports, 'list'>;
}

const { tags, USE, USE_AUDITED, EDIT, EDIT_AUDITED } = schemas;
const params = schemas.ById;

/** Registers `/api/v1/action`: saved actions, their execution, and the available operations. */
export const actionRoutes =
  ({ actions, execution, reports }: ActionRouteDependencies): RouteModule =>
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
          params,
          body: schemas.SavedExecutionBody,
          response: { 200: schemas.ReportReply },
        },
      },
      async ({ actor, params, body }) => {
        const { document: action } = await actions.get(actor, params.id);
        const { request_id: requestId, query = action.query } = body;
        return execution.run(actor, { requestId, query, operations: action.operations });
      },
    );

    app.get(
      '/api/v1/action/:id/runs',
      {
        access: USE_AUDITED,
        schema: {
          tags,
          summary: 'List the last reports of runs by triggers, the newest first',
          params,
          response: { 200: RunsReply },
        },
      },
      async ({ actor, params }) => {
        const { document } = await actions.get(actor, params.id);
        return reports.list(actor, ofAction(document.action_id));
      },
    );

    savedObjectRoutes({
      objects: actions,
      one: 'an action',
      listSummary: 'List saved actions',
      changeSummary: 'Change an action',
      newBody: schemas.NewActionBody,
      changeBody: schemas.ActionChangeBody,
      access: { list: USE, get: USE_AUDITED, create: EDIT, update: EDIT, delete: EDIT_AUDITED },
      alwaysVersioned: true,
      changeMethods: ['put', 'patch'],
    })(app);
  };
