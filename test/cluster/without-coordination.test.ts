import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { startServer } from '../servers/start-server.ts';

/**
 * Asserts the behaviour while coordination is unavailable
 * (docs/decisions/0011-without-coordination.md).
 */
async function assertGoesOn(program: TestProgram, appToken: string): Promise<void> {
  const { request } = program;
  const key = { basic: 'ada:devkey:secret' };

  const me = await request('/api/v1/user/whoami', key);
  assert.equal(me.status, 200, me.text);
  const stored = await request('/api/v1/hit?refresh=true', {
    ...key,
    method: 'POST',
    json: [anAlert('while it is gone')],
  });
  assert.equal(stored.status, 201, stored.text);
  const id: string = stored.json.api_response.valid[0].howler.id;
  assert.equal((await request(`/api/v1/hit/${id}`, key)).status, 200);
  const found = await request('/api/v1/search/hit', { ...key, method: 'POST', json: { query: `howler.id:${id}` } });
  assert.equal(found.json.api_response.total, 1, found.text);
  const noted = await request(`/api/v1/hit/${id}/comments`, { ...key, method: 'POST', json: { value: 'seen' } });
  assert.equal(noted.status, 200, noted.text);
  const wrongKey = await request('/api/v1/auth/login', {
    method: 'POST',
    json: { user: 'ada', apikey: 'devkey:wrong' },
  });
  assert.equal(wrongKey.status, 401, wrongKey.text);

  const refusals: Record<string, [code: string, answer: ReturnType<TestProgram['request']>]> = {
    'a password': ['Passwords cannot be checked now', request('/api/v1/user/whoami', { basic: 'ada:password' })],
    'a wrong password': ['Passwords cannot be checked now', request('/api/v1/user/whoami', { basic: 'ada:guess' })],
    'a login by password': [
      'Passwords cannot be checked now',
      request('/api/v1/auth/login', { method: 'POST', json: { user: 'ada', password: 'password' } }),
    ],
    'an app token': ['App tokens cannot be checked now', request('/api/v1/user/whoami', { bearer: appToken })],
    'a forged app token': [
      'App tokens cannot be checked now',
      request('/api/v1/user/whoami', { bearer: 'ada:forged' }),
    ],
    'a login by key': [
      'No app token can be given out now',
      request('/api/v1/auth/login', { method: 'POST', json: { user: 'ada', apikey: 'devkey:secret' } }),
    ],
  };
  for (const [what, [sentence, answer]] of Object.entries(refusals)) {
    const { status, headers, json, text } = await answer;
    assert.equal(status, 503, `${what}: ${text}`);
    assert.ok(json.api_error_message.startsWith(sentence), `${what}: ${text}`);
    assert.ok(!text.includes('redis://'), `${what} tells strangers where the server is`);
    assert.notEqual(headers.get('retry-after'), '0');
  }

  const socket = new SocketClient(program.url);
  await socket.send(appToken);
  assert.equal(await socket.status(), 1006, 'clients connect again when there is no close frame');

  assert.equal((await request('/api/healthz/ready')).text, 'OK', 'a load balancer must not take it out');
  const health = await request('/healthz/');
  assert.equal(health.status, 200);
  assert.equal(health.json.status, 'degraded');
  assert.equal(health.json.checks.coordination.ok, false);
}

describe('the alert service without coordination', () => {
  it('lets API keys go on and refuses passwords and app tokens with a sentence: embedded', async (context) => {
    const logged: string[] = [];
    const program = await start(context, {}, logged);
    const appToken = await logIn(program);
    // From now on it refuses every call as a damaged or full one does.
    await program.foundation.coordination.close();
    await assertGoesOn(program, appToken);
    assert.equal(logged.filter((line) => line.startsWith('requests are admitted without counting')).length, 1);
  });

  const { unavailable } = outsideServer('redis');
  it('lets API keys go on while Redis is killed or frozen, and everything when it is back', {
    skip: unavailable ?? false,
  }, async (context) => {
    const redis = await startServer('redis', { env: { APPENDONLY: 'yes' } });
    context.after(() => redis[Symbol.asyncDispose]());
    const logged: string[] = [];
    const settings = {
      'coordination.type': 'redis',
      'coordination.url': redis.url,
      'datastore.index_prefix': `test${randomUUID().slice(0, 8)}`,
    };
    const program = await start(context, settings, logged);
    const appToken = await logIn(program);
    for (const [gone, back] of [
      [() => redis.kill(), () => redis.start()],
      [async () => redis.freeze(), async () => redis.resume()],
    ] as const) {
      await gone();
      // The first call after a freeze finds out; nothing waits for longer than that.
      const began = performance.now();
      assert.equal((await program.request('/api/v1/user/whoami', { basic: 'ada:devkey:secret' })).status, 200);
      assert.ok(performance.now() - began < 4000);
      await assertGoesOn(program, appToken);
      const times = await Promise.all(Array.from({ length: 20 }, () => timeOf(program)));
      assert.ok(Math.max(...times) < 1000, `keys are answered at once: ${Math.max(...times)} ms`);
      await back();
      await until('it is well', async () => (await program.request('/healthz/')).json.status === 'ok', 15_000);
      assert.equal((await program.request('/api/v1/user/whoami', { bearer: appToken })).status, 200);
      assert.equal((await program.request('/api/v1/user/whoami', { basic: 'ada:password' })).status, 200);
    }
    assert.equal(logged.filter((line) => line.startsWith('requests are admitted without counting')).length, 1);
    assert.equal(logged.filter((line) => line === 'Redis answers again').length, 2);
  });
});

async function start(context: TestContext, settings: Record<string, unknown>, logged: string[]): Promise<TestProgram> {
  const program = await startTestProgram({
    demo: 'none',
    settings: { 'ui.enforce_quota': true, ...settings },
    onLog: ({ msg }) => logged.push(String(msg)),
  });
  context.after(() => program.close());
  await saveUser(program.foundation.users, 'ada', {
    type: ['admin', 'user'],
    apikeys: { devkey: storedKey('secret', ['R', 'W', 'E']) },
  });
  return program;
}

async function logIn({ request }: TestProgram): Promise<string> {
  const login = await request('/api/v1/auth/login', { method: 'POST', json: { user: 'ada', password: 'password' } });
  assert.equal(login.status, 200, login.text);
  const token: string = login.json.api_response.app_token;
  assert.equal((await request('/api/v1/user/whoami', { bearer: token })).status, 200);
  assert.equal((await request('/api/v1/user/whoami', { basic: 'ada:password' })).status, 200);
  return token;
}

async function timeOf(program: TestProgram): Promise<number> {
  const began = performance.now();
  assert.equal((await program.request('/api/v1/user/whoami', { basic: 'ada:devkey:secret' })).status, 200);
  return performance.now() - began;
}

function anAlert(rationale: string): object {
  return { howler: { analytic: 'Without coordination', hash: randomUUID().replaceAll('-', '').repeat(2), rationale } };
}
