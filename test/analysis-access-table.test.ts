import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ANALYSIS_ROLES, type AnalysisRole } from '../src/documents/kinds/analysis-roles.ts';
import { userDocument } from '../src/documents/kinds/user.ts';
import { readDocument } from '../src/documents/schema/read-document.ts';
import type { GuardedAccess } from '../src/http/route-access.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import { hashApiKeySecret } from '../src/identity/keys/api-key-records.ts';
import { hashPassword } from '../src/identity/passwords/passwords.ts';
import { CookieJar } from '../src/testing/identity/cookie-jar.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

/** Groups of the contract that this version does not serve. */
const GROUPS_NOT_SERVED: Readonly<Record<string, string>> = {
  archive: 'off by default',
  assistant: 'there is no assistant',
  proxy: 'nothing is called on behalf of users',
  replay: 'off by default',
  retrohunt: 'there is no retrohunt',
  'service-server': 'served by another listener: test/service-protocol-access-table.test.ts',
  socketio: 'served beside the routes: src/analysis/live/sockets',
};
/** Routes of ours that the public system does not have. */
const OWN_ROUTES = new Set([
  'GET /healthz/',
  'GET /.well-known/jwks.json',
  'GET /metrics',
  'GET /help/api',
  'GET /help/api/openapi.json',
  'GET /help/api/reference.js',
]);

interface ContractRow {
  readonly group: string;
  readonly method: string;
  /** Names of parameters left out: `/api/v4/user/<>/`. */
  readonly path: string;
  /** Roles in the order of the contract, `any`, or `-` for public routes. */
  readonly roles: string;
  readonly audit: boolean;
  readonly quota: string;
  readonly xsrf: boolean;
  readonly readOnly: boolean;
}

const contract: readonly ContractRow[] = readFileSync(new URL('contract/analysis.routes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [group = '', method = '', path = '', needed = '', flagList = ''] = line.split('\t');
    const flags = flagList.split(';');
    const roles = needed === 'any-authenticated' ? 'any' : needed.replaceAll('ROLES.', '').replaceAll('|', ',');
    return {
      group,
      method,
      path: withoutNames(path),
      roles,
      audit: flags.includes('audit'),
      quota: flags.find((flag) => flag.startsWith('quota='))?.slice('quota='.length) ?? '-',
      xsrf: roles !== '-' && !flags.includes('no-xsrf'),
      readOnly: !flags.includes('blocked-if-read_only'),
    };
  });

const USER = 'caller';
const PASSWORD = 'long enough for all';
const SECRET = 'secret';

let program: TestProgram;
before(async () => {
  program = await startTestProgram({ demo: 'none', settings: { 'ui.enforce_quota': false } });
  await makeCaller(program);
});
after(() => program.close());

describe('the routes of the analysis service', () => {
  it('have the roles, audit, quota and exemptions of the contract', () => {
    const rows = new Set(contract.map(asText));
    const differing = program.analysis.routes.all
      .filter((route) => !OWN_ROUTES.has(`${route.method} ${route.path}`))
      .map((route) => asText(asRow(route)))
      .filter((row) => !rows.has(row));
    assert.deepEqual(differing, []);
  });

  it('are all of the contract, but for what is listed with a reason', () => {
    const served = new Set(program.analysis.routes.all.map(({ method, path }) => `${method} ${withoutNames(path)}`));
    const missing = contract.filter(({ method, path }) => !served.has(`${method} ${path}`));
    const listed = ({ group }: ContractRow) => group in GROUPS_NOT_SERVED;
    assert.deepEqual(missing.filter((row) => !listed(row)).map(asText), []);
    const idle = Object.keys(GROUPS_NOT_SERVED).filter((group) => !missing.some((row) => row.group === group));
    assert.deepEqual(idle, [], 'these are served: take them off the list');
  });

  it('of optional groups are as in the contract, too, when they are on', async () => {
    const settings = { 'analysis.datastore.archive.enabled': true, 'analysis.ui.allow_replay': true };
    const everything = await startTestProgram({ demo: 'none', settings });
    try {
      const optional = (group: string) => group === 'archive' || group === 'replay';
      const expected = contract.filter(({ group }) => optional(group)).map(asText);
      const served = everything.analysis.routes.all.map((route) => asText(asRow(route)));
      assert.deepEqual(
        expected.filter((row) => !served.includes(row)),
        [],
      );
    } finally {
      await everything.close();
    }
  });

  it('all have a name in the reference that begins with their section', () => {
    const names = program.analysis.routes.all
      .filter(({ path }) => path.startsWith('/api/v4/') && path !== '/api/v4/')
      .filter(({ operation, tag }) => !operation.startsWith(`${tag}_`));
    assert.deepEqual(
      names.map(({ operation }) => operation),
      [],
    );
  });
});

