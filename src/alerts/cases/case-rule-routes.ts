import { filledObjectBody, objectBody } from '../../http/object-body.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import type { ShowCase } from './case-routes.ts';
import type { CaseRuleService } from './case-rule-service.ts';
import * as schemas from './case-schemas.ts';

export interface CaseRuleRouteDependencies {
  rules: CaseRuleService;
  show: ShowCase;
}

interface ById {
  Params: { id: string };
}
interface ByRule {
  Params: { id: string; rule_id: string };
}

const { tags } = schemas;
const querystring = schemas.RefreshQuery;
const response = { 200: schemas.CaseReply };

/** `/api/v2/case/<id>/rules`: what puts records into a case by itself. */
export const caseRuleRoutes =
  ({ rules, show }: CaseRuleRouteDependencies): RouteModule =>
  (app) => {
    app.post<ById>(
      '/api/v2/case/:id/rules',
      {
        access: CHANGE,
        schema: { tags, summary: 'Add a rule to a case', querystring, body: schemas.NewRuleBody, response },
      },
      async ({ actor, params, body, query }) => {
        const given = filledObjectBody(body, 'Request body must be a JSON object with rule data.');
        return show(actor, await rules.add(actor, params.id, given, readRefresh(query)));
      },
    );

    app.put<ByRule>(
      '/api/v2/case/:id/rules/:rule_id',
      {
        access: CHANGE,
        schema: { tags, summary: 'Change a rule of a case', querystring, body: schemas.ChangedRuleBody, response },
      },
      async ({ actor, params, body, query }) => {
        const given = filledObjectBody(body, 'Request body must be a JSON object with fields to update.');
        return show(actor, await rules.update(actor, params.id, params.rule_id, given, readRefresh(query)));
      },
    );

    app.delete<ByRule>(
      '/api/v2/case/:id/rules/:rule_id',
      { access: CHANGE, schema: { tags, summary: 'Remove a rule from a case', querystring, response } },
      async ({ actor, params, query }) =>
        show(actor, await rules.remove(actor, params.id, params.rule_id, readRefresh(query))),
    );

    app.post<ByRule>(
      '/api/v2/case/:id/rules/:rule_id/backfill/count',
      {
        access: READ,
        schema: {
          tags,
          summary: 'Count the older records that match a rule',
          body: schemas.BackfillBody,
          response: { 200: Type.Object({ count: Type.Integer() }) },
        },
      },
      async ({ actor, params, body }) => ({
        count: await rules.countBackfill(actor, params.id, params.rule_id, readSince(body)),
      }),
    );

    app.post<ByRule>(
      '/api/v2/case/:id/rules/:rule_id/backfill',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Have a rule look at older records that match it',
          body: schemas.BackfillBody,
          response: { 200: Type.Object({ queued: Type.Integer() }) },
        },
      },
      async ({ actor, params, body }) => ({
        queued: await rules.backfill(actor, params.id, params.rule_id, readSince(body)),
      }),
    );
  };

function readSince(body: unknown): unknown {
  return objectBody(body, "Request body must contain a 'since' datetime.").since;
}
