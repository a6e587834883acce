import { jsonSchema } from '../../documents/json-schema.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { TemplateService } from './template-service.ts';

const tags = ['template'];
const TemplateReply = jsonSchema(templateDocument);
const NewTemplateBody = Type.Object({
  analytic: Type.String(),
  detection: Type.Optional(Type.String()),
  type: Type.Union([Type.Literal('personal'), Type.Literal('global')]),
  keys: Type.Array(Type.String()),
});

interface ById {
  Params: { id: string };
}

/** `/api/v1/template`: which fields of an analytic's alerts are shown first. */
export const templateRoutes =
  ({ templates }: { templates: TemplateService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/template/',
      {
        access: READ,
        schema: {
          tags,
          summary: 'List the templates that the caller may use',
          response: { 200: Type.Array(TemplateReply) },
        },
      },
      async ({ actor }) => (await templates.list(actor)).map((item) => itemOfV1(templateDocument, item)),
    );

    app.post(
      '/api/v1/template/',
      {
        access: CHANGE,
        schema: { tags, summary: 'Create a template', body: NewTemplateBody, response: { 201: TemplateReply } },
      },
      async ({ actor, body, query }) => {
        const template = await templates.create(actor, objectBody(body), readRefresh(query));
        return toOutput(templateDocument, template);
      },
    );

    app.put<ById>(
      '/api/v1/template/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Replace the fields of a template',
          body: Type.Array(Type.String()),
          response: { 200: TemplateReply },
        },
      },
      async ({ actor, params, body, query }) =>
        toOutput(templateDocument, await templates.replaceKeys(actor, params.id, body, readRefresh(query))),
    );

    app.delete<ById>(
      '/api/v1/template/:id',
      { access: WRITE, schema: { tags, summary: 'Delete a template', response: NO_CONTENT } },
      async ({ actor, params, query }) => {
        await templates.delete(actor, params.id, readRefresh(query));
      },
    );
  };
