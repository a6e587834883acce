import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';

/** Answers on which clients of the public system rely and which no recorded conversation holds. */
describe('compatibility with the public alert system', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    program.request(`/api/v1/${path}`, { basic: ADMIN, ...request });
  const post = (path: string, json: unknown) => send(path, { method: 'POST', json });

  describe('grouped search', () => {
    it('shows 2,500 documents of a group, up to the result window, and refuses more', async () => {
      const hits = Array.from({ length: 120 }, () => ({ howler: { analytic: 'grouped' } }));
      assert.equal((await post('hit/?refresh=true', hits)).status, 201);
      const query = 'howler.analytic:grouped';
      for (const limit of [2500, 10_000]) {
        const { status, json } = await post('search/grouped/hit/howler.analytic', {
          query,
          limit,
          rows: 2500,
          fl: 'howler.id',
        });
        assert.equal(status, 200);
        assert.equal(json.api_response.items[0].items.length, 120);
      }
      const { status, json } = await post('search/grouped/hit/howler.analytic', { query, limit: 10_001 });
      assert.equal(status, 400);
      assert.match(json.api_error_message, /limit.*10000/);
    });
  });

  describe('templates and overviews', () => {
    for (const { path, more } of [
      { path: 'template', more: { type: 'global', keys: ['howler.id'] } },
      { path: 'template', more: { type: 'personal', keys: ['howler.id'] } },
      { path: 'overview', more: { content: 'Text' } },
    ]) {
      it(`refuses a second ${'type' in more ? more.type : ''} ${path} for an analytic, with and without detection`, async () => {
        const create = async (input: object) =>
          (await post(`${path}?refresh=true`, { analytic: 'Analytic', ...more, ...input })).status;
        const statuses: number[] = [];
        for (const input of [
          {},
          {},
          { detection: 'one' },
          { detection: 'one' },
          { detection: 'two' },
          { analytic: 'Other' },
          { analytic: 'Two words' },
          { analytic: 'Two words' },
        ]) {
          statuses.push(await create(input));
        }
        assert.deepEqual(statuses, [201, 409, 201, 409, 201, 201, 201, 201]);
      });
    }
  });

  describe('search', () => {
    it('shows the index of a record with `fl=*`, and reports totals up to track_total_hits', async () => {
      const hits = Array.from({ length: 7 }, () => ({ howler: { analytic: 'totals' } }));
      assert.equal((await post('hit/?refresh=true', hits)).status, 201);
      const search = async (more: object) =>
        (await post('search/hit', { query: 'howler.analytic:totals', rows: 1, ...more })).json.api_response;
      assert.equal((await search({ fl: '*' })).items[0].__index, 'hit');
      assert.equal((await search({})).items[0].__index, undefined);
      assert.equal((await search({ track_total_hits: 5 })).total, 5);
      assert.equal((await search({ track_total_hits: '8' })).total, 7);
      assert.equal((await search({ track_total_hits: true })).total, 7);
      const across = await program.request('/api/v2/search/hit,event', {
        method: 'POST',
        basic: ADMIN,
        json: { query: 'howler.analytic:totals', track_total_hits: 5 },
      });
      assert.equal(across.json.api_response.total, 5);
    });

    it('lists the keys that records have in mappings', async () => {
      const labelled = (key: string, more: object) => ({
        howler: { analytic: 'labelled' },
        labels: { [key]: 'v' },
        ...more,
      });
      const hits = [labelled('key_a', {}), labelled('key_b', { process: { env_vars: { home: '/' } } })];
      assert.equal((await post('hit/?refresh=true', hits)).status, 201);
      const fields = (await send('search/fields/hit', { basic: 'huey:devkey:huey' })).json.api_response;
      for (const path of ['labels', 'labels.key_a', 'labels.key_b', 'process.env_vars.home']) {
        assert.equal(fields[path]?.type, 'keyword', path);
      }
      assert.equal(fields['labels.key_a'].list, false);
      assert.equal((await send('search/fields/ALL')).json.api_response.hit['labels.key_a'], undefined);
    });

    it('says which fields are lists', async () => {
      const { hit, view, case: cases } = (await send('search/fields/ALL')).json.api_response;
      for (const path of ['event.category', 'process.args', 'howler.comment.value'])
        assert.equal(hit[path].list, true, path);
      for (const path of ['dns.answers.name', 'message']) assert.equal(hit[path].list, false, path);
      assert.equal(view['settings.columns.field'].list, true);
      assert.equal(view['settings.columns.width'].list, false);
      assert.equal(cases['items.type'].list, false);
    });
  });

  describe('one alert', () => {
    const create = async (): Promise<string> => {
      const { json } = await post('hit/?refresh=true', [{ howler: { analytic: 'one', labels: { generic: ['old'] } } }]);
      return json.api_response.valid[0].howler.id;
    };

    it('reads `If-Match` of a transition as the public system does', async () => {
      const id = await create();
      const vote = { transition: 'vote', data: { vote: 'benign', email: 'a@b.example' } };
      const votes = async () => (await send(`hit/${id}`)).json.api_response.howler.votes.benign;
      const statusOf = async (version: string) =>
        (await send(`hit/${id}/transition`, { method: 'POST', json: vote, headers: { 'if-match': version } })).status;
      for (const version of ['rubbish', 'create', '1---1---1---1']) assert.equal(await statusOf(version), 400, version);
      for (const version of ['999999---1', '1---7', 'svc-hit---999999---1'])
        assert.equal(await statusOf(version), 409, version);
      for (const version of ['1---', '---1', '1---x', '1---1---']) assert.equal(await statusOf(version), 200, version);
      assert.deepEqual(await votes(), []);
      assert.equal(await statusOf(''), 200);
      assert.deepEqual(await votes(), ['a@b.example']);
    });

    it('reports a missing alert or label set before a body of the wrong kind', async () => {
      const id = await create();
      for (const [path, json, status] of [
        ['none/labels/generic', [], 404],
        [`${id}/labels/none`, [], 404],
        [`${id}/labels/generic`, [], 400],
        [`${id}/labels/generic`, { value: [] }, 400],
        [`${id}/labels/generic`, { value: ['old'] }, 400],
        [`${id}/labels/generic`, { value: ['new'] }, 200],
        ['none/overwrite', [], 404],
        [`${id}/overwrite`, [], 400],
        [`${id}/overwrite`, {}, 200],
      ] as const) {
        assert.equal(
          (await send(`hit/${path}`, { method: 'PUT', json })).status,
          status,
          `${path} ${JSON.stringify(json)}`,
        );
      }
    });
  });

  it('fills api_error_message also where the public system puts the text into api_response alone', async () => {
    const created = await post('hit/', [{ howler: { analytic: 'refusals' } }]);
    const { id } = created.json.api_response.valid[0].howler;
    for (const [method, path, json, status] of [
      ['DELETE', '/api/v1/auth/apikey/none', undefined, 404],
      ['POST', '/api/v2/case/none/items', { type: 'hit', value: id, name: 'x' }, 404],
      ['PUT', `/api/v1/hit/${id}/labels/generic`, [], 400],
      ['DELETE', `/api/v1/hit/${id}/labels/generic`, [], 400],
      ['POST', `/api/v1/hit/${id}/transition`, { transition: 'nothing' }, 400],
    ] as const) {
      const answer = await program.request(path, { method, basic: ADMIN, json });
      assert.equal(answer.status, status, path);
      assert.ok(answer.json.api_error_message.length > 5, path);
      assert.equal(answer.json.api_response, answer.json.api_error_message, path);
    }
  });

  it('compresses large answers of every service, and none that hands out a secret', async () => {
    const boot = await fetch(`${program.url}/api/v1/configs`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(boot.headers.get('content-encoding'), 'br');
    for (const [service, path] of [
      ['analysis', '/help/api/openapi.json'],
      ['enrichment', '/api/apispec_v1.json'],
    ] as const) {
      const { headers } = await program.request(path, { service, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(headers.get('content-encoding'), 'gzip', service);
    }
    const long = 'x'.repeat(5000);
    const login = await post('auth/login', { user: 'admin', password: long, provider: long, refresh_token: long });
    assert.equal(login.headers.get('content-encoding'), null);
  });

  it('checks a change of an account in the order of the public system', async () => {
    const change = async (basic: string, username: string, json: object) => {
      const answer = await send(`user/${username}`, { method: 'PUT', basic, json });
      return `${answer.status} ${answer.json.api_error_message}`;
    };
    const user = 'user:devkey:user';
    const other = 'You are not allowed to change another user than yourself.';
    assert.equal(await change(user, 'none', { name: 'x' }), '404 User none does not exist');
    assert.equal(await change(user, 'huey', { name: 'x' }), `403 ${other}`);
    assert.equal(await change(user, 'huey', { name: '' }), '400 Full name of the user cannot be empty');
    assert.equal(await change(user, 'user', { email: 'a@b.c' }), "400 Cannot update user's email");
    assert.equal(await change(user, 'user', { uname: 'x' }), "400 Cannot update user's username");
    const type = '403 Only Administrators can change the value of the field [type].';
    assert.equal(await change(user, 'user', { type: ['admin'] }), type);
    assert.equal(await change(ADMIN, 'user', { type: 'admin' }), '400 [user.type] Expected a list, got str');
    assert.equal(await change(ADMIN, 'user', { name: 'Dwight' }), '200 ');
  });
});
