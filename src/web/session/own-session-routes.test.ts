import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

const PREFERENCES = '/session/preferences';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({ onAudit: (event) => void events.push(event) });
});
after(() => program.close());
beforeEach(async () => {
  for (const user of ['user', 'admin']) {
    await program.foundation.webSessionLists.endAll(user, { service: undefined });
  }
});

async function signedIn(user: string, password = user): Promise<WebBrowser> {
  const browser = new WebBrowser(program.urls.web);
  assert.equal((await browser.signIn(user, password)).status, 200);
  return browser;
}

describe('the sessions of a user', () => {
  it('are listed in every browser, and ended from another one', async () => {
    const [here, there, other] = [await signedIn('user'), await signedIn('user'), await signedIn('admin')];
    const { sessions } = (await here.ask('/session/mine')).json;
    assert.equal(sessions.length, 2);
    assert.equal(sessions.filter(({ is_current }: { is_current: boolean }) => is_current).length, 1);
    const { id, address, opened_with } = sessions.find(({ is_current }: { is_current: boolean }) => !is_current);
    assert.deepEqual([address, opened_with], ['127.0.0.1', 'password']);

    const foreign = await other.ask(`/session/mine/${id}`, { method: 'DELETE' });
    assert.deepEqual([foreign.status, foreign.json.error.code], [404, 'session_missing']);
    assert.equal((await here.ask(`/session/mine/${id}`, { method: 'DELETE' })).status, 204);
    const { event, user, service } = events.at(-1) ?? {};
    assert.deepEqual([event, user, service], ['sessions_ended', 'user', 'web']);
    assert.equal((await there.ask('/session/mine')).status, 401);
    assert.equal((await here.ask(`/session/mine/${id}`, { method: 'DELETE' })).status, 404);
  });

  it('end all but one', async () => {
    const [here, there] = [await signedIn('user'), await signedIn('user')];
    assert.deepEqual((await here.ask('/session/mine', { method: 'DELETE' })).json, { ended: 1 });
    assert.equal((await there.ask('/session/mine')).status, 401);
    assert.equal((await here.ask('/session/mine')).json.sessions.length, 1);
  });

  it('end with the password, and with the account', async () => {
    const { accounts } = program.foundation;
    await accounts.create('leaving', { name: 'Leaving', new_pass: 'long enough for all' });
    const before = await signedIn('leaving', 'long enough for all');
    await accounts.setPassword('leaving', 'another password');
    assert.equal((await before.ask('/session/mine')).status, 401);
    assert.equal((await before.ask('/session')).json.session, null);
    const browser = new WebBrowser(program.urls.web);
    await browser.signIn('leaving', 'another password');
    await accounts.setActive('leaving', false);
    assert.equal((await browser.ask('/services/alerts/api/v1/view/')).status, 403);
    await accounts.setActive('leaving', true);
    // Processes cache a session for a second.
    const isEnded = async () => (await browser.ask('/session/mine')).status === 401;
    await until('it does not come back with the account', isEnded);
    assert.equal((await browser.ask('/session')).json.session, null);
    assert.equal(browser.cookie, '', 'the browser forgets it');
    assert.deepEqual(await program.foundation.webSessionLists.list('leaving'), []);
  });

  it('are not for a session of a key that reads', async () => {
    const key = new WebBrowser(program.urls.web);
    await key.signInByKey('admin', 'readonly:admin');
    const { sessions } = (await key.ask('/session/mine')).json;
    assert.equal((await key.ask(`/session/mine/${sessions[0].id}`, { method: 'DELETE' })).status, 403);
    assert.equal((await key.ask(PREFERENCES, { method: 'PUT', json: {} })).status, 403);
  });

  it('need a session', async () => {
    const nobody = new WebBrowser(program.urls.web);
    for (const [path, method] of [
      ['/session/mine', 'GET'],
      ['/session/mine', 'DELETE'],
      ['/session/mine/x', 'DELETE'],
      [PREFERENCES, 'GET'],
      [PREFERENCES, 'PUT'],
    ] as const) {
      const headers = { authorization: `Basic ${btoa('admin:admin')}` };
      const answer = await nobody.ask(path, { method, headers, ...(method === 'PUT' ? { json: {} } : {}) });
      assert.deepEqual([answer.status, answer.json.error.code], [401, 'session_ended'], `${method} ${path}`);
    }
  });
});

describe('preferences', () => {
  it('are kept with the account, by versions', async () => {
    const [here, there] = [await signedIn('user'), await signedIn('user')];
    const first = await here.ask(PREFERENCES);
    assert.deepEqual([first.json, first.headers.etag], [{}, 'create']);
    const preferences = {
      language: 'fr',
      columns: ['a', { b: [1, null] }],
      'odd.key': '\u202E',
      nested: { theme: 'dark' },
    };
    const match = (version: string | undefined) => ({ headers: { 'if-match': version } });
    const saved = await here.ask(PREFERENCES, { method: 'PUT', json: preferences, ...match('create') });
    assert.equal(saved.status, 200, saved.text);
    const read = await there.ask(PREFERENCES);
    assert.deepEqual(read.json, preferences);
    assert.equal(read.headers.etag, saved.headers.etag);

    const late = await there.ask(PREFERENCES, { method: 'PUT', json: {}, ...match('create') });
    assert.deepEqual([late.status, late.json.error.code], [409, 'preferences_changed']);
    const next = await there.ask(PREFERENCES, { method: 'PUT', json: { a: 1 }, ...match(`"${read.headers.etag}"`) });
    assert.equal(next.status, 200);
    const stale = await here.ask(PREFERENCES, { method: 'PUT', json: {}, ...match(saved.headers.etag) });
    assert.equal(stale.status, 409);
    assert.equal((await here.ask(PREFERENCES, { method: 'PUT', json: { b: 1 } })).status, 200, 'any version');
    const nonsense = await here.ask(PREFERENCES, { method: 'PUT', json: {}, ...match('nonsense') });
    assert.ok([400, 409].includes(nonsense.status), nonsense.text);
    assert.deepEqual((await (await signedIn('admin')).ask(PREFERENCES)).json, {}, 'of each user');
  });

  it('are a JSON object of at most 64 KiB', async () => {
    const here = await signedIn('user');
    const put = (text: string) =>
      here.ask(PREFERENCES, { method: 'PUT', body: text, headers: { 'content-type': 'application/json' } });
    for (const body of ['[]', '1', '"a"', 'null', '{"a":', '']) assert.equal((await put(body)).status, 400, body);
    const object = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
    assert.equal((await put(object(65_536))).status, 200);
    const tooLarge = await put(object(65_537));
    assert.deepEqual([tooLarge.status, tooLarge.json.error.code], [413, 'preferences_too_large']);
    assert.equal((await put(object(1_000_000))).status, 413);
    assert.equal((await here.ask(PREFERENCES)).json.a.length, 65_528, 'what was refused changed nothing');
    assert.equal((await put('{"__proto__":{"a":1},"constructor":1}')).status < 500, true);
  });

  it('go with the account', async () => {
    const { accounts, preferences } = program.foundation;
    await accounts.create('shortlived', { name: 'Short', new_pass: 'long enough for all' });
    await preferences.set('shortlived', { a: 1 }, undefined);
    await accounts.delete('shortlived');
    assert.deepEqual(await preferences.get('shortlived'), { preferences: {}, version: 'create' });
  });
});
