import type { Case } from '../../documents/kinds/case.ts';
import { filledObjectBody, filledTextListBody } from '../../http/object-body.ts';
import { answerNotModified } from '../../http/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import * as schemas from './case-schemas.ts';
import type { CaseService } from './case-service.ts';

/** A case as the actor may see it, without the items above their classification. */
export type ShowCase = (actor: Actor, document: Case) => Case;

export interface CaseRouteDependencies {
  cases: CaseService;
  show: ShowCase;
}

interface ById {
  Params: { id: string };
}

const { tags } = schemas;
const querystring = schemas.RefreshQuery;
const response = { 200: schemas.CaseReply };
const NO_IDS = 'The body must be a list of case ids, at least one.';

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
        const given = filledObjectBody(body, 'Request body must be a JSON object with case data.');
        const made = await cases.create(actor, given, readRefresh(query));
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
        await cases.delete(actor, filledTextListBody(body, NO_IDS), readRefresh(query));
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
        await cases.hide(actor, filledTextListBody(body, NO_IDS), readRefresh(query));
      },
    );

    app.get<ById>(
      '/api/v2/case/:id',
      { access: READ, schema: { tags, summary: 'Get a case', response } },
      async (request, reply) => {
        const { actor, params } = request;
        const { document, version } = await cases.get(actor, params.id);
        return answerNotModified(request, reply, version) ? undefined : show(actor, document);
      },
    );

    app.put<ById>(
      '/api/v2/case/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change members of a case; lists are replaced',
          querystring,
          body: schemas.ChangedCaseBody,
          response,
        },
      },
      async ({ actor, params, body, query }) => {
        const given = filledObjectBody(body, 'Request body must be a JSON object with fields to update.');
        return show(actor, await cases.update(actor, params.id, given, readRefresh(query)));
      },
    );
  };
