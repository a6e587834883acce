import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ListedRoute, publicPath, RouteList } from './route-list.ts';

describe('RouteList', () => {
  it('knows the methods of a path, regardless of what stands for its parameters', () => {
    const list = listOf(
      ['GET', '/api/v1/hit/:id'],
      ['POST', '/api/v1/hit/:id/comments'],
      ['PUT', '/api/v1/hit/update'],
      ['GET', '/files/*'],
    );
    assert.deepEqual(list.methodsOf('/api/v1/hit/abc'), ['GET']);
    assert.deepEqual(list.methodsOf('/api/v1/hit/update/'), ['GET', 'PUT']);
    assert.deepEqual(list.methodsOf('/api/v1/hit/abc/comments'), ['POST']);
    assert.deepEqual(list.methodsOf('/files/a/b'), ['GET']);
    for (const path of ['/', '/api', '/api/v1/hit//comments', '/api/v1/hit/a/b/c'])
      assert.deepEqual(list.methodsOf(path), []);
  });

  it('tells the root of a collection from its form without the slash when asked to', () => {
    const list = listOf(['POST', '/api/v1/hit/']);
    assert.deepEqual(list.methodsOf('/api/v1/hit'), ['POST']);
    assert.deepEqual(list.methodsOf('/api/v1/hit', 'roots'), []);
    assert.deepEqual(list.methodsOf('/api/v1/hit/', 'roots'), ['POST']);
  });
});

it('writes paths as the public system does', () => {
  assert.equal(publicPath('/api/v2/case/:caseId/items'), '/api/v2/case/<case_id>/items');
  assert.equal(publicPath('/files/:folder/*', 'filename'), '/files/<folder>/<path:filename>');
});

function listOf(...routes: readonly (readonly [string, string])[]): RouteList {
  const list = new RouteList();
  for (const [method, url] of routes) list.add({ method, url } as ListedRoute);
  return list;
}
