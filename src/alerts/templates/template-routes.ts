import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { templateDocument } from '../../documents/kinds/template.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { TemplateService } from './template-service.ts';

const tags = ['template'];
const TemplateReply = jsonSchema(templateDocument);
const NewTemplateBody = documentOf({
  analytic: field(Type.String()),
  detection: Type.Optional(field(Type.String())),
  type: field(Type.Union([Type.Literal('personal'), Type.Literal('global')])),
  keys: refusing(
    field(Type.Array(Type.String())),
    () =>
      new InvalidInput('template_incomplete', 'You must specify a list of keys when creating a template!', {
        at: 'keys',
      }),
  ),
});
const wrongKeys = () => new InvalidInput('invalid_template_keys', 'List of new fields must be a list of strings.');
const KeysBody = refusing(Type.Array(refusing(Type.String(), wrongKeys)), wrongKeys);

const ById = pathParameters('id');

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
        schema: {
          tags,
          summary: 'Create a template',
          querystring: RefreshQuery,
          body: NewTemplateBody,
          response: { 201: TemplateReply },
        },
      },
      async ({ actor, body, query }) => {
        const template = await templates.create(actor, body, query.refresh);
        return toOutput(templateDocument, template);
      },
    );

    app.put(
      '/api/v1/template/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Replace the fields of a template',
          params: ById,
          querystring: RefreshQuery,
          body: KeysBody,
          response: { 200: TemplateReply },
        },
      },
      async ({ actor, params, body, query }) =>
        toOutput(templateDocument, await templates.replaceKeys(actor, params.id, body, query.refresh)),
    );

    app.delete(
      '/api/v1/template/:id',
      {
        access: WRITE,
        schema: { tags, summary: 'Delete a template', params: ById, querystring: RefreshQuery, response: NO_CONTENT },
      },
      async ({ actor, params, query }) => {
        await templates.delete(actor, params.id, query.refresh);
      },
    );
  };
