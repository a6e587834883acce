import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { sendRequest, type TestRequest } from '../../src/testing/start-test-program.ts';

let home: string;
let program: SpawnedProgram;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'triad-files-'));
  program = await spawnProgram({ flags: ['--demo=users'], dataFolder: join(home, 'new', 'data') });
});
after(async () => {
  await program.stop();
  await rm(home, { recursive: true, force: true });
});

const ask = (service: ServiceName, path: string, request?: TestRequest) => {
  const address = program.addresses[service];
  assert.ok(address);
  return sendRequest(`${address}${path}`, request);
};

const ADMIN = 'admin:devkey:admin';
const KEY = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };

/** Answers of every sort, by service. */
const REQUESTS: Readonly<Record<ServiceName, readonly (readonly [string, TestRequest, number])[]>> = {
  alerts: [
    ['/api/v1/user/whoami', { basic: ADMIN }, 200],
    ['/api/v1/user/whoami', {}, 401],
    ['/api/v1/search/hit?query=*:*', { basic: ADMIN }, 200],
    ['/api/v1/hit/none', { basic: ADMIN }, 404],
    ['/api/v1/auth/login', { method: 'POST', json: { user: 'admin', password: 'admin' } }, 200],
    ['/api/v1/configs', {}, 200],
    ['/api/nowhere', {}, 404],
    ['/api/v1/user/whoami', { method: 'PATCH' }, 405],
    ['/%', {}, 400],
    ['/healthz/', {}, 200],
    ['/metrics', {}, 200],
    ['/api/docs', {}, 200],
    ['/api/apispec_v1.json', {}, 200],
  ],
  analysis: [
    ['/api/v4/user/whoami/', { headers: KEY }, 200],
    ['/api/v4/user/whoami/', {}, 401],
    ['/api/v4/user/admin/', { headers: KEY }, 200],
    ['/help/api', {}, 200],
    ['/healthz/', {}, 200],
  ],
  enrichment: [
    ['/api/v1/configs', {}, 200],
    ['/api/nowhere', {}, 404],
    ['/healthz/', {}, 200],
  ],
};

for (const service of SERVICES) {
  it(`answers are not stored and not shown in frames of other pages: ${service}`, async () => {
    for (const [path, request, expected] of REQUESTS[service]) {
      const { status, headers } = await ask(service, path, request);
      assert.equal(status, expected, path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    }
  });
}

it('versions still tell a caller that nothing changed', async () => {
  const first = await ask('alerts', '/api/v1/user/admin', { basic: ADMIN });
  const version = first.headers.get('etag');
  assert.ok(version);
  const second = await ask('alerts', '/api/v1/user/admin', { basic: ADMIN, headers: { 'if-match': version } });
  assert.equal(second.status, 304);
});

it('data files are for the user of the program alone', async () => {
  const hit = { howler: { analytic: 'Files' } };
  const made = await ask('alerts', '/api/v1/hit/?refresh=true', { method: 'POST', basic: ADMIN, json: [hit] });
  assert.equal(made.status, 201, made.text);
  const wrong: string[] = [];
  let files = 0;
  const look = async (path: string): Promise<void> => {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) wrong.push(`${path} ${(mode & 0o777).toString(8)}`);
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) await look(inner);
      else {
        files += 1;
        const own = (await stat(inner)).mode & 0o777;
        if (own !== 0o600) wrong.push(`${inner} ${own.toString(8)}`);
      }
    }
  };
  await look(join(home, 'new'));
  assert.deepEqual(wrong, []);
  assert.ok(files > 3, `${files} files`);
});
