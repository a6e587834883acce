import { jsonSchema } from '../../documents/json-schema.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { ViewService } from './view-service.ts';

const tags = ['view'];
const ViewReply = jsonSchema(viewDocument);
const NewViewBody = Type.Object({ title: Type.String(), query: Type.String(), type: Type.String() });
const ViewChangeBody = Type.Partial(NewViewBody);

interface ById {
  Params: { view_id: string };
}

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
      { access: CHANGE, schema: { tags, summary: 'Create a view', body: NewViewBody, response: { 201: ViewReply } } },
      async ({ actor, body, query }) => {
        const view = await views.create(actor, objectBody(body), readRefresh(query));
        return toOutput(viewDocument, view);
      },
    );

    app.put<ById>(
      '/api/v1/view/:view_id',
      {
        access: CHANGE,
        schema: { tags, summary: 'Change a view', body: ViewChangeBody, response: { 200: ViewReply } },
      },
      async ({ actor, params, body, query }) =>
        toOutput(viewDocument, await views.update(actor, params.view_id, objectBody(body), readRefresh(query))),
    );

    app.delete<ById>(
      '/api/v1/view/:view_id',
      { access: WRITE, schema: { tags, summary: 'Delete a view', response: NO_CONTENT } },
      async ({ actor, params, query }) => {
        await views.delete(actor, params.view_id, readRefresh(query));
      },
    );

    app.post<ById>(
      '/api/v1/view/:view_id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Mark a view as favourite' } },
      async ({ actor, params }) => {
        await views.addFavourite(actor, params.view_id);
      },
    );

    app.delete<ById>(
      '/api/v1/view/:view_id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Take a view from the favourites', response: NO_CONTENT } },
      async ({ actor, params }) => {
        await views.removeFavourite(actor, params.view_id);
      },
    );
  };
