import { Type } from 'typebox';
import { actionDocument } from '../../documents/kinds/action.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import { answerNotModified } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import * as schemas from './action-schemas.ts';
import type { ActionService } from './action-service.ts';

const { tags } = schemas;
const querystring = RefreshQuery;
const params = schemas.ById;

/** `/api/v1/action`: saved actions. */
export const actionRoutes =
  ({ actions }: { actions: ActionService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/action/',
      {
        access: schemas.USE,
        schema: { tags, summary: 'List saved actions', response: { 200: Type.Array(schemas.ActionReply) } },
      },
      async () => (await actions.list()).map((item) => itemOfV1(actionDocument, item)),
    );

    app.post(
      '/api/v1/action/',
      {
        access: schemas.EDIT,
        schema: {
          tags,
          summary: 'Create an action',
          querystring,
          body: schemas.NewActionBody,
          response: { 201: schemas.ActionReply },
        },
      },
      async ({ actor, body, query }) => {
        return toOutput(actionDocument, await actions.create(actor, body, query.refresh));
      },
    );

    app.get(
      '/api/v1/action/:id',
      {
        access: schemas.USE_AUDITED,
        schema: { tags, summary: 'Get an action', params, response: { 200: schemas.ActionReply } },
      },
      async (request, reply) => {
        const { document, version } = await actions.get(request.params.id);
        if (answerNotModified(request, reply, version)) return undefined;
        return toOutput(actionDocument, document);
      },
    );

    for (const method of ['put', 'patch'] as const) {
      app[method](
        '/api/v1/action/:id',
        {
          access: schemas.EDIT,
          schema: {
            tags,
            summary: 'Change an action',
            params,
            querystring,
            body: schemas.ActionChangeBody,
            response: { 200: schemas.ActionReply },
          },
        },
        async ({ actor, params, body, query }) => {
          return toOutput(actionDocument, await actions.update(actor, params.id, body, query.refresh));
        },
      );
    }

    app.delete(
      '/api/v1/action/:id',
      {
        access: schemas.EDIT_AUDITED,
        schema: { tags, summary: 'Delete an action', params, response: NO_CONTENT, querystring },
      },
      async ({ actor, params, query }) => {
        await actions.delete(actor, params.id, query.refresh);
      },
    );
  };
