import type { FastifyReply } from 'fastify';
import type { Versioned } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { isTriadError, NotFound } from '../../errors/errors.ts';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import { sendVersion } from '../../http/input/record-versions.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { CHANGE } from '../record-access.ts';
import type { CaseItemService } from './case-item-service.ts';
import type { ShowCase } from './case-routes.ts';
import * as schemas from './case-schemas.ts';

export interface CaseItemRouteDependencies {
  items: CaseItemService;
  show: ShowCase;
}

const { tags } = schemas;
const querystring = RefreshQuery;
const response = { 200: schemas.CaseReply };

/** `/api/v2/case/<id>/items`: what lies in a case. Every answer is the case, with its new version in `ETag`. */
export const caseItemRoutes =
  ({ items, show }: CaseItemRouteDependencies): RouteModule =>
  (app) => {
    const answer = (actor: Actor, reply: FastifyReply, { document, version }: Versioned<Case>): Case => {
      sendVersion(reply, version);
      return show(actor, document);
    };

    app.post(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Add an item to a case',
          params: schemas.ById,
          querystring,
          body: schemas.NewItemBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        try {
          return answer(actor, reply, await items.append(actor, params.id, body, query.refresh));
        } catch (error) {
          if (!isTriadError(error) || error.code !== 'case_missing') throw error;
          // Clients of the public system read the text from the response.
          throw new NotFound(error.code, error.message, { response: error.message });
        }
      },
    );

    app.delete(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Remove items from a case',
          params: schemas.ById,
          querystring,
          body: schemas.RemovedItemsBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const { ids, force } = body;
        return answer(actor, reply, await items.remove(actor, params.id, ids, { force, visible: query.refresh }));
      },
    );

    app.put(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Rename or move an item of a case',
          params: schemas.ById,
          querystring,
          body: schemas.MovedItemBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const { id, ...move } = body;
        return answer(actor, reply, await items.move(actor, params.id, id, move, query.refresh));
      },
    );
  };
