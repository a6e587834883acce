import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import { ROLES } from '../src/identity/actor.ts';
import { extensionFolder } from '../src/testing/extension-folder.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../src/testing/start-test-program.ts';

/** Rows of the contract that this version does not serve, by the start of their path. */
const NOT_SERVED: readonly (readonly [start: string, reason: string])[] = [
  ['/api/swagger_static/', 'the page at /api/docs needs only its script'],
  ['/apidocs/', 'the page is at /api/docs'],
  ['/oauth2-redirect.html', 'the page at /api/docs takes a token'],
  ['/static/', 'there is no web framework with static files'],
];
/** Rows about what the service asks of others. */
const OF_OTHERS = new Set(['plugin', 'plugin-probe', 'websocket']);
/** Routes of ours that the public system does not have. */
const OWN_ROUTES = new Set([
  'GET /healthz/',
  'GET /.well-known/jwks.json',
  'GET /api/docs/reference.js',
  'GET /api/v1/sources/',
  'POST /api/v1/lookup/extract',
]);
/** Routes with a line for every call: the recordings of the public system say which. */
const AUDITED = new Set([
  'DELETE /api/v1/registration/<>',
  'GET /api/v1/actions/',
  'GET /api/v1/fetchers/',
  'GET /api/v1/lookup/enrich/<>/<>/',
  'GET /api/v1/lookup/types/',
  'GET /api/v1/lookup/types_detection/',
  'GET /api/v1/static/docs',
  'GET /api/v1/static/docs/<>',
  'POST /api/v1/actions/execute/<>/<>',
  'POST /api/v1/fetchers/<>/<>',
  'POST /api/v1/lookup/enrich',
  'POST /api/v1/registration/register/',
  'POST /enrich/',
]);
/** Row of the contract for the routes of extensions. */
const OF_EXTENSIONS = 'ANY /api/v1/<>/<>';
/** Sub-API of the extension of this test, with an open route and one behind a login. */
const SUB_API = '/api/v1/laboratory/';
const EXTENSION = {
  'manifest.yml': 'name: laboratory\nmodules:\n  routes: [samples]\n',
  'samples.js': `import { createRouteGroup, requireLogin } from 'triad/extension';
    export const samples = createRouteGroup('laboratory')
      .get('/open/<sample_id>', () => [{}, 200])
      .get('/mine/<sample_id>', requireLogin(() => [{}, 200]));`,
};
/** Start of the paths that are open to administrators and configured keys alone. */
const ADMINISTRATION = '/api/v1/registration/';

const contract = readFileSync(new URL('contract/enrichment.routes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [group = '', method = '', path = '', auth = ''] = line.split('\t');
    return { group, method, path: withoutNames(path), auth };
  })
  .filter(({ group }) => !OF_OTHERS.has(group));

let provider: TestIdentityProvider;
let program: TestProgram;
let removeExtension = () => {};
before(async () => {
  const folder = extensionFolder(
    {
      after: (end) => {
        removeExtension = end;
      },
    },
    { laboratory: EXTENSION },
  );
  provider = await startIdentityProvider();
  program = await startTestProgram({
    demo: 'none',
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings() },
      'enrichment.api_keys': { robot: 'robot-secret' },
      'core.extensions': ['laboratory'],
      extension_folder: folder,
    },
  });
});
after(async () => {
  await provider[Symbol.asyncDispose]();
  await program.close();
  removeExtension();
});

describe('the routes of the enrichment service', () => {
  it('need a credential as the contract says, and name the accepted caller as the recordings do', () => {
    const rows = new Set(
      contract.map(({ method, path, auth }) => `${method} ${path} ${auth === 'none' ? 'public' : 'user'}`),
    );
    const routes = program.enrichment.routes.all.filter(
      ({ method, path }) => !OWN_ROUTES.has(`${method} ${path}`) && !path.startsWith(SUB_API),
    );
    const differing = routes
      .map(({ method, path, access }) => `${method} ${withoutNames(path)} ${access === 'public' ? 'public' : 'user'}`)
      .filter((row) => !rows.has(row));
    assert.deepEqual(differing, []);
    const audited = routes.filter(({ access }) => access !== 'public' && access.audit === true);
    assert.deepEqual(new Set(audited.map(({ method, path }) => `${method} ${withoutNames(path)}`)), AUDITED);
  });

  it('are all of the contract, but for what is listed with a reason', () => {
    const served = new Set(program.enrichment.routes.all.map(({ method, path }) => `${method} ${withoutNames(path)}`));
    assert.ok(served.has(`GET ${SUB_API}open/<>`) && served.has(`GET ${SUB_API}mine/<>`));
    served.add(OF_EXTENSIONS);
    const missing = contract.filter(({ method, path }) => !served.has(`${method} ${path}`));
    const unexplained = missing.filter(({ path }) => !NOT_SERVED.some(([start]) => path.startsWith(start)));
    assert.deepEqual(unexplained, []);
    const idle = NOT_SERVED.filter(([start]) => !missing.some(({ path }) => path.startsWith(start)));
    assert.deepEqual(idle, [], 'these are served: take them off the list');
  });
});

