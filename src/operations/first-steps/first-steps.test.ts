import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { askOperations } from '../../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

describe('an empty installation', () => {
  let program: TestProgram;
  /** App token: an empty installation has no API key. */
  let bearer = '';
  before(async () => {
    program = await startTestProgram({ demo: 'none' });
    bearer = (await signIn(program.firstAdministrator?.password ?? '')).app_token;
  });
  after(() => program.close());
  const signIn = async (password: string) =>
    (await program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'admin', password } })).json
      .api_response;
  const ask = (path: string, method: 'GET' | 'POST' = 'GET') =>
    askOperations(program, `/v1/first-steps${path}`, {
      method,
      basic: null,
      headers: { authorization: `Bearer ${bearer}` },
    });
  const state = async () => (await ask('')).json;

  it('tells which first steps were done', async () => {
    assert.deepEqual(await state(), {
      first_password: 'in_use',
      first_administrator: 'admin',
      has_api_key: false,
      alerts: 0,
      users: 1,
      providers: [],
      may_load_demo: true,
    });
    const key = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      bearer,
      json: { name: 'first', priv: ['R', 'W', 'E'] },
    });
    assert.equal(key.status, 200, key.text);
    await program.foundation.accounts.create('lin', { name: 'Lin' });
    const changed = await state();
    assert.deepEqual([changed.has_api_key, changed.users, changed.first_password], [true, 2, 'in_use']);
    const password = 'another password of admin';
    await program.request('/api/v1/user/admin', { method: 'PUT', bearer, json: { new_pass: password } });
    bearer = (await signIn(password)).app_token;
    assert.equal((await state()).first_password, 'changed');
  });

  it('gets demo alerts once, without demo users, from one of two requests', async () => {
    const loads = await Promise.all([ask('/demo-alerts', 'POST'), ask('/demo-alerts', 'POST')]);
    const [loaded, refused] = loads.sort((left, right) => left.status - right.status);
    assert.deepEqual([loaded?.status, loaded?.json], [201, { alerts: 200 }]);
    assert.equal(refused?.status, 409);
    assert.ok(['demo_loading', 'not_empty'].includes(refused?.json.error.code));
    const after = await state();
    assert.deepEqual([after.alerts, after.users, after.may_load_demo], [200, 2, false]);
    const again = await ask('/demo-alerts', 'POST');
    assert.deepEqual([again.status, again.json.error.code], [409, 'not_empty']);
    const found = await program.request('/api/v1/search/hit?query=howler.status:open&rows=1', { bearer });
    assert.ok(found.json.api_response.total > 10, found.text);
  });
});

describe('the demo', () => {
  it('was not begun with a random password', async () => {
    const program = await startTestProgram();
    const { json } = await askOperations(program, '/v1/first-steps');
    assert.deepEqual([json.first_password, json.first_administrator, json.has_api_key], ['unknown', null, true]);
    await program.close();
  });

  it('is not loaded beside one record of any kind', async () => {
    const program = await startTestProgram();
    const { analyticDocument } = await import('../../documents/kinds/analytic.ts');
    const analytic = { analytic_id: 'one', name: 'One', owner: 'admin' };
    const analytics = program.foundation.datastore.collection(analyticDocument);
    await analytics.save('one', analytic as Parameters<typeof analytics.save>[1], { visible: 'now' });
    assert.equal((await askOperations(program, '/v1/first-steps')).json.may_load_demo, false);
    const refused = await askOperations(program, '/v1/first-steps/demo-alerts', { method: 'POST' });
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'not_empty']);
    await program.close();
  });
});
