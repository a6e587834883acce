import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { overviewDocument } from '../../documents/kinds/overview.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { OverviewService } from './overview-service.ts';

const tags = ['overview'];
const OverviewReply = jsonSchema(overviewDocument);
const wrongContent = () =>
  new InvalidInput('invalid_overview_content', 'New overview content must be a string.', { at: 'content' });
const ContentBody = refusing(Type.Object({ content: refusing(Type.String(), wrongContent) }), wrongContent);
const NewOverviewBody = documentOf({
  analytic: field(Type.String()),
  detection: Type.Optional(field(Type.String())),
  content: refusing(
    field(Type.String()),
    () =>
      new InvalidInput('overview_incomplete', 'You must specify content when creating an overview!', { at: 'content' }),
  ),
});

const ById = pathParameters('id');

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
        schema: {
          tags,
          summary: 'Create an overview',
          querystring: RefreshQuery,
          body: NewOverviewBody,
          response: { 201: OverviewReply },
        },
      },
      async ({ actor, body, query }) => {
        const overview = await overviews.create(actor, body, query.refresh);
        return toOutput(overviewDocument, overview);
      },
    );

    app.put(
      '/api/v1/overview/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Replace the text of an overview',
          params: ById,
          querystring: RefreshQuery,
          body: ContentBody,
          response: { 200: OverviewReply },
        },
      },
      async ({ params, body, query }) =>
        toOutput(overviewDocument, await overviews.replaceContent(params.id, body.content, query.refresh)),
    );

    app.delete(
      '/api/v1/overview/:id',
      {
        access: WRITE,
        schema: { tags, summary: 'Delete an overview', params: ById, querystring: RefreshQuery, response: NO_CONTENT },
      },
      async ({ actor, params, query }) => {
        await overviews.delete(actor, params.id, query.refresh);
      },
    );
  };
