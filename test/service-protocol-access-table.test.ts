import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { ListedRoute } from '../src/http/route-list.ts';
import {
  sendRequest,
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

/** Paths that the contract lists because the public system answers 404 there. */
const NEVER_REGISTERED = 'defined but blueprint never registered => 404';
/** Routes of ours that the public system does not have. */
const OWN_ROUTES = new Set([
  'GET /healthz/',
  'GET /metrics',
  'GET /help/api',
  'GET /help/api/openapi.json',
  'GET /help/api/reference.js',
]);
const KEY = 'ThisIsARandomAuthKey...ChangeMe!';
const WORKER = {
  'Container-ID': 'worker-1',
  'Service-Name': 'Mini',
  'Service-Version': '4.7.4.25',
  'Service-Tool-Version': '1',
  Timeout: '0',
};

interface ContractRow {
  /** Method and path, with the names of parameters left out. */
  readonly route: string;
  readonly access: string;
  readonly flags: string;
}

const rows: readonly ContractRow[] = readFileSync(new URL('contract/analysis.routes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([group]) => group === 'service-server')
  .map(([, method = '', path = '', access = '', flags = '']) => ({
    route: `${method} ${withoutNames(path)}`,
    access,
    flags,
  }));
const contract = rows.filter(({ flags }) => flags !== NEVER_REGISTERED);

let program: TestProgram;
before(async () => {
  program = await startTestProgram({ demo: 'none' });
});
after(() => program.close());

describe('the routes of the protocol for services', () => {
  it('are those of the contract, with its access', () => {
    const served = routes().filter(({ method, path }) => !OWN_ROUTES.has(`${method} ${path}`));
    assert.deepEqual(
      served.map((route) => `${keyOf(route)} ${route.access === 'public' ? '-' : 'X-APIKEY'}`).sort(),
      contract.map(({ route, access }) => `${route} ${access}`).sort(),
    );
  });

  it('leave out those that the public system never registered', async () => {
    const absent = rows.filter(({ flags }) => flags === NEVER_REGISTERED).map(({ route }) => route.split(' ')[1] ?? '');
    assert.deepEqual(absent, ['/api/', '/api/v1/']);
    for (const path of absent) {
      const answer = await send(path, { headers: { ...WORKER, 'X-APIKEY': KEY } });
      assert.equal(answer.status, 404);
      assert.equal(answer.json.api_error_message, `Api does not exist (${path})`);
    }
  });
});

describe('every route of the protocol for services', () => {
  it('asks for the key, unless it is public', async () => {
    await forEachRoute(async (route, call) => {
      for (const headers of [{}, WORKER, { ...WORKER, 'X-APIKEY': `${KEY}x` }, { ...WORKER, 'X-APIKEY': '' }]) {
        const { status, json } = await call({ headers });
        if (route.access === 'public') assert.notEqual(status, 401);
        else assert.deepEqual([status, json.api_error_message], [401, 'Unauthorized access denied']);
      }
    });
  });

  it('does not accept the credentials of users', async () => {
    await forEachGuarded(async (_route, call) => {
      const headers = { ...WORKER, 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
      assert.equal((await call({ headers })).status, 401);
      assert.equal((await call({ headers: WORKER, basic: 'admin:admin' })).status, 401);
    });
  });

  it('names the header that is missing, and accepts names of headers with underscores', async () => {
    await forEachGuarded(async (_route, call) => {
      for (const name of ['Container-ID', 'Service-Name', 'Service-Version', 'Service-Tool-Version'] as const) {
        const { [name]: _missing, ...others } = WORKER;
        const { status, json } = await call({ headers: { ...others, 'X-APIKEY': KEY } });
        assert.deepEqual([status, json.api_error_message], [400, `The header ${name} is missing.`]);
      }
      const underscored = Object.entries({ ...WORKER, 'X-APIKEY': KEY }).map(([name, value]) => [
        name.replaceAll('-', '_'),
        value,
      ]);
      const { status, text } = await call({ headers: Object.fromEntries(underscored) });
      assert.ok(status !== 401 && status < 500, `${status} ${text}`);
      assert.doesNotMatch(text, /The header (Container|Service)-\S+ is missing/);
    });
  });

  it('admits the key, with and without the final slash', async () => {
    await forEachGuarded(async ({ url }, call) => {
      for (const change of [(path: string) => path, (path: string) => path.replace(/\/$/, '')]) {
        const { status, text } = await call({ headers: { ...WORKER, 'X-APIKEY': KEY } }, change);
        assert.ok(status !== 401 && status !== 403 && status !== 405 && status < 500, `${url}: ${status} ${text}`);
      }
    });
  });
});

type Call = (request: TestRequest, change?: (path: string) => string) => Promise<TestAnswer>;

async function forEachRoute(check: (route: ListedRoute, call: Call) => Promise<void>): Promise<void> {
  for (const route of routes()) {
    const path = route.url.replaceAll(/:[A-Za-z0-9_]+/g, 'a'.repeat(64));
    const body = route.body === 'ignored' ? {} : { json: {} };
    try {
      await check(route, (request, change = (same) => same) =>
        send(change(path), { method: route.method, ...body, ...request }),
      );
    } catch (error) {
      throw new Error(`${route.method} ${route.path}`, { cause: error });
    }
  }
}

function forEachGuarded(check: (route: ListedRoute, call: Call) => Promise<void>): Promise<void> {
  return forEachRoute(async (route, call) => {
    if (route.access !== 'public') await check(route, call);
  });
}

function routes(): readonly ListedRoute[] {
  return program.analysis.serviceProtocol.routes.all;
}

function send(path: string, request: TestRequest): Promise<TestAnswer> {
  return sendRequest(`${program.urls.services}${path}`, request);
}

function keyOf({ method, path }: ListedRoute): string {
  return `${method} ${withoutNames(path)}`;
}

function withoutNames(path: string): string {
  return path.replaceAll(/<[^>]*>/g, '<>');
}
