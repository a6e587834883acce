import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { RouteAccess } from '../src/http/route-access.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import { PRIVILEGES, type Privilege, ROLES, type Role } from '../src/identity/actor.ts';
import { AlertApiKeys } from '../src/identity/keys/alert-api-keys.ts';
import { NO_AUDIT_LOG } from '../src/testing/identity/no-audit-log.ts';
import { type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../src/testing/start-test-program.ts';

/** Rows of the contract that this version does not serve, by the start of their path. */
const NOT_SERVED: readonly (readonly [start: string, reason: string])[] = [
  ['/api/v1/notebook/', 'notebooks are not served'],
  ['/api/v1/sentinel/', 'a plugin of the public system'],
  ['/api/v1/sync/', 'a plugin of the public system'],
  ['/api/v1/search/<>/eql', 'EQL is not served'],
  ['/api/v1/search/<>/sigma', 'Sigma is not served'],
  ['/api/static/', 'there is no web framework with static files'],
  ['/api/swagger_static/', 'the page at /api/docs needs only its script'],
  ['/apidocs/', 'the page is at /api/docs'],
  ['/oauth2-redirect.html', 'the page at /api/docs logs in by password or key'],
];
/** Routes of ours that the public system does not have. */
const OWN_ROUTES = new Set([
  'GET /healthz/',
  'GET /.well-known/jwks.json',
  'GET /api/docs/reference.js',
  'POST /api/v1/auth/logout',
  'GET /api/v1/action/<id>/runs',
  'GET /api/v1/overview/<id>',
  'GET /api/v1/template/<id>',
  'GET /api/v1/view/<view_id>',
  'PUT /api/v1/hit/<id>/triage',
  'GET /api/v2/case/<id>/rules/<rule_id>/runs',
]);

interface ContractRow {
  readonly method: string;
  /** Names of parameters left out: `/api/v1/hit/<>`. */
  readonly path: string;
  readonly privileges: string;
  readonly roles: string;
  readonly audit: string;
}

const contract: readonly ContractRow[] = readFileSync(new URL('contract/alert.routes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method = '', path = '', privileges = '', roles = '', audit = ''] = line.split('\t');
    // A websocket begins as a GET.
    return { method: method === 'WS' ? 'GET' : method, path: withoutNames(path), privileges, roles, audit };
  });

let enrichment: ScriptedServer;
let program: TestProgram;
before(async () => {
  enrichment = await startScriptedServer(() => ({ body: { api_response: {} } }));
  const settings = { 'ui.enforce_quota': false, 'core.clue.enabled': true, 'core.clue.url': enrichment.url };
  program = await startTestProgram({ demo: 'none', settings });
  await makeCallers();
});
after(async () => {
  await program.close();
  await enrichment[Symbol.asyncDispose]();
});

describe('the routes of the alert service', () => {
  it('have the privileges, roles and audit of the contract', () => {
    const rows = new Set(contract.map(asText));
    const differing = program.alerts.routes.all
      .filter((route) => !OWN_ROUTES.has(`${route.method} ${route.path}`))
      .map(asRow)
      .filter((row) => !rows.has(row));
    assert.deepEqual(differing, []);
  });

  it('are all of the contract, but for what is listed with a reason', () => {
    const served = new Set(program.alerts.routes.all.map(({ method, path }) => `${method} ${withoutNames(path)}`));
    const missing = contract.filter(({ method, path }) => !served.has(`${method} ${path}`));
    const unexplained = missing.filter(({ path }) => !NOT_SERVED.some(([start]) => path.startsWith(start)));
    assert.deepEqual(unexplained.map(asText), []);
    const idle = NOT_SERVED.filter(([start]) => !missing.some(({ path }) => path.startsWith(start)));
    assert.deepEqual(idle, [], 'these are served: take them off the list');
  });
});

describe('every route', () => {
  it('asks for a credential, unless it is public', async () => {
    await forEachRoute(async (route, call) => {
      const answer = await call({});
      const message = answer.json?.api_error_message;
      if (route.access === 'public') assert.notEqual(message, 'No Authorization header present');
      else {
        assert.equal(answer.status, 401);
        assert.equal(message, 'No Authorization header present');
        assert.deepEqual(answer.json.api_response, { success: false });
      }
    });
  });

  it('refuses every privilege that is not enough, and takes every one that is', async () => {
    await forEachGuarded(async (route, access, call) => {
      const role = roleFor(access);
      for (const privilege of PRIVILEGES.filter((one) => one !== 'I')) {
        const enough = access.privileges.includes(privilege);
        expectGuard(await call({ basic: keyOf(role, privilege) }), enough ? 'passes' : 'lacks privilege', route);
      }
    });
  });

  it('refuses every user type that is not enough, and takes every one that is', async () => {
    await forEachGuarded(async (route, access, call) => {
      for (const role of ROLES) {
        const answer = await call({ basic: keyOf(role, 'RWE') });
        const enough = access.roles === 'any' || access.roles.includes(role);
        expectGuard(answer, enough ? 'passes' : 'lacks role', route);
      }
    });
  });

  it('takes an app token for no more than the key that it was made with', async () => {
    const tokens = new Map<Role, string>();
    for (const role of ROLES) {
      const [user, name, secret] = keyOf(role, 'R').split(':');
      const login = await program.request('/api/v1/auth/login', {
        method: 'POST',
        json: { user, apikey: `${name}:${secret}` },
      });
      tokens.set(role, login.json.api_response.app_token);
    }
    await forEachGuarded(async (route, access, call) => {
      // It would end the token, which the other routes need.
      if (route.path === '/api/v1/auth/logout') return;
      const answer = await call({ bearer: tokens.get(roleFor(access)) ?? '' });
      expectGuard(answer, access.privileges.includes('R') ? 'passes' : 'lacks privilege', route);
    });
  });

  it('is called in the name of another only with a key for that, and then with its privileges', async () => {
    await forEachGuarded(async (route, access, call) => {
      const role = roleFor(access);
      const basic = keyOf('admin', 'RWE');
      const refused = await call({ basic, impersonate: keyOf(role, 'RWE') });
      assert.equal(refused.status, 403);
      assert.equal(refused.json.api_error_message, 'Not a valid impersonation api key');
      const answer = await call({ basic, impersonate: keyOf(role, 'RI') });
      expectGuard(answer, access.privileges.includes('R') ? 'passes' : 'lacks privilege', route);
    });
  });
});

type Guarded = Exclude<RouteAccess, 'public'>;
type Call = (request: TestRequest) => ReturnType<TestProgram['request']>;

async function forEachRoute(check: (route: ListedRoute, call: Call) => Promise<void>): Promise<void> {
  for (const route of program.alerts.routes.all) {
    const path = route.url.replaceAll(/:[A-Za-z0-9_]+|\*$/g, 'nothing');
    try {
      await check(route, (request) => program.request(path, { method: route.method, ...request }));
    } catch (error) {
      throw new Error(`${route.method} ${route.path}`, { cause: error });
    }
  }
}

function forEachGuarded(check: (route: ListedRoute, access: Guarded, call: Call) => Promise<void>): Promise<void> {
  return forEachRoute(async (route, call) => {
    if (route.access !== 'public') await check(route, route.access, call);
  });
}

/**
 * Asserts the decision of the guard.
 * The answer of the route itself to a request without arguments does not matter here.
 */
function expectGuard(
  answer: Awaited<ReturnType<Call>>,
  expected: 'passes' | 'lacks privilege' | 'lacks role',
  { path }: ListedRoute,
): void {
  const message: string = answer.json?.api_error_message ?? '';
  const wrongRole = message.includes(' requires one of the following user types: ');
  const wrongPrivilege = message === 'You do not have access to this API.';
  const actual = wrongPrivilege ? 'lacks privilege' : wrongRole ? 'lacks role' : 'passes';
  assert.equal(actual, expected, `${path}: ${answer.status} ${message}`);
  if (actual === 'passes')
    assert.ok(answer.status !== 401 && answer.status < 500, `${path}: ${answer.status} ${message}`);
  else assert.equal(answer.status, 403);
}

/** `user:key name:secret` by user type and privileges of the key. */
const keys = new Map<string, string>();

function keyOf(role: Role, privileges: Privilege | 'RWE' | 'RI'): string {
  const key = keys.get(`${role} ${privileges}`);
  assert.ok(key !== undefined, `no key ${role} ${privileges}`);
  return key;
}

/** A user of each type alone, with a key for each set of privileges. */
async function makeCallers(): Promise<void> {
  const { accounts, users } = program.foundation;
  const apiKeys = new AlertApiKeys({ users, settings: program.config.auth, audit: NO_AUDIT_LOG });
  const owner = { privileges: new Set(PRIVILEGES) };
  for (const role of ROLES) {
    const username = `caller-${role.replaceAll('_', '-')}`;
    await accounts.create(username, { name: username, new_pass: 'long enough for all', type: [role] });
    for (const privileges of ['R', 'W', 'E', 'RWE', 'RI']) {
      const agents = privileges === 'RI' ? { agents: ['caller-admin'] } : {};
      const key = await apiKeys.create(
        { username, ...owner },
        { name: `key${privileges}`, priv: privileges, ...agents },
      );
      keys.set(`${role} ${privileges}`, `${username}:${key}`);
    }
  }
}

function roleFor({ roles }: Guarded): Role {
  return ROLES.find((role) => roles === 'any' || roles.includes(role)) ?? 'user';
}

function asText({ method, path, privileges, roles, audit }: ContractRow): string {
  return [method, path, privileges, roles, audit].join(' ');
}

function asRow({ method, path, access }: ListedRoute): string {
  if (access === 'public')
    return asText({ method, path: withoutNames(path), privileges: '-', roles: '-', audit: 'no' });
  return asText({
    method,
    path: withoutNames(path),
    privileges: access.privileges === 'by_roles' ? '-' : access.privileges.join('|'),
    roles: access.roles === 'any' ? '-' : [...access.roles].sort().join(','),
    audit: access.audit === true ? 'yes' : 'no',
  });
}

function withoutNames(path: string): string {
  return path.replaceAll(/<[^>]*>/g, '<>');
}
