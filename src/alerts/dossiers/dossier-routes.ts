import { Type } from 'typebox';
import type { SearchItem } from '../../datastore/port/search.ts';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { documentOf, field, text } from '../../input/input-kinds.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { DossierService } from './dossier-service.ts';

const tags = ['dossier'];
const PROBLEM = '__query_problem';
const DossierReply = jsonSchema(dossierDocument);
const ShownDossierReply = Type.Intersect([
  DossierReply,
  Type.Object({
    [PROBLEM]: Type.Optional(
      Type.String({ description: 'Why the query was skipped when alerts were last opened; absent: it was not.' }),
    ),
  }),
]);
const DossierMembers = {
  title: field(Type.String()),
  query: field(Type.String()),
  type: field(Type.Union([Type.Literal('personal'), Type.Literal('global')])),
};
const DossierLists = {
  leads: Type.Optional(field(Type.Array(Type.Object({})))),
  pivots: Type.Optional(field(Type.Array(Type.Object({})))),
};
const NewDossierBody = documentOf({ ...DossierMembers, ...DossierLists });
const DossierChangeBody = documentOf({
  title: Type.Optional(DossierMembers.title),
  query: Type.Optional(DossierMembers.query),
  type: Type.Optional(DossierMembers.type),
  ...DossierLists,
});
const GroupQuery = Type.Object({
  prefix: text({ description: 'How the folder begins, without regard to case.', default: '' }),
});

const ById = pathParameters('id');

/** `/api/v1/dossier`: leads and pivots that are shown beside the alerts of a query. */
export const dossierRoutes =
  ({ dossiers }: { dossiers: DossierService }): RouteModule =>
  (app) => {
    const shown = (item: SearchItem<Dossier>) => {
      const problem = dossiers.problemOf(item);
      const dossier = itemOfV1(dossierDocument, item);
      return problem === undefined ? dossier : { ...dossier, [PROBLEM]: problem };
    };

    app.get(
      '/api/v1/dossier/',
      {
        access: READ,
        schema: {
          tags,
          summary: 'List the dossiers that the caller may use',
          response: { 200: Type.Array(ShownDossierReply) },
        },
      },
      async ({ actor }) => (await dossiers.list(actor)).map(shown),
    );

    app.post(
      '/api/v1/dossier/',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Create a dossier',
          querystring: RefreshQuery,
          body: NewDossierBody,
          response: { 201: DossierReply },
        },
      },
      async ({ actor, body, query }) => {
        const dossier = await dossiers.create(actor, body, query.refresh);
        return toOutput(dossierDocument, dossier);
      },
    );

    app.get(
      '/api/v1/dossier/groups',
      {
        access: READ,
        schema: {
          tags,
          summary: 'Folders of pivots that begin with a text',
          querystring: GroupQuery,
          response: { 200: Type.Array(Type.String()) },
        },
      },
      async ({ actor, query }) => dossiers.pivotGroups(actor, query.prefix),
    );

    app.get(
      '/api/v1/dossier/hit/:id',
      {
        access: READ,
        schema: {
          tags,
          summary: 'List the dossiers that match a hit',
          params: ById,
          response: { 200: Type.Array(DossierReply) },
        },
      },
      async ({ actor, params }) => dossiers.ofHit(actor, params.id),
    );

    app.get(
      '/api/v1/dossier/:id',
      { access: READ, schema: { tags, summary: 'Get a dossier', params: ById, response: { 200: ShownDossierReply } } },
      async ({ actor, params }) => shown(await dossiers.get(actor, params.id)),
    );

    app.put(
      '/api/v1/dossier/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change a dossier',
          params: ById,
          querystring: RefreshQuery,
          body: DossierChangeBody,
          response: { 200: DossierReply },
        },
      },
      async ({ actor, params, body, query }) =>
        toOutput(dossierDocument, await dossiers.update(actor, params.id, body, query.refresh)),
    );

    app.delete(
      '/api/v1/dossier/:id',
      {
        access: WRITE,
        schema: { tags, summary: 'Delete a dossier', params: ById, querystring: RefreshQuery, response: NO_CONTENT },
      },
      async ({ actor, params, query }) => {
        await dossiers.delete(actor, params.id, query.refresh);
      },
    );
  };
