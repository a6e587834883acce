import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';
const LABEL = { operation_id: 'add_label', data_json: '{"label":"x"}' };

describe('the routes of actions', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    program.request(`/api/v1/action${path}`, {
      method,
      basic: ADMIN,
      headers,
      ...(json === undefined ? {} : { json }),
    });
  const create = async (): Promise<string> => {
    const input = { name: 'A', query: 'howler.id:none', operations: [LABEL] };
    return (await send('POST', '', input)).json.api_response.action_id;
  };

  it('answer an action once, and again only when it was changed', async () => {
    const id = await create();
    const first = await send('GET', `/${id}`);
    const version = first.headers.get('etag') ?? '';
    assert.equal((await send('GET', `/${id}`, undefined, { 'if-match': version })).status, 304);
    assert.equal((await send('PATCH', `/${id}`, { name: 'B' })).json.api_response.name, 'B');
    const changed = await send('GET', `/${id}`, undefined, { 'if-match': version });
    assert.deepEqual([changed.status, changed.json.api_response.name], [200, 'B']);
  });

  it('share an action with others, who may change it then', async () => {
    const id = await create();
    const rename = () =>
      program.request(`/api/v1/action/${id}`, { method: 'PUT', basic: 'huey:devkey:huey', json: { name: 'H' } });
    assert.equal((await rename()).status, 403);
    const granted = await send('PUT', `/${id}/permission`, [{ privilege: 'admins', user_id: 'huey' }]);
    assert.deepEqual(granted.json.api_response.admins, ['huey']);
    assert.equal((await rename()).status, 200);
    await send('DELETE', `/${id}/permission`, [{ privilege: 'admins', user_id: 'huey' }]);
    assert.equal((await rename()).status, 403);
  });

  it('run an action on its own query or on another', async () => {
    const id = await create();
    for (const [query, told] of [
      [undefined, '(howler.id:none)'],
      ['', '(howler.id:none)'],
      ['howler.id:other', '(howler.id:other)'],
    ]) {
      const { status, json } = await send('POST', `/${id}/execute`, { request_id: 'r', query });
      assert.deepEqual([status, json.api_response.add_label[0].query], [200, told]);
    }
  });

  it('refuse to run what is incomplete or broken', async () => {
    const id = await create();
    const bad: readonly (readonly [string, unknown])[] = [
      [`/${id}/execute`, {}],
      [`/${id}/execute`, []],
      [`/${id}/execute`, { request_id: 'r', query: 'a:[' }],
      [`/${id}/execute`, { request_id: 'r', query: 5 }],
      ['/execute', { query: 'x', operations: [LABEL] }],
      ['/execute', { request_id: 'r', query: 'x' }],
      ['/execute', { request_id: 'r', query: 'a:[', operations: [LABEL] }],
      ['/execute', { request_id: 'r', query: 'x', operations: [LABEL, LABEL] }],
    ];
    for (const [path, body] of bad) {
      const { status, json } = await send('POST', path, body);
      assert.deepEqual([status, json.api_response], [400, { success: false }], JSON.stringify(body));
    }
    assert.equal((await send('POST', '/none/execute', { request_id: 'r' })).status, 404);
  });
});
