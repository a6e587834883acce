import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Versioned } from '../../datastore/port/collection.ts';
import { type Case, caseDocument } from '../../documents/kinds/case.ts';
import { isTriadError, NotFound } from '../../errors/errors.ts';
import { RefreshQuery } from '../../http/input/input-schemas.ts';
import { answerNotModified, CHANGES_VERSION, requestedVersion, sendVersion } from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { RunsReply } from '../run-schemas.ts';
import { withVisibleEntries } from '../search/visible-entries.ts';
import type { CaseItemService } from './case-item-service.ts';
import type { CaseRuleService } from './case-rule-service.ts';
import * as schemas from './case-schemas.ts';
import type { CaseService } from './case-service.ts';

export interface CaseRouteDependencies {
  cases: CaseService;
  items: CaseItemService;
  rules: CaseRuleService;
  classification: ClassificationEngine;
}

const { tags } = schemas;
const querystring = RefreshQuery;
const response = { 200: schemas.CaseReply };
/** The records that its items name may be missing. */
const refusals = [404] as const;
const ofNewCase = { tags, querystring, response: { 201: schemas.CaseReply }, refusals };
/** Schemas of the routes that change one case, or one rule of it, and answer with the case. */
const ofCase = { tags, params: schemas.ById, querystring, response };
const ofRule = { tags, params: schemas.ByRule, querystring, response };
const ofBackfill = { tags, params: schemas.ByRule, body: schemas.BackfillBody };

/** Registers `/api/v2/case`: cases as a whole, their items and their rules. */
export const caseRoutes =
  ({ cases, items, rules, classification }: CaseRouteDependencies): RouteModule =>
  (app) => {
    const show: Show = (actor, document) =>
      withVisibleEntries(classification, actor.classification, caseDocument, document);
    const answer: Answer = (actor, reply, { document, version }) => {
      sendVersion(reply, version);
      return show(actor, document);
    };
    registerCases(app, cases, show, answer);
    registerItems(app, items, answer);
    registerRules(app, rules, answer);
  };

type App = Parameters<RouteModule>[0];
/** Returns a case as the actor may see it, without the items above their classification. */
type Show = (actor: Actor, document: Case) => Case;
/** Answers with a case as the actor may see it, with its new version in `ETag`. */
type Answer = (actor: Actor, reply: FastifyReply, changed: Versioned<Case>) => Case;

function registerCases(app: App, cases: CaseService, show: Show, answer: Answer): void {
  app.post(
    '/api/v2/case/',
    { access: CHANGE, schema: { ...ofNewCase, summary: 'Create a case', body: schemas.NewCaseBody } },
    async ({ actor, body, query }) => cases.create(actor, body, query.refresh),
  );

  const ofCases = { tags, querystring, body: schemas.CaseIdsBody, response: NO_CONTENT };
  app.delete(
    '/api/v2/case/',
    { access: schemas.DELETE, schema: { ...ofCases, summary: 'Delete cases; those that do not exist are ignored' } },
    async ({ actor, body, query }) => {
      await cases.delete(actor, body, query.refresh);
    },
  );
  app.post(
    '/api/v2/case/hide',
    {
      access: WRITE,
      schema: {
        ...ofCases,
        summary: 'Hide cases, and what refers to them in other cases; those that do not exist are ignored',
      },
    },
    async ({ actor, body, query }) => {
      await cases.hide(actor, body, query.refresh);
    },
  );

  app.get(
    '/api/v2/case/:id',
    { access: READ, schema: { tags, summary: 'Get a case', params: schemas.ById, response: { ...response, 304: {} } } },
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
        ...ofCase,
        summary: 'Change members of a case; lists are replaced',
        ...CHANGES_VERSION,
        body: schemas.ChangedCaseBody,
      },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request;
      return answer(actor, reply, await cases.update(actor, params.id, body, query.refresh, requestedVersion(request)));
    },
  );
}

function registerItems(app: App, items: CaseItemService, answer: Answer): void {
  const path = '/api/v2/case/:id/items';

  app.post(
    path,
    { access: CHANGE, schema: { ...ofCase, summary: 'Add an item to a case', body: schemas.NewItemBody } },
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
    path,
    { access: CHANGE, schema: { ...ofCase, summary: 'Remove items from a case', body: schemas.RemovedItemsBody } },
    async ({ actor, params, body: { ids, force }, query }, reply) =>
      answer(actor, reply, await items.remove(actor, params.id, ids, { force, visible: query.refresh })),
  );
  app.put(
    path,
    {
      access: CHANGE,
      schema: {
        ...ofCase,
        summary: 'Rename, move or rewrite an item of a case',
        ...CHANGES_VERSION,
        body: schemas.MovedItemBody,
      },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request;
      const { id, ...move } = body;
      const version = requestedVersion(request);
      return answer(actor, reply, await items.move(actor, params.id, id, move, query.refresh, version));
    },
  );
}

function registerRules(app: App, rules: CaseRuleService, answer: Answer): void {
  app.post(
    '/api/v2/case/:id/rules',
    { access: CHANGE, schema: { ...ofCase, summary: 'Add a rule to a case', body: schemas.NewRuleBody } },
    async ({ actor, params, body, query }, reply) =>
      answer(actor, reply, await rules.add(actor, params.id, body, query.refresh)),
  );

  const path = '/api/v2/case/:id/rules/:rule_id';
  app.get(
    `${path}/runs`,
    {
      access: READ,
      schema: {
        tags,
        summary: 'List the last reports of a rule, the newest first',
        params: schemas.ByRule,
        response: { 200: RunsReply },
      },
    },
    async ({ actor, params }) => rules.runs(actor, params.id, params.rule_id),
  );
  app.put(
    path,
    {
      access: CHANGE,
      schema: {
        ...ofRule,
        summary: 'Change a rule of a case',
        ...CHANGES_VERSION,
        body: schemas.ChangedRuleBody,
      },
    },
    async (request, reply) => {
      const { actor, params, body, query } = request;
      const { id, rule_id: rule } = params;
      return answer(actor, reply, await rules.update(actor, id, rule, body, query.refresh, requestedVersion(request)));
    },
  );
  app.delete(
    path,
    { access: CHANGE, schema: { ...ofRule, summary: 'Remove a rule from a case' } },
    async ({ actor, params, query }, reply) =>
      answer(actor, reply, await rules.remove(actor, params.id, params.rule_id, query.refresh)),
  );

  app.post(
    `${path}/backfill/count`,
    {
      access: READ,
      schema: {
        ...ofBackfill,
        summary: 'Count the older records that match a rule',
        response: { 200: Type.Object({ count: Type.Integer() }) },
      },
    },
    async ({ actor, params, body }) => ({
      count: await rules.countBackfill(actor, params.id, params.rule_id, body.since),
    }),
  );
  app.post(
    `${path}/backfill`,
    {
      access: WRITE,
      schema: {
        ...ofBackfill,
        summary: 'Have a rule look at older records that match it',
        response: { 200: Type.Object({ queued: Type.Integer() }) },
      },
    },
    async ({ actor, params, body }) => ({
      queued: await rules.backfill(actor, params.id, params.rule_id, body.since),
    }),
  );
}
