import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { WebBrowser } from '../../src/testing/web-browser.ts';

const WHOAMI = '/services/alerts/api/v1/user/whoami';

describe('a session of the web interface in two programs that share Redis', () => {
  const redis = outsideServer('redis');
  if (redis.unavailable !== undefined) {
    it('not run', { skip: redis.unavailable });
    return;
  }

  let here: TestProgram;
  let there: TestProgram;
  before(async () => {
    const settings = {
      'coordination.type': 'redis',
      'coordination.url': redis.url,
      'datastore.index_prefix': `web${randomBytes(4).toString('hex')}`,
    };
    [here, there] = await Promise.all([startTestProgram({ settings }), startTestProgram({ settings })]);
    // Each has a datastore of its own in memory: they share the account by its record.
    const user = await here.foundation.users.get('user');
    assert.ok(user !== undefined);
    await there.foundation.users.save(user);
  });
  after(async () => {
    await Promise.all([here?.close(), there?.close()]);
  });

  it('is good at both, and its end at one ends it at the other, with its live events', async () => {
    const one = new WebBrowser(here.urls.web);
    assert.equal((await one.signIn('user')).status, 200);
    const { cookie } = one;
    const other = new WebBrowser(there.urls.web);
    const ask = (path: string) => other.ask(path, { headers: { cookie } });
    assert.equal((await ask(WHOAMI)).json.api_response.username, 'user');
    const socket = other.listen({ cookie });
    await socket.next('info');
    assert.equal((await ask('/session/mine')).json.sessions.length, 1);
    assert.equal((await one.ask('/session', { method: 'DELETE' })).status, 204);
    await until('the other program knows of it', async () => (await ask(WHOAMI)).status === 401);
    assert.equal(await socket.status(), 401);
  });

  it('ends at both when the user is switched off at one', async () => {
    const one = new WebBrowser(here.urls.web);
    await one.signIn('user');
    const headers = { cookie: one.cookie };
    const other = new WebBrowser(there.urls.web);
    assert.equal((await other.ask(WHOAMI, { headers })).status, 200);
    await here.foundation.accounts.setActive('user', false);
    await until('the other program knows of it', async () => (await other.ask(WHOAMI, { headers })).status === 401);
    await here.foundation.accounts.setActive('user', true);
    assert.equal((await other.ask(WHOAMI, { headers })).status, 401);
  });
});
