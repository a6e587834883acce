import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { documentOf, field } from '../../input/input-kinds.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { ViewService } from './view-service.ts';

const tags = ['view'];
const ViewReply = jsonSchema(viewDocument);
const text = field(Type.String());
const NewViewBody = documentOf({ title: text, query: text, type: text });
const ViewChangeBody = documentOf({
  title: Type.Optional(text),
  query: Type.Optional(text),
  type: Type.Optional(text),
});

const ById = pathParameters('view_id');

/** `/api/v1/view`: saved queries. */
export const viewRoutes =
  ({ views }: { views: ViewService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/view/',
      {
        access: READ,
        schema: { tags, summary: 'List the views that the caller may use', response: { 200: Type.Array(ViewReply) } },
      },
      async ({ actor }) => (await views.list(actor)).map((item) => itemOfV1(viewDocument, item)),
    );

    app.post(
      '/api/v1/view/',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Create a view',
          querystring: RefreshQuery,
          body: NewViewBody,
          response: { 201: ViewReply },
        },
      },
      async ({ actor, body, query }) => {
        const view = await views.create(actor, body, query.refresh);
        return toOutput(viewDocument, view);
      },
    );

    app.put(
      '/api/v1/view/:view_id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change a view',
          params: ById,
          querystring: RefreshQuery,
          body: ViewChangeBody,
          response: { 200: ViewReply },
        },
      },
      async ({ actor, params, body, query }) =>
        toOutput(viewDocument, await views.update(actor, params.view_id, body, query.refresh)),
    );

    app.delete(
      '/api/v1/view/:view_id',
      {
        access: WRITE,
        schema: { tags, summary: 'Delete a view', params: ById, querystring: RefreshQuery, response: NO_CONTENT },
      },
      async ({ actor, params, query }) => {
        await views.delete(actor, params.view_id, query.refresh);
      },
    );

    app.post(
      '/api/v1/view/:view_id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Mark a view as favourite', params: ById } },
      async ({ actor, params }) => {
        await views.addFavourite(actor, params.view_id);
      },
    );

    app.delete(
      '/api/v1/view/:view_id/favourite',
      {
        access: CHANGE,
        schema: { tags, summary: 'Take a view from the favourites', params: ById, response: NO_CONTENT },
      },
      async ({ actor, params }) => {
        await views.removeFavourite(actor, params.view_id);
      },
    );
  };
