import type { SearchItem } from '../../datastore/port/search.ts';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
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
const NewDossierBody = Type.Object({
  title: Type.String(),
  query: Type.String(),
  type: Type.Union([Type.Literal('personal'), Type.Literal('global')]),
  leads: Type.Optional(Type.Array(Type.Object({}))),
  pivots: Type.Optional(Type.Array(Type.Object({}))),
});
const GroupQuery = Type.Object({
  prefix: Type.Optional(Type.String({ description: 'How the folder begins, without regard to case.' })),
});

interface ById {
  Params: { id: string };
}

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
        schema: { tags, summary: 'Create a dossier', body: NewDossierBody, response: { 201: DossierReply } },
      },
      async ({ actor, body, query }) => {
        const dossier = await dossiers.create(actor, objectBody(body), readRefresh(query));
        return toOutput(dossierDocument, dossier);
      },
    );

    app.get<{ Querystring: { prefix?: string | string[] } }>(
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
      async ({ actor, query }) => dossiers.pivotGroups(actor, [query.prefix ?? ''].flat()[0] ?? ''),
    );

    app.get<ById>(
      '/api/v1/dossier/hit/:id',
      {
        access: READ,
        schema: { tags, summary: 'List the dossiers that match a hit', response: { 200: Type.Array(DossierReply) } },
      },
      async ({ actor, params }) => dossiers.ofHit(actor, params.id),
    );

    app.get<ById>(
      '/api/v1/dossier/:id',
      { access: READ, schema: { tags, summary: 'Get a dossier', response: { 200: ShownDossierReply } } },
      async ({ actor, params }) => shown(await dossiers.get(actor, params.id)),
    );

    app.put<ById>(
      '/api/v1/dossier/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change a dossier',
          body: Type.Partial(NewDossierBody),
          response: { 200: DossierReply },
        },
      },
      async ({ actor, params, body, query }) =>
        toOutput(dossierDocument, await dossiers.update(actor, params.id, objectBody(body), readRefresh(query))),
    );

    app.delete<ById>(
      '/api/v1/dossier/:id',
      { access: WRITE, schema: { tags, summary: 'Delete a dossier', response: NO_CONTENT } },
      async ({ actor, params, query }) => {
        await dossiers.delete(actor, params.id, readRefresh(query));
      },
    );
  };
