import { Type } from 'typebox';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import type { ShowCase } from './case-routes.ts';
import type { CaseRuleService } from './case-rule-service.ts';
import * as schemas from './case-schemas.ts';

export interface CaseRuleRouteDependencies {
  rules: CaseRuleService;
  show: ShowCase;
}

const { tags } = schemas;
const querystring = RefreshQuery;
const response = { 200: schemas.CaseReply };

/** `/api/v2/case/<id>/rules`: what puts records into a case by itself. */
export const caseRuleRoutes =
  ({ rules, show }: CaseRuleRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v2/case/:id/rules',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Add a rule to a case',
          params: schemas.ById,
          querystring,
          body: schemas.NewRuleBody,
          response,
        },
      },
      async ({ actor, params, body, query }) => {
        return show(actor, await rules.add(actor, params.id, body, query.refresh));
      },
    );

    app.put(
      '/api/v2/case/:id/rules/:rule_id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change a rule of a case',
          params: schemas.ByRule,
          querystring,
          body: schemas.ChangedRuleBody,
          response,
        },
      },
      async ({ actor, params, body, query }) => {
        return show(actor, await rules.update(actor, params.id, params.rule_id, body, query.refresh));
      },
    );

    app.delete(
      '/api/v2/case/:id/rules/:rule_id',
      {
        access: CHANGE,
        schema: { tags, summary: 'Remove a rule from a case', params: schemas.ByRule, querystring, response },
      },
      async ({ actor, params, query }) =>
        show(actor, await rules.remove(actor, params.id, params.rule_id, query.refresh)),
    );

    app.post(
      '/api/v2/case/:id/rules/:rule_id/backfill/count',
      {
        access: READ,
        schema: {
          tags,
          summary: 'Count the older records that match a rule',
          params: schemas.ByRule,
          body: schemas.BackfillBody,
          response: { 200: Type.Object({ count: Type.Integer() }) },
        },
      },
      async ({ actor, params, body }) => ({
        count: await rules.countBackfill(actor, params.id, params.rule_id, body.since),
      }),
    );

    app.post(
      '/api/v2/case/:id/rules/:rule_id/backfill',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Have a rule look at older records that match it',
          params: schemas.ByRule,
          body: schemas.BackfillBody,
          response: { 200: Type.Object({ queued: Type.Integer() }) },
        },
      },
      async ({ actor, params, body }) => ({
        queued: await rules.backfill(actor, params.id, params.rule_id, body.since),
      }),
    );
  };