describe('every route of the analysis service', () => {
  it('asks for a credential, unless it is public', async () => {
    await forEachRoute(async (route, call) => {
      const answer = await call({});
      if (route.access === 'public') assert.notEqual(messageOf(answer), 'Session not found');
      else {
        assert.equal(answer.status, 401);
        assert.equal(messageOf(answer), 'Session not found');
        const { allow_userpass_login } = answer.json.api_response;
        assert.equal(allow_userpass_login, true);
      }
    });
  });

  it('refuses every role that is not enough, and takes every one that is', async () => {
    await forEachGuarded(async (_route, { roles }, call) => {
      for (const role of ANALYSIS_ROLES) {
        const answer = await call({ headers: keyOf(role) });
        const refused = / requires one of the following roles: /.test(messageOf(answer));
        assert.equal(refused, roles !== 'any' && !roles.includes(role), `${role}: ${answer.status} ${answer.text}`);
        if (refused) assert.equal(answer.status, 403);
        else assert.ok(answer.status !== 401 && answer.status < 500, `${role}: ${answer.status} ${answer.text}`);
      }
    });
  });

  it('asks a session for its XSRF token, unless the contract exempts it', async () => {
    await forEachGuarded(async ({ url }, { xsrf }, call) => {
      const { cookie, token } = await openSession();
      const withToken = { cookie, 'x-xsrf-token': token };
      if (!url.includes('logout')) assert.notEqual((await call({ headers: withToken })).status, 401);
      const refused = /\[Invalid XSRF token\]$/;
      for (const headers of [{ cookie }, { cookie, 'x-xsrf-token': `${token}x` }]) {
        const answer = await call({ headers });
        if (xsrf === false) assert.doesNotMatch(messageOf(answer), refused);
        else {
          assert.equal(answer.status, 403);
          assert.match(messageOf(answer), refused);
        }
      }
    });
  });

  it('is a 405 without its final slash', async () => {
    await forEachRoute(async ({ url, method }, call) => {
      if (!url.endsWith('/')) return;
      const answer = await call({ headers: keyOf('administration') }, (path) => path.slice(0, -1));
      assert.equal(answer.status, 405, method);
      assert.match(messageOf(answer), /^Method not allowed/);
    });
  });
});

describe('an installation that is read-only', () => {
  it('refuses what the contract blocks, before it asks who is calling', async () => {
    const readOnly = await startTestProgram({ demo: 'none', settings: { 'analysis.ui.read_only': true } });
    try {
      await forEachGuarded(async (_route, access, call) => {
        const blocked = /\[API not allowed in read-only mode\]$/.test(messageOf(await call({})));
        assert.equal(blocked, access.readOnly === false);
      }, readOnly);
    } finally {
      await readOnly.close();
    }
  });
});

