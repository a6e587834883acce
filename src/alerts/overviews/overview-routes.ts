import { jsonSchema } from '../../documents/json-schema.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { OverviewService } from './overview-service.ts';

const tags = ['overview'];
const OverviewReply = jsonSchema(overviewDocument);
const ContentBody = Type.Object({ content: Type.String() });
const NewOverviewBody = Type.Object({
  analytic: Type.String(),
  detection: Type.Optional(Type.String()),
  content: Type.String(),
});

interface ById {
  Params: { id: string };
}

/** `/api/v1/overview`: how the alerts of an analytic are summed up in prose. */
export const overviewRoutes =
  ({ overviews }: { overviews: OverviewService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/overview/',
      { access: READ, schema: { tags, summary: 'List the overviews', response: { 200: Type.Array(OverviewReply) } } },
      async () => (await overviews.list()).map((item) => itemOfV1(overviewDocument, item)),
    );

    app.post(
      '/api/v1/overview/',
      {
        access: CHANGE,
        schema: { tags, summary: 'Create an overview', body: NewOverviewBody, response: { 201: OverviewReply } },
      },
      async ({ actor, body, query }) => {
        const overview = await overviews.create(actor, objectBody(body), readRefresh(query));
        return toOutput(overviewDocument, overview);
      },
    );

    app.put<ById>(
      '/api/v1/overview/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Replace the text of an overview',
          body: ContentBody,
          response: { 200: OverviewReply },
        },
      },
      async ({ params, body, query }) => {
        const { content } = objectBody(body, 'New overview content must be a string.');
        return toOutput(overviewDocument, await overviews.replaceContent(params.id, content, readRefresh(query)));
      },
    );

    app.delete<ById>(
      '/api/v1/overview/:id',
      { access: WRITE, schema: { tags, summary: 'Delete an overview', response: NO_CONTENT } },
      async ({ actor, params, query }) => {
        await overviews.delete(actor, params.id, readRefresh(query));
      },
    );
  };
