import type { Case } from '../../documents/kinds/case.ts';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import { answerNotModified } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import * as schemas from './case-schemas.ts';
import type { CaseService } from './case-service.ts';

/** A case as the actor may see it, without the items above their classification. */
export type ShowCase = (actor: Actor, document: Case) => Case;

export interface CaseRouteDependencies {
  cases: CaseService;
  show: ShowCase;
}

const { tags } = schemas;
const querystring = RefreshQuery;
const response = { 200: schemas.CaseReply };

/** `/api/v2/case`: investigations as a whole. */
export const caseRoutes =
  ({ cases, show }: CaseRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v2/case/',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Create a case',
          querystring,
          body: schemas.NewCaseBody,
          response: { 201: schemas.CaseReply },
        },
      },
      async ({ actor, body, query }) => {
        const made = await cases.create(actor, body, query.refresh);
        return made;
      },
    );

    app.delete(
      '/api/v2/case/',
      {
        access: schemas.DELETE,
        schema: {
          tags,
          summary: 'Delete cases; those that do not exist are ignored',
          response: NO_CONTENT,
          querystring,
          body: schemas.CaseIdsBody,
        },
      },
      async ({ actor, body, query }) => {
        await cases.delete(actor, body, query.refresh);
      },
    );

    app.post(
      '/api/v2/case/hide',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Hide cases, and what refers to them in other cases; those that do not exist are ignored',
          response: NO_CONTENT,
          querystring,
          body: schemas.CaseIdsBody,
        },
      },
      async ({ actor, body, query }) => {
        await cases.hide(actor, body, query.refresh);
      },
    );

    app.get(
      '/api/v2/case/:id',
      { access: READ, schema: { tags, summary: 'Get a case', params: schemas.ById, response } },
      async (request, reply) => {
        const { actor, params } = request;
        const { document, version } = await cases.get(actor, params.id);
        return answerNotModified(request, reply, version) ? undefined : show(actor, document);
      },
    );

    app.put(
      '/api/v2/case/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change members of a case; lists are replaced',
          params: schemas.ById,
          querystring,
          body: schemas.ChangedCaseBody,
          response,
        },
      },
      async ({ actor, params, body, query }) => {
        return show(actor, await cases.update(actor, params.id, body, query.refresh));
      },
    );
  };
