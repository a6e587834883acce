import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashApiKeySecret } from '../../identity/keys/api-key-records.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../testing/start-test-program.ts';
import { openServices } from '../services/open-services.ts';

const ROOT = { 'x-user': 'admin', 'x-apikey': 'root:admin' };
const MANIFEST = {
  name: 'Rules',
  version: '1.0.0',
  description: 'Applies rules.',
  category: 'Static Analysis',
  stage: 'CORE',
  docker_config: { image: 'none/none:1.0.0' },
  update_config: {
    generates_signatures: true,
    update_interval_seconds: 3600,
    signature_delimiter: 'file',
    sources: [{ name: 'first', uri: 'https://feed.example/first.zip', default_classification: 'UNRESTRICTED' }],
  },
};

describe('the routes of signatures', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { components: ['http'], 'analysis.analyzers.enabled': 'none' } });
    const { users, datastore, coordination, classification } = program.foundation;
    const expiry_date = '2999-01-01T00:00:00.000000Z';
    const key = { password: hashApiKeySecret('admin'), acl: ['R', 'W', 'E'], expiry_date };
    await users.update('admin', [{ op: 'set', path: 'apikeys.root', value: key }]);
    const log = { info() {}, warn() {}, error() {} };
    const { registry } = openServices({ datastore, coordination, classification, settings: program.config, log });
    await registry.register(MANIFEST, { origin: 'built_in' });
    await registry.close();
  });
  after(() => program.close());

  const call = (path: string, request: TestRequest = {}) =>
    program.request(`/api/v4/signature/${path}`, { headers: ROOT, ...request, service: 'analysis' });
  const rule = (name: string, more: object = {}) => ({
    name,
    type: 'rules',
    source: 'src',
    data: `rule ${name}`,
    status: 'DEPLOYED',
    ...more,
  });
  const add = async (signature: object) => {
    const answer = await call('add_update/', { method: 'POST', json: signature });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.api_response.id as string;
  };
  const get = async (id: string) => (await call(`${id}/`)).json.api_response;

  it('keep what people decided when the text of a rule changes', async () => {
    const id = await add(rule('one'));
    assert.equal((await call(`change_status/${id}/DISABLED/`)).status, 200);
    await add(rule('one', { data: 'changed', status: 'DEPLOYED' }));
    const { data, status, state_change_user: user } = await get(id);
    assert.deepEqual([data, status, user], ['changed', 'DISABLED', 'admin']);
    await call(`clear_status/${id}/`);
    await add(rule('one', { data: 'again', status: 'DEPLOYED' }));
    assert.deepEqual([(await get(id)).status, (await get(id)).state_change_user], ['DEPLOYED', null]);
  });

  it('disable others of the same identifier when one is deployed', async () => {
    const id = await add(rule('two', { source: 'a', status: 'NOISY' }));
    const other = await add(rule('two', { source: 'b' }));
    await call(`change_status/${id}/DEPLOYED/`);
    assert.deepEqual([(await get(id)).status, (await get(other)).status], ['DEPLOYED', 'DISABLED']);
  });

  it('pack a file for each signature where the service wants that, and nothing outside of folders', async () => {
    await add(rule('evil', { source: '../..', signature_id: '../../../etc/passwd' }));
    const answer = await fetch(`${program.urls.analysis}/api/v4/signature/download/?query=name:evil`, {
      headers: ROOT,
    });
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    assert.ok(text.startsWith('PK') && text.includes('rules/.._../.._.._.._etc_passwd'), text);
    assert.equal((await call('download/?query=name:none')).text, '');
  });

  it('refuse what they cannot do', async () => {
    const id = await add(rule('three'));
    const refused: readonly (readonly [path: string, status: number, request?: TestRequest])[] = [
      ['add_update/', 400, { method: 'POST', json: {} }],
      ['add_update/', 400, { method: 'POST', json: rule('x', { status: 'WRONG' }) }],
      ['add_update/', 400, { method: 'POST', json: rule('three', { signature_id: 'other' }) }],
      ['add_update_many/?source=src&sig_type=rules', 400, { method: 'POST', json: [rule('y'), 'x'] }],
      ['add_update_many/?source=src', 400, { method: 'POST', json: [rule('y')] }],
      [`change_status/${id}/STAGING/`, 403],
      [`change_status/${id}/WRONG/`, 403],
      ['change_status/none/DEPLOYED/', 404],
      ['download/?query=((', 400],
      ['update_available/?last_update=bad', 400],
      ['none/', 404],
    ];
    for (const [path, status, request] of refused) {
      const answer = await call(path, request);
      assert.equal(answer.status, status, `${path}: ${answer.text}`);
    }
    assert.equal((await call('rules_src_y/')).status, 404, 'nothing of a list with a wrong entry');
  });

  it('change the sources of a service, and its signatures with them', async () => {
    const source = { name: 'my feed!', uri: 'https://feed.example/second.git', default_classification: 'UNRESTRICTED' };
    assert.equal((await call('sources/Rules/', { method: 'PUT', json: source })).status, 200);
    assert.equal((await call('sources/Rules/', { method: 'PUT', json: source })).status, 400);
    const named = { ...source, name: 'my_feed', uri: 'https://feed.example/moved.git' };
    assert.equal((await call('sources/Rules/my_feed/', { method: 'POST', json: named })).status, 200);
    assert.equal(
      (await call('sources/enable/Rules/my_feed/', { method: 'PUT', json: { enabled: false } })).status,
      200,
    );
    const { Rules } = (await call('sources/')).json.api_response;
    assert.deepEqual(
      Rules.sources.map(({ name, uri, enabled }: Record<string, unknown>) => [name, uri, enabled]),
      [
        ['first', 'https://feed.example/first.zip', true],
        ['my_feed', 'https://feed.example/moved.git', false],
      ],
    );
    const id = await add(rule('fed', { source: 'my_feed' }));
    assert.equal((await call('sources/Rules/my_feed/', { method: 'DELETE' })).status, 200);
    assert.equal((await call(`${id}/`)).status, 404);
  });

  it('say what is wrong with a source', async () => {
    const put = (path: string, json: unknown) => call(`sources/${path}`, { method: 'PUT', json });
    const answers = [
      await put('None/', { name: 'x', uri: 'https://x.example' }),
      await put('Rules/', {}),
      await put('Rules/', { name: '!!!' }),
      await put('enable/Rules/none/', { enabled: true }),
      await put('enable/Rules/first/', {}),
      await call('sources/Rules/first/', { method: 'POST', json: { name: 'first' } }),
      await call('sources/Rules/first/', { method: 'POST', json: { name: 'renamed' } }),
      await call('sources/Rules/none/', { method: 'DELETE' }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 400, 400, 404, 400, 400, 400, 404],
    );
  });
});
