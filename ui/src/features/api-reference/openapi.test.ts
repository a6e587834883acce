import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { curlLine } from './curl-line.ts';
import { foundRoutes, type OpenApiDocument, routesOf } from './openapi.ts';
import { schemaFields } from './schema-fields.ts';

const documentOf = (name: string): OpenApiDocument =>
  JSON.parse(readFileSync(new URL(`../../../../docs/openapi/${name}.json`, import.meta.url), 'utf8'));

const CALLER = { address: 'http://127.0.0.1:5000', username: "o'hara" };

describe('the API reference', () => {
  it('finds routes by all words', () => {
    const routes = routesOf(documentOf('alerts'));
    const found = foundRoutes(routes, 'POST action execute').map(({ path }) => path);
    assert.deepEqual(found.toSorted(), ['/api/v1/action/execute', '/api/v1/action/{id}/execute']);
    assert.equal(foundRoutes(routes, ' ').length, routes.length);
    assert.deepEqual(foundRoutes(routes, 'no such words'), []);
  });

  it('writes a line for curl that a shell takes as it is', () => {
    const document = documentOf('alerts');
    const route = routesOf(document).find(({ path }) => path === '/api/v1/action/execute');
    assert.ok(route !== undefined);
    assert.equal(
      curlLine(document, route, CALLER),
      String.raw`curl -X POST -u 'o'\''hara:KEY NAME:SECRET' -H 'content-type: application/json' -d '{"operations":[{"data_json":"{\"category\":\"generic\",\"label\":\"vpn\"}","operation_id":"add_label"}],"query":"source.ip:203.0.113.7","request_id":"run-1"}' 'http://127.0.0.1:5000/api/v1/action/execute'`,
    );
  });

  it('lists the members of bodies', () => {
    const document: OpenApiDocument = {
      info: { title: 'T' },
      paths: {},
      components: {
        schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      },
    };
    const schema = {
      type: 'object',
      required: ['names'],
      properties: {
        names: { type: 'array', items: { type: 'string' }, description: 'All.' },
        node: { $ref: '#/components/schemas/Node' },
      },
    };
    assert.deepEqual(schemaFields(document, schema), {
      fields: [
        { path: 'names', type: 'string[]', isRequired: true, description: 'All.' },
        { path: 'node', type: 'Node', isRequired: false, description: '' },
        { path: 'node.next', type: 'Node', isRequired: false, description: '' },
      ],
      isCut: false,
    });
  });

  it('reads every route of every service', () => {
    for (const name of ['alerts', 'analysis', 'enrichment', 'operations', 'web']) {
      const document = documentOf(name);
      for (const route of routesOf(document)) {
        assert.match(curlLine(document, route, CALLER), /^curl .*'http:/s, route.path);
        const schema = route.requestBody?.content['application/json']?.schema;
        if (schema !== undefined) assert.ok(schemaFields(document, schema).fields.length > 0, route.path);
      }
    }
  });
});
