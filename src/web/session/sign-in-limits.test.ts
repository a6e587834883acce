import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({
    settings: { 'auth.internal.max_failures': 3, 'auth.internal.max_failures_per_address': 8 },
    onAudit: (event) => void events.push(event),
  });
});
after(() => program.close());

const guess = (user: string, password = 'wrong') => new WebBrowser(program.urls.web).signIn(user, password);

describe('a sign-in at the web interface', () => {
  it('names the member that is missing', async () => {
    const bodies: Readonly<Record<string, object>> = {
      user: { method: 'password', password: 'x' },
      password: { method: 'password', user: 'x' },
      apikey: { method: 'apikey', user: 'x', password: 'x' },
      provider: { method: 'provider', code: 'x', state: 'y' },
    };
    const browser = new WebBrowser(program.urls.web);
    for (const [at, json] of Object.entries(bodies)) {
      const { status, json: answer } = await browser.ask('/session', { method: 'POST', json });
      assert.deepEqual([status, answer.error.code, answer.error.at], [400, 'incomplete_sign_in', at]);
    }
    for (const json of [{}, [], { method: 'magic' }, { method: 'password', user: {}, password: 1 }]) {
      assert.equal((await browser.ask('/session', { method: 'POST', json })).status, 400, JSON.stringify(json));
    }
    const form = { body: 'method=password', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    assert.equal((await browser.ask('/session', { method: 'POST', ...form })).status, 415, 'no form of another site');
    const large = { method: 'password', user: 'x', password: 'x'.repeat(9_000_000) };
    assert.equal((await browser.ask('/session', { method: 'POST', json: large })).status, 413);
  });

  it('counts guesses together with those at the services, and says until when', async () => {
    const login = (password: string) =>
      program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'goose', password } });
    assert.equal((await login('wrong')).status, 401);
    assert.equal((await guess('goose')).json.error.code, 'invalid_login');
    assert.equal((await guess('goose')).json.error.code, 'invalid_login');
    const locked = await guess('goose', 'goose');
    assert.deepEqual([locked.status, locked.json.error.code], [401, 'locked_out']);
    assert.ok(Number(locked.headers['retry-after']) > 0);
    assert.equal((await login('goose')).status, 401, 'at the services, too');
    const written = events
      .filter(({ service }) => service === 'web')
      .map(({ event, code, user }) => [event, code, user]);
    assert.deepEqual(written.at(-1), ['login_failed', 'locked_out', 'goose']);
    assert.ok(written.some(([event]) => event === 'locked_out'));
  });

  it('is refused with 429 at an address with too many failures, while others and sessions go on', async () => {
    const user = new WebBrowser(program.urls.web);
    assert.equal((await user.signIn('user')).status, 200);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(`nobody${index}`)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
    assert.equal(refused[0]?.json.error.code, 'too_many_failed_logins');
    assert.ok(Number(refused[0]?.headers['retry-after']) > 0);
    const hammering = Array.from({ length: 300 }, (_, index) => guess(`other${index}`));
    const reads = await Promise.all(Array.from({ length: 20 }, () => user.ask('/services/alerts/api/v1/user/whoami')));
    assert.deepEqual(new Set(reads.map(({ status }) => status)), new Set([200]));
    await Promise.all(hammering);
  });
});
