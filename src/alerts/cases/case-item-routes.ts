import type { FastifyReply } from 'fastify';
import type { Versioned } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import { filledObjectBody, filledTextListBody } from '../../http/object-body.ts';
import { sendVersion } from '../../http/record-versions.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { CHANGE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import type { CaseItemService } from './case-item-service.ts';
import type { ShowCase } from './case-routes.ts';
import * as schemas from './case-schemas.ts';
import type { ItemMove } from './case-tree.ts';

export interface CaseItemRouteDependencies {
  items: CaseItemService;
  show: ShowCase;
}

interface ById {
  Params: { id: string };
}

type Body = Readonly<Record<string, unknown>>;

const { tags } = schemas;
const querystring = schemas.RefreshQuery;
const response = { 200: schemas.CaseReply };
const NO_OBJECT = 'Request body must be a JSON object.';

/** `/api/v2/case/<id>/items`: what lies in a case. Every answer is the case, with its new version in `ETag`. */
export const caseItemRoutes =
  ({ items, show }: CaseItemRouteDependencies): RouteModule =>
  (app) => {
    const answer = (actor: Actor, reply: FastifyReply, { document, version }: Versioned<Case>): Case => {
      sendVersion(reply, version);
      return show(actor, document);
    };

    app.post<ById>(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: { tags, summary: 'Add an item to a case', querystring, body: schemas.NewItemBody, response },
      },
      async ({ actor, params, body, query }, reply) => {
        const given = filledObjectBody(body, NO_OBJECT);
        for (const name of ['value', 'type', 'name']) {
          if (!Object.hasOwn(given, name)) {
            throw new InvalidInput('case_item_incomplete', `Field '${name}' is required`, { at: name });
          }
        }
        try {
          return answer(actor, reply, await items.append(actor, params.id, given, readRefresh(query)));
        } catch (error) {
          if (!isTriadError(error) || error.code !== 'case_missing') throw error;
          // Clients of the public system read the text from the response.
          throw new NotFound(error.code, error.message, { response: error.message });
        }
      },
    );

    app.delete<ById>(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: { tags, summary: 'Remove items from a case', querystring, body: schemas.RemovedItemsBody, response },
      },
      async ({ actor, params, body, query }, reply) => {
        const { ids, force = false } = filledObjectBody(body, NO_OBJECT);
        if (typeof force !== 'boolean') {
          throw new InvalidInput('invalid_body', "'force' must be a boolean.", { at: 'force' });
        }
        const itemIds = filledTextListBody(
          ids,
          Array.isArray(ids) && ids.length > 0
            ? "All items in 'ids' must be strings."
            : "'ids' must be a non-empty list.",
        );
        return answer(
          actor,
          reply,
          await items.remove(actor, params.id, itemIds, { force, visible: readRefresh(query) }),
        );
      },
    );

    app.put<ById>(
      '/api/v2/case/:id/items',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Rename or move an item of a case',
          querystring,
          body: schemas.MovedItemBody,
          response,
        },
      },
      async ({ actor, params, body, query }, reply) => {
        const given = filledObjectBody(body, NO_OBJECT);
        const { id } = given;
        if (!Object.hasOwn(given, 'id'))
          throw new InvalidInput('case_item_incomplete', "'id' is required.", { at: 'id' });
        if (typeof id !== 'string') throw new InvalidInput('invalid_body', "'id' must be a string.", { at: 'id' });
        const move = readMove(given);
        return answer(actor, reply, await items.move(actor, params.id, id, move, readRefresh(query)));
      },
    );
  };

/** @throws InvalidInput `case_item_incomplete`, `invalid_body` */
function readMove(given: Body): ItemMove {
  const renames = Object.hasOwn(given, 'name');
  const moves = Object.hasOwn(given, 'parent');
  if (!renames && !moves) {
    throw new InvalidInput('case_item_incomplete', "At least one of 'name' or 'parent' is required.");
  }
  const { name, parent } = given;
  if (renames && (typeof name !== 'string' || name.trim() === '')) {
    throw new InvalidInput('invalid_body', 'new_name must be a non-empty string', { at: 'name' });
  }
  if (moves && parent !== null && typeof parent !== 'string') {
    throw new InvalidInput('invalid_body', "'parent' must be the identifier of a folder, or null.", { at: 'parent' });
  }
  return {
    ...(typeof name === 'string' ? { name: name.trim() } : {}),
    ...(moves ? { parent: typeof parent === 'string' ? parent : null } : {}),
  };
}