describe('an installation with terms of service', () => {
  const EXEMPT = ['/api/v4/help/tos/', '/api/v4/user/whoami/', '/api/v4/user/tos/<>/', '/api/v4/auth/logout/'];

  it('lets users who have not agreed see the terms, agree, see who they are and leave, and nothing else', async () => {
    const withTerms = await startTestProgram({ demo: 'none', settings: { 'analysis.ui.tos': 'Be kind.' } });
    try {
      await makeCaller(withTerms);
      await forEachGuarded(async ({ path }, { roles }, call) => {
        const answer = await call({ headers: keyOf(roles === 'any' ? 'alert_view' : (roles[0] as AnalysisRole)) });
        const refused = /\[Agree to Terms of Service /.test(messageOf(answer));
        assert.equal(refused, !EXEMPT.includes(withoutNames(path)), answer.text);
      }, withTerms);
    } finally {
      await withTerms.close();
    }
  });
});

type Call = (request: TestRequest, change?: (path: string) => string) => Promise<TestAnswer>;

async function forEachRoute(
  check: (route: ListedRoute, call: Call) => Promise<void>,
  server: TestProgram = program,
): Promise<void> {
  for (const route of server.analysis.routes.all) {
    const path = route.url.replaceAll(/:[A-Za-z0-9_]+/g, 'nothing').replace('*', 'nothing');
    try {
      await check(route, (request, change = (same) => same) =>
        server.request(change(path), { service: 'analysis', method: route.method, ...request }),
      );
    } catch (error) {
      throw new Error(`${route.method} ${route.path}`, { cause: error });
    }
  }
}

function forEachGuarded(
  check: (route: ListedRoute, access: GuardedAccess, call: Call) => Promise<void>,
  server?: TestProgram,
): Promise<void> {
  return forEachRoute(async (route, call) => {
    if (route.access !== 'public') await check(route, route.access, call);
  }, server);
}

function messageOf({ json }: TestAnswer): string {
  return json?.api_error_message ?? '';
}

/** Headers of a key that leaves this role alone. */
function keyOf(role: AnalysisRole): Record<string, string> {
  return { 'x-user': USER, 'x-apikey': `${role}:${SECRET}` };
}

/** A session of a password: without a limit of roles, so that it needs its XSRF token. */
async function openSession(): Promise<{ cookie: string; token: string }> {
  const login = await program.request('/api/v4/auth/login/', {
    service: 'analysis',
    method: 'POST',
    json: { user: USER, password: PASSWORD },
  });
  assert.equal(login.status, 200, login.text);
  const cookies = new CookieJar(login);
  return { cookie: cookies.header, token: cookies.get('XSRF-TOKEN') ?? '' };
}

/** An administrator with a key for each role alone. */
async function makeCaller({ foundation: { users, classification } }: TestProgram): Promise<void> {
  const password = hashApiKeySecret(SECRET);
  const { document } = readDocument(
    userDocument,
    {
      uname: USER,
      name: USER,
      type: ['admin', 'user'],
      classification: classification.unrestricted,
      password: await hashPassword(PASSWORD),
      apikeys: Object.fromEntries(ANALYSIS_ROLES.map((role) => [role, { acl: [], agents: [], password }])),
      key_details: Object.fromEntries(ANALYSIS_ROLES.map((role) => [role, { roles: [role] }])),
    },
    { unknown: 'refuse', classification },
  );
  await users.save(document);
}

function asText({ method, path, roles, audit, quota, xsrf, readOnly }: ContractRow): string {
  const exemptions = `${xsrf || roles === '-' ? '' : ' no-xsrf'}${readOnly ? '' : ' blocked-if-read_only'}`;
  return `${method} ${path} ${roles} ${audit ? 'audit' : 'no-audit'} ${quota}${exemptions}`;
}

function asRow({ method, path, access, tag }: ListedRoute): ContractRow {
  const row = { group: tag, method, path: withoutNames(path) };
  if (access === 'public') return { ...row, roles: '-', audit: false, quota: '-', xsrf: false, readOnly: true };
  return {
    ...row,
    roles: access.roles === 'any' ? 'any' : access.roles.join(','),
    audit: access.audit === true,
    quota: access.quota === 'concurrent' ? 'conc-only' : access.quota === false ? '-' : 'conc+daily',
    xsrf: access.xsrf !== false,
    readOnly: access.readOnly !== false,
  };
}

function withoutNames(path: string): string {
  // A wildcard contains the final slash.
  return path.replace(/<path:[^>]*>$/, '<>/').replaceAll(/<[^>]*>|\*/g, '<>');
}
