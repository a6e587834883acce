import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { extensionFolder } from '../../src/testing/extension-folder.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

const FILES = {
  'manifest.yml':
    "name: lab\nmodules:\n  init: lab.init:initialize\n  routes: [samples, lookup]\n  obo_module: 'lab.tokens:exchange'\n",
  'init.js': `import { add_supported_type } from 'triad/extension';
    export const initialize = () => add_supported_type('sample', '^S-[0-9]+$');`,
  'tokens.js': 'export const exchange = () => null;',
  'lookup.js': `import { createRouteGroup } from 'triad/extension';
    export const lookup = createRouteGroup('lookup').get('/mine', () => 1);`,
  'routes/samples.ts': `import { createRouteGroup, failure, ok, requireLogin } from 'triad/extension';
    import { word } from 'dependency';
    export const samples = createRouteGroup('lab')
      .get('/<sample_id>', ({ params, query, headers }) => [{ params, query, credentials: Object.keys(headers).filter((name) => /auth|cookie|apikey/.test(name)), word }, 202])
      .get('/files/<path:rest>', ({ params }) => params)
      .post('/echo', ({ body }) => [{ body }, 200])
      .get('/me', requireLogin(({ user }) => ok(user, ['careful'])))
      .get('/fails', () => { throw new Error('a secret detail'); })
      .get('/refuses', () => failure(503, 'The laboratory is closed.'))
      .get('/odd', () => [1, 99])
      .get('/nothing', () => undefined)
      .delete('/<sample_id>', () => [null, 204]);`,
  'node_modules/dependency/package.json':
    '{"name":"dependency","version":"1.0.0","type":"module","exports":"./index.ts"}',
  'node_modules/dependency/index.ts': "export const word: string = 'from a dependency';",
};

let program: TestProgram;
const lines: Readonly<Record<string, unknown>>[] = [];
const endings: (() => void)[] = [];
before(async () => {
  const folder = extensionFolder({ after: (end) => void endings.push(end) }, { lab: FILES });
  program = await startTestProgram({
    settings: { 'core.extensions': ['lab', 'missing'], extension_folder: folder },
    onLog: (line) => void lines.push(line),
  });
});
after(async () => {
  await program.close();
  for (const end of endings) end();
});

const call = (path: string, options: object = {}) => program.request(path, { service: 'enrichment', ...options });

describe('the routes of an extension', () => {
  it('are open, get parts of the path and the query, and no credential', async () => {
    const { status, json } = await call('/api/v1/lab/a%20b?x=1&y=2&y=3', {
      basic: 'admin:devkey:admin',
      headers: { cookie: 'session=1', 'x-apikey': 'k' },
    });
    assert.equal(status, 202);
    assert.deepEqual(json, {
      params: { sample_id: 'a b' },
      query: { x: '1', y: ['2', '3'] },
      credentials: [],
      word: 'from a dependency',
    });
    assert.deepEqual((await call('/api/v1/lab/files/a/b/c')).json, { rest: 'a/b/c' });
    assert.equal((await call('/api/v1/lab/x/')).status, 202);
  });

  it('read JSON and other bodies', async () => {
    const post = (options: object) => call('/api/v1/lab/echo', { method: 'POST', ...options });
    assert.deepEqual((await post({ json: { a: [1] } })).json, { body: { a: [1] } });
    assert.deepEqual((await post({ body: 'plain', headers: { 'content-type': 'text/plain' } })).json, {
      body: 'plain',
    });
    assert.deepEqual((await post({})).json, {});
    const broken = await post({ body: '{"a"', headers: { 'content-type': 'application/json; charset=utf-8' } });
    assert.equal(broken.status, 400);
  });

  it('are for callers with a credential behind requireLogin', async () => {
    assert.equal((await call('/api/v1/lab/me')).status, 401);
    const { status, json } = await call('/api/v1/lab/me', { basic: 'user:devkey:user' });
    assert.equal(status, 200);
    assert.equal(json.api_response.uname, 'user');
    assert.deepEqual(json.api_warning, ['careful']);
    assert.equal(json.api_status_code, 200);
  });

  it('answer what they throw as a 500 with an id, which the log explains', async () => {
    const { status, json, text } = await call('/api/v1/lab/fails');
    assert.equal(status, 500);
    assert.match(json.api_error_message, /under the id/);
    assert.ok(!text.includes('secret detail'));
    const logged = lines.find(
      ({ msg, route }) => msg === 'the extension lab failed' && route === 'GET /api/v1/lab/fails',
    );
    assert.match(String(logged?.problem), /a secret detail/);
    for (const path of ['odd', 'nothing']) assert.equal((await call(`/api/v1/lab/${path}`)).status, 500);
    assert.equal((await call('/api/v1/lab/refuses')).json.api_error_message, 'The laboratory is closed.');
    assert.equal((await call('/api/v1/lab/7', { method: 'DELETE' })).status, 204);
    assert.equal((await call('/api/v1/lab/7', { method: 'PATCH' })).status, 405);
  });

  it('are in the description of the interface', async () => {
    const { json } = await call('/api/apispec_v1.json');
    const paths = Object.keys(json.paths);
    for (const path of ['/api/v1/lab/{sample_id}', '/api/v1/lab/me']) assert.ok(paths.includes(path), paths.join(' '));
    assert.ok(json.paths['/api/v1/lab/me'].get.responses['401'] !== undefined);
    assert.equal(json.paths['/api/v1/lab/{sample_id}'].get.responses['401'], undefined);
  });
});

describe('extensions with faults', () => {
  it('make the service degraded, not less than ready, and name both of a clash', async () => {
    const { status, json } = await call('/healthz/');
    assert.equal(status, 200);
    assert.equal(json.status, 'degraded');
    assert.match(
      json.checks.extension_missing.detail,
      /^find: There is no folder .*missing, and no package missing\.$/,
    );
    assert.match(json.checks.extension_lab.detail, /sub-API lookup of lab is left out: the service itself has one/);
    assert.equal((await call('/healthz/ready')).status, 200);
  });
});