describe('every route of the enrichment service', () => {
  it('asks for a credential, unless it is public', async () => {
    await forEachRoute(async (route, call) => {
      const { status, json } = await call({});
      if (route.access === 'public') {
        assert.notEqual(json?.api_error_message, 'No Authorization header present');
      } else {
        assert.equal(status, 401);
        assert.equal(json.api_error_message, 'No Authorization header present');
        assert.deepEqual(json.api_response, { success: false });
      }
    });
  });

  it('takes a configured key with the user that it names, and no key without or with another secret', async () => {
    const named = { 'x-userid': 'grace', 'x-classification': program.foundation.classification.unrestricted };
    await forEachGuarded(async (call) => {
      assert.notEqual((await call({ basic: 'robot:robot-secret', headers: named })).status, 403);
      for (const request of [
        { basic: 'robot:robot-secret' },
        { basic: 'robot:robot-secret', headers: { 'x-userid': 'grace' } },
        { basic: 'robot:other-secret', headers: named },
        { basic: 'admin:robot-secret', headers: named },
      ]) {
        assert.equal((await call(request)).status, 403);
      }
    });
  });

  it('takes a user by API key or app token, and not by password', async () => {
    const username = 'ada';
    const password = 'long enough for all';
    await program.foundation.accounts.create(username, { name: username, new_pass: password, type: ['admin', 'user'] });
    const login = await program.request('/api/v1/auth/login', { method: 'POST', json: { user: username, password } });
    const { app_token: bearer } = login.json.api_response;
    const created = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      bearer,
      json: { name: 'devkey', priv: ['R', 'W'] },
    });
    const { apikey } = created.json.api_response;
    const accepted = [{ bearer }, { basic: `${username}:${apikey}` }, { headers: keyHeaders(username, apikey) }];
    await forEachGuarded(async (call) => {
      assert.equal((await call({ basic: `${username}:${password}` })).status, 403);
      assert.equal((await call({ basic: `${username}:devkey:x` })).status, 403);
      assert.equal((await call({ bearer: `${username}:x` })).status, 401);
      assert.equal((await call({ headers: keyHeaders(username, 'devkey:x') })).status, 401);
      for (const request of accepted) {
        const { status } = await call(request);
        assert.ok(status !== 401 && status !== 403, `${status}`);
      }
    });
  });

  it('takes an access token for this service and for no other, of users of every kind', async () => {
    for (const role of ROLES) {
      await forEachGuarded(async (call, { path }) => {
        assert.equal((await call({ bearer: await provider.accessToken('hopper', 'alerts') })).status, 401);
        const { status } = await call({ bearer: await provider.accessToken('hopper', 'enrichment') });
        const user = await program.foundation.users.get('hopper');
        const mayCall = !path.startsWith(ADMINISTRATION) || user?.type.includes('admin');
        assert.equal(status === 401 || status === 403, !mayCall, `${role} ${status}`);
      });
      await program.foundation.users.update('hopper', [{ op: 'set', path: 'type', value: [role] }]);
    }
    await program.foundation.users.update('hopper', [{ op: 'set', path: 'type', value: [] }]);
    await forEachGuarded(async (call) => {
      assert.equal((await call({ bearer: await provider.accessToken('hopper', 'enrichment') })).status, 403);
    });
  });
});

type Call = (request: TestRequest) => ReturnType<TestProgram['request']>;

const keyHeaders = (user: string, apikey: string) => ({ 'x-user': user, 'x-apikey': apikey });

async function forEachRoute(check: (route: ListedRoute, call: Call) => Promise<void>): Promise<void> {
  for (const route of program.enrichment.routes.all) {
    const path = route.url.replaceAll(/:[A-Za-z0-9_]+|\*$/g, 'nothing');
    try {
      await check(route, (request) =>
        program.request(path, { service: 'enrichment', method: route.method, ...request }),
      );
    } catch (error) {
      throw new Error(`${route.method} ${route.path}`, { cause: error });
    }
  }
}

function forEachGuarded(check: (call: Call, route: ListedRoute) => Promise<void>): Promise<void> {
  return forEachRoute(async (route, call) => {
    if (route.access !== 'public') await check(call, route);
  });
}

function withoutNames(path: string): string {
  return path.replaceAll(/<[^>]*>/g, '<>');
}
