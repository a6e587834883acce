import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Dossier, dossierDocument } from '../../documents/kinds/dossier.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { documentOf, field, text } from '../../input/input-kinds.ts';
import { idOf } from '../example-ids.ts';
import { READ } from '../record-access.ts';
import { type FoundItem, itemOfV1 } from '../search/item-shape.ts';
import type { DossierService } from './dossier-service.ts';
import { savedObjectRoutes } from './saved-object-routes.ts';

const tags = ['dossier'];
const PROBLEM = '__query_problem';
const DossierReply = jsonSchema(dossierDocument);
const problem = Type.String({
  description: 'Why the query was skipped when alerts were last opened; absent: it was not.',
});
const ShownDossierReply = Type.Intersect([DossierReply, Type.Object({ [PROBLEM]: Type.Optional(problem) })]);
const members = {
  title: field(Type.String()),
  query: field(Type.String()),
  type: field(Type.Union([Type.Literal('personal'), Type.Literal('global')])),
};
const lists = {
  leads: Type.Optional(field(Type.Array(Type.Object({})))),
  pivots: Type.Optional(field(Type.Array(Type.Object({})))),
};
const GroupQuery = Type.Object({
  prefix: text({ description: 'How the folder begins, without regard to case.', default: '' }),
});
const ByHit = pathParameters({ id: idOf('hit') });
const NEW_DOSSIER = { title: 'VPN addresses', query: 'source.ip:"203.0.113.0/24"', type: 'global' };

/** Registers `/api/v1/dossier`: leads and pivots that are shown beside the alerts of a query. */
export const dossierRoutes =
  (dossiers: DossierService): RouteModule =>
  (app) => {
    const shown = (item: FoundItem & { readonly document: Dossier }) => {
      const problem = dossiers.problemOf(item);
      const dossier = itemOfV1(dossierDocument, item);
      return problem === undefined ? dossier : { ...dossier, [PROBLEM]: problem };
    };

    savedObjectRoutes({
      objects: dossiers,
      one: 'a dossier',
      listSummary: 'List the dossiers that the caller may use',
      changeSummary: 'Change a dossier',
      newBody: documentOf({ ...members, ...lists }, { examples: [NEW_DOSSIER] }),
      changeBody: documentOf(
        {
          title: Type.Optional(members.title),
          query: Type.Optional(members.query),
          type: Type.Optional(members.type),
          ...lists,
        },
        { examples: [{ title: 'Addresses of the VPN' }] },
      ),
      shown,
      shownAlone: shown,
      shownReply: ShownDossierReply,
    })(app);

    app.get(
      '/api/v1/dossier/groups',
      {
        access: READ,
        schema: {
          tags,
          summary: 'List folders of pivots by their prefix',
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
          params: ByHit,
          response: { 200: Type.Array(DossierReply) },
        },
      },
      async ({ actor, params }) => dossiers.ofHit(actor, params.id),
    );
  };
