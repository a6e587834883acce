import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonSchema } from '../answers/envelope.ts';
import type { ListedRoute } from '../route-list.ts';
import { openApiDocument } from './openapi.ts';

describe('openApiDocument', () => {
  it('describes parameters, body, answers and access of a route', () => {
    const document = documentOf({
      method: 'PUT',
      url: '/api/v1/view/:viewId',
      path: '/api/v1/view/<view_id>',
      access: { privileges: ['R', 'W'], roles: ['user'], audit: true },
      body: 'json',
      schema: {
        params: { type: 'object', properties: { viewId: { type: 'string', description: 'Which.', examples: ['a'] } } },
        refusals: [409],
        querystring: {
          type: 'object',
          required: ['refresh'],
          properties: { refresh: { type: 'string', description: 'When.' } },
        },
        body: { type: 'object' },
        response: { 200: { type: 'string' } },
      },
    });
    const operation = document.paths['/api/v1/view/{view_id}']?.put;
    assert.deepEqual(operation?.parameters, [
      {
        name: 'view_id',
        in: 'path',
        required: true,
        description: 'Which.',
        schema: { type: 'string', examples: ['a'] },
      },
      { name: 'refresh', in: 'query', required: true, description: 'When.', schema: { type: 'string' } },
    ]);
    assert.deepEqual(operation?.['x-access'], { privileges: ['R', 'W'], roles: ['user'], audit: true, quota: true });
    assert.equal(operation?.security, undefined);
    const statuses = ['200', '400', '401', '403', '404', '409', '413', '414', '415', '429', '500', '503'];
    assert.deepEqual(Object.keys(operation?.responses as object), statuses);
    assert.deepEqual((operation?.responses as Record<string, JsonSchema> | undefined)?.['200']?.content, {
      'application/json': { schema: { type: 'object', properties: { data: { type: 'string' } } } },
    });
  });

  it('names what stands for the rest of a path', () => {
    const document = documentOf({ url: '/docs/*', path: '/docs/<path:filename>' });
    const operation = document.paths['/docs/{filename}']?.get;
    assert.deepEqual(operation?.parameters, [
      { name: 'filename', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  it('says that public routes need no credential', () => {
    assert.deepEqual(documentOf({ access: 'public' }).paths['/x']?.get?.security, []);
  });

  it('keeps a schema with a title once', () => {
    const view = { title: 'View', type: 'object', properties: { title: { type: 'string' } } };
    const document = documentOf({ schema: { response: { 200: { type: 'array', items: view } } } });
    assert.deepEqual(document.components.schemas.View, view);
    assert.match(JSON.stringify(document.paths), /"items":\{"\$ref":"#\/components\/schemas\/View"\}/);
  });

  it('keeps examples as they are', () => {
    const body = { type: 'object', examples: [{ title: 'Open alerts' }] };
    const operation = documentOf({ body: 'json', schema: { body } }).paths['/x']?.get;
    assert.deepEqual(operation?.requestBody, { required: true, content: { 'application/json': { schema: body } } });
  });

  it('refuses two schemas of one title and two operations of one name', () => {
    const different = {
      anyOf: [
        { title: 'A', type: 'string' },
        { title: 'A', type: 'number' },
      ],
    };
    assert.throws(() => documentOf({ schema: { response: { 200: different } } }), /title A/);
    assert.throws(() => documentOf({ url: '/a' }, { url: '/b' }), /op/);
  });
});

function documentOf(...routes: readonly Partial<ListedRoute>[]) {
  const complete = routes.map((route) => ({
    method: 'GET',
    url: '/x',
    path: '/x',
    access: 'public',
    body: 'ignored',
    enveloped: true,
    summary: 'A route',
    description: 'A route',
    tag: 'x',
    operation: 'op',
    schema: {},
    ...route,
  })) as ListedRoute[];
  const envelope = (data: JsonSchema): JsonSchema => ({ type: 'object', properties: { data } });
  return openApiDocument({ title: 'T', version: '1', description: '', envelope, routes: complete });
}
