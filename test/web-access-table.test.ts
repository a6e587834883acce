import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import { PRIVILEGES, type Privilege } from '../src/identity/actor.ts';
import { AlertApiKeys } from '../src/identity/keys/alert-api-keys.ts';
import { NO_AUDIT_LOG } from '../src/testing/identity/no-audit-log.ts';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';
import { WebBrowser } from '../src/testing/web-browser.ts';

/** The routes of the web listener that need no session; all others do. */
const PUBLIC = [
  'GET /session',
  'POST /session',
  'DELETE /session',
  'GET /session/providers/<name>',
  'GET /session/openapi.json',
];
const KEYS: readonly (readonly Privilege[])[] = [['R'], ['W'], ['E'], ['R', 'W', 'E']];

let program: TestProgram;
/** Browsers with the session of a key, by its privileges. */
const byKey = new Map<string, WebBrowser>();
before(async () => {
  program = await startTestProgram({ settings: { 'ui.enforce_quota': false } });
  const { users, accounts } = program.foundation;
  const apiKeys = new AlertApiKeys({ users, settings: program.config.auth, audit: NO_AUDIT_LOG });
  for (const privileges of KEYS) {
    const priv = privileges.join('');
    // One ends the other sessions of its user.
    const username = `caller-${priv.toLowerCase()}`;
    await accounts.create(username, { name: username, new_pass: 'long enough for all', type: ['user'] });
    const owner = { username, privileges: new Set(PRIVILEGES) };
    const key = await apiKeys.create(owner, { name: `key${priv}`, priv });
    const browser = new WebBrowser(program.urls.web);
    assert.equal((await browser.signInByKey(username, key)).status, 200);
    byKey.set(priv, browser);
  }
});
after(() => program.close());

const keyOf = ({ method, path }: ListedRoute) => `${method} ${path}`;

async function ask(browser: WebBrowser, { method, url, body }: ListedRoute, headers: Record<string, string> = {}) {
  const path = url.replaceAll(/:[A-Za-z0-9_]+/g, 'nothing');
  return browser.ask(path, { method, headers, ...(body === 'json' ? { json: {} } : {}) });
}

describe('the routes of the web listener', () => {
  it('that need no session are these', () => {
    const open = program.web.routes.all.filter(({ access }) => access === 'public');
    assert.deepEqual(open.map(keyOf).sort(), PUBLIC.toSorted());
  });

  it('otherwise ask for a session, which no header replaces', async () => {
    for (const route of program.web.routes.all) {
      if (route.access === 'public') continue;
      for (const headers of [
        {},
        { authorization: `Basic ${btoa('admin:admin')}` },
        { 'x-user': 'admin', 'x-apikey': 'devkey:admin' },
        { cookie: `triad=${'A'.repeat(43)}` },
      ]) {
        const { status, json } = await ask(new WebBrowser(program.urls.web), route, headers);
        assert.deepEqual([status, json?.error?.code], [401, 'session_ended'], keyOf(route));
      }
    }
  });

  it('refuse pages of other origins, reads too', async () => {
    for (const route of program.web.routes.all) {
      for (const site of ['cross-site', 'same-site']) {
        const browser = byKey.get('RWE') ?? new WebBrowser(program.urls.web);
        const { status, json } = await ask(browser, route, { 'sec-fetch-site': site });
        assert.deepEqual([status, json?.error?.code], [403, 'foreign_origin'], keyOf(route));
      }
    }
  });

  it('take the privileges that they say, and no others', async () => {
    for (const route of program.web.routes.all) {
      const { access } = route;
      if (access === 'public') continue;
      assert.ok(access.privileges !== 'by_roles', keyOf(route));
      for (const privileges of KEYS) {
        const { status, json } = await ask(byKey.get(privileges.join('')) ?? new WebBrowser(''), route);
        const isEnough = privileges.some((one) => access.privileges.includes(one));
        const isWhole = access.fullScope !== true || privileges.length === 3;
        const code = json?.error?.code;
        const place = `${keyOf(route)} ${privileges}: ${status} ${code}`;
        if (!isEnough) assert.deepEqual([status, code], [403, 'missing_privilege'], place);
        else if (!isWhole) assert.deepEqual([status, code], [403, 'privilege_not_held'], place);
        else assert.ok(status !== 401 && status < 500 && code !== 'missing_privilege', place);
        // The session of the request stays, or the routes after it would not be asked for.
        assert.notEqual(status, 401, place);
      }
    }
  });
});
