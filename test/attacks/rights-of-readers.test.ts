import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram, type TestRequest } from '../../src/testing/start-test-program.ts';

const OWNER = 'user:devkey:user';
const OTHER = 'huey:devkey:huey';
const ADMIN = 'admin:devkey:admin';

let program: TestProgram;
before(async () => {
  program = await startTestProgram({ demo: 'users' });
});
after(() => program.close());

const ask = async (basic: string, path: string, request: TestRequest = {}) => {
  const { status, json, text } = await program.request(path, { basic, ...request });
  return { status, text, response: json?.api_response };
};
const post = (basic: string, path: string, json: unknown) => ask(basic, path, { method: 'POST', json });

describe('personal views, dossiers and templates', () => {
  const personal = { title: 'secretly', query: 'howler.id:secretly', type: 'personal' };
  const ids: Record<string, string> = {};
  before(async () => {
    for (const kind of ['view', 'dossier']) {
      const made = await post(OWNER, `/api/v1/${kind}/?refresh=true`, personal);
      assert.equal(made.status, 201, made.text);
      ids[kind] = made.response[`${kind}_id`];
    }
    const template = { analytic: 'secretly', type: 'personal', keys: ['howler.id'] };
    const made = await post(OWNER, '/api/v1/template/?refresh=true', template);
    ids.template = made.response.template_id;
  });

  /** Returns how many of them a caller finds, by every kind of search. */
  const findings = async (basic: string, kind: string) => {
    const name = kind === 'template' ? 'analytic' : 'title';
    const query = { query: `${name}:secretly`, rows: 5 };
    const body = { ...query, filters: [] };
    const search = await post(basic, `/api/v1/search/${kind}`, query);
    const second = await post(basic, `/api/v2/search/${kind}`, query);
    const count = await post(basic, `/api/v1/search/count/${kind}`, query);
    const facet = await post(basic, `/api/v1/search/facet/${kind}/${name}`, query);
    const facets = await post(basic, `/api/v1/search/facet/${kind}`, { ...body, fields: [name] });
    const across = await post(basic, `/api/v2/search/facet/${kind},hit`, { ...body, fields: [name] });
    const group = await post(basic, `/api/v1/search/grouped/${kind}/${name}`, query);
    const list = await ask(basic, `/api/v1/${kind}/`);
    return {
      search: search.response.total,
      second: second.response.total,
      count: count.response.count ?? count.response,
      facet: facet.response.secretly ?? 0,
      facets: facets.response[name].secretly ?? 0,
      across: across.response[name].secretly ?? 0,
      group: group.response.total,
      list: list.response.filter((one: Record<string, unknown>) => one[name] === 'secretly').length,
    };
  };
  const all = (number: number) => ({
    ...{ search: number, second: number, count: number, facet: number },
    ...{ facets: number, across: number, group: number, list: number },
  });

  for (const kind of ['view', 'dossier', 'template']) {
    it(`of others are found by no search: ${kind}`, async () => {
      assert.deepEqual(await findings(OWNER, kind), all(1));
      assert.deepEqual(await findings(OTHER, kind), all(0));
      assert.deepEqual(await findings(ADMIN, kind), all(0));
    });
  }

  it('of others are not read by their identifier, except by administrators', async () => {
    for (const [basic, status] of [
      [OWNER, 200],
      [OTHER, 404],
      [ADMIN, 200],
    ] as const) {
      assert.equal((await ask(basic, `/api/v1/dossier/${ids.dossier}`)).status, status, basic);
    }
  });

  it('are found once they are shared, and no more once they are not', async () => {
    const total = async (basic: string) => {
      const { response } = await post(basic, '/api/v1/search/view', { query: `view_id:${ids.view}` });
      return response.total;
    };
    const permission = `/api/v1/view/${ids.view}/permission?refresh=true`;
    const json = [{ privilege: 'members', user_id: 'huey' }];
    assert.equal((await ask(OWNER, permission, { method: 'PUT', json })).status, 200);
    assert.deepEqual([await total(OTHER), await total(ADMIN)], [1, 0]);
    assert.equal((await ask(OWNER, permission, { method: 'DELETE', json })).status, 200);
    assert.equal(await total(OTHER), 0);
    const change = (type: string) =>
      ask(OWNER, `/api/v1/view/${ids.view}?refresh=true`, { method: 'PUT', json: { type } });
    assert.equal((await change('global')).status, 200);
    assert.deepEqual([await total(OTHER), await total(ADMIN)], [1, 1]);
    assert.equal((await change('personal')).status, 200);
    assert.deepEqual([await total(OTHER), await total(ADMIN)], [0, 0]);
  });
});

it('the author of a case rule is the caller, and stays when another changes the rule', async () => {
  const rule = { destination: 'a', query: 'howler.id:none', author: 'admin' };
  const authors = ({ response }: { response: { rules: { author: string }[] } }) =>
    response.rules.map(({ author }) => author);
  const made = await post(OWNER, '/api/v2/case/', { title: 'Rules', summary: 'of others', rules: [rule] });
  assert.deepEqual(authors(made), ['user'], made.text);
  const path = `/api/v2/case/${made.response.case_id}`;
  assert.deepEqual(authors(await post(OWNER, `${path}/rules`, rule)), ['user', 'user']);
  const { rules } = (await ask(OTHER, path)).response;
  const change = { rules: [...rules.map((one: object) => ({ ...one, author: 'goose' })), rule] };
  const changed = await ask(OTHER, path, { method: 'PUT', json: change });
  assert.deepEqual(authors(changed), ['user', 'user', 'huey'], changed.text);
});

describe('a case with a record whose classification changed after it was filed', () => {
  /** Overwrites the classification of a record, as the versions of the interface offer it. */
  const kinds: Readonly<Record<string, (id: string, classification: string) => ReturnType<typeof ask>>> = {
    hit: (id, classification) =>
      ask(OWNER, `/api/v1/hit/${id}/overwrite?refresh=true`, { method: 'PUT', json: { classification } }),
    event: (id, classification) =>
      ask(OWNER, `/api/v2/ingest/event/${id}/overwrite?refresh=true`, { method: 'PATCH', json: { classification } }),
  };
  const record = (kind: string, name: string, classification = 'UNRESTRICTED') => ({
    howler: {
      ...(kind === 'hit' && { analytic: 'Levels' }),
      outline: { target: `target-${name}`, threat: `threat-${name}`, indicators: [name] },
    },
    related: { hosts: [`host-${name}`] },
    classification,
  });
  const ingest = async (kind: string, name: string, classification?: string): Promise<string> => {
    const made = await post(OWNER, `/api/v2/ingest/${kind}?refresh=true`, [record(kind, name, classification)]);
    assert.equal(made.status, 201, made.text);
    return made.response[0];
  };
  const gathered = (names: readonly string[]) => ({
    targets: names.map((name) => `target-${name}`),
    threats: names.map((name) => `threat-${name}`),
    indicators: [...names, ...names.map((name) => `host-${name}`)].sort(),
  });
  const seen = async (basic: string, id: string) => {
    const { response } = await ask(basic, `/api/v2/case/${id}`);
    const { targets, threats, indicators, items } = response;
    return { gathered: { targets, threats, indicators }, items: items.map(({ value }: { value: string }) => value) };
  };
  const finds = async (basic: string, indicator: string) =>
    (await post(basic, '/api/v1/search/case', { query: `indicators:${indicator}` })).response.total;

  for (const [kind, classify] of Object.entries(kinds)) {
    it(`shows what it gathered from the record to those alone who may see it: ${kind}`, async () => {
      const name = `raised-${kind}`;
      const [raised, kept] = [await ingest(kind, name), await ingest(kind, `kept-${kind}`)];
      const json = { title: 'Levels', summary: 'x', classification: 'UNRESTRICTED' };
      const id = (await post(OWNER, '/api/v2/case/?refresh=true', json)).response.case_id;
      const file = (value: string) =>
        post(OWNER, `/api/v2/case/${id}/items?refresh=true`, { type: kind, value, name: value });
      assert.equal((await file(raised)).status, 200);
      assert.deepEqual(await seen(OTHER, id), { gathered: gathered([name]), items: [raised] });
      assert.equal(await finds(OTHER, name), 1);

      assert.equal((await classify(raised, 'RESTRICTED')).status, 200);
      assert.deepEqual(await seen(OTHER, id), { gathered: gathered([]), items: [] });
      assert.equal(await finds(OTHER, name), 0);
      assert.equal((await file(kept)).status, 200);
      assert.deepEqual(await seen(OTHER, id), { gathered: gathered([`kept-${kind}`]), items: [kept] });
      assert.deepEqual((await seen(OWNER, id)).items, [raised, kept]);

      const both = gathered([`kept-${kind}`, name]);
      const change = (classification: string) =>
        ask(OWNER, `/api/v2/case/${id}?refresh=true`, { method: 'PUT', json: { classification } });
      assert.equal((await change('RESTRICTED')).status, 200);
      assert.deepEqual(await seen(OWNER, id), { gathered: both, items: [raised, kept] });
      assert.equal((await ask(OTHER, `/api/v2/case/${id}`)).status, 404);
      assert.equal((await change('UNRESTRICTED')).status, 403, 'an item is above it');

      assert.equal((await classify(raised, 'UNRESTRICTED')).status, 200);
      assert.equal((await change('UNRESTRICTED')).status, 200);
      assert.deepEqual(await seen(OTHER, id), { gathered: both, items: [raised, kept] });
    });
  }

  it('follows an alert whose references to cases were overwritten, and a case in a case', async () => {
    const name = 'unreferred';
    const alert = await ingest('hit', name);
    const make = async (title: string, items: readonly object[]) => {
      const made = await post(OWNER, '/api/v2/case/?refresh=true', {
        ...{ title, summary: 'x', classification: 'UNRESTRICTED', items },
      });
      assert.equal(made.status, 201, made.text);
      return made.response.case_id;
    };
    const inner = await make('inner', [{ type: 'hit', value: alert, name: 'a' }]);
    const outer = await make('outer', [{ type: 'case', value: inner, name: 'inner' }]);
    const overwrite = `/api/v1/hit/${alert}/overwrite?refresh=true&replace=true`;
    await ask(OWNER, overwrite, { method: 'PUT', json: { howler: { related: [] } } });
    await kinds.hit?.(alert, 'RESTRICTED');
    assert.deepEqual(await seen(OTHER, inner), { gathered: gathered([]), items: [] });
    assert.deepEqual((await seen(OTHER, outer)).items, [inner]);
    const raise = { method: 'PUT', json: { classification: 'RESTRICTED' } };
    assert.equal((await ask(OWNER, `/api/v2/case/${inner}?refresh=true`, raise)).status, 200);
    assert.deepEqual((await seen(OTHER, outer)).items, []);
    assert.deepEqual((await seen(OWNER, outer)).items, [inner]);
  });
});

describe('the log and the comments of a record', () => {
  const forged = { timestamp: '2026-01-01T00:00:00Z', user: 'admin', explanation: 'forged' };
  const comment = { value: 'forged', user: 'admin', reactions: { admin: 'thumbsup' } };
  const history = async (path: string) => {
    const { howler } = (await ask(OWNER, path)).response;
    return { log: howler.log, comment: howler.comment };
  };
  const made = async () => {
    const hit = { howler: { analytic: 'History', comment: [comment], log: [forged] } };
    const { response, text } = await post(OTHER, '/api/v1/hit/?refresh=true', [hit]);
    assert.ok(response.valid, text);
    const { id } = response.valid[0].howler;
    await post(ADMIN, `/api/v1/hit/${id}/comments`, { value: 'by the administrator' });
    return id;
  };

  it('of a new one are in the name of its sender', async () => {
    const [event] = (
      await post(OTHER, '/api/v2/ingest/event?refresh=true', [{ howler: { comment: [comment], log: [forged] } }])
    ).response;
    const found = await post(OTHER, '/api/v2/search/event', { query: `howler.id:${event}` });
    const { howler } = found.response.items[0];
    for (const { log, comment: comments } of [await history(`/api/v1/hit/${await made()}`), howler]) {
      assert.deepEqual([log[0].user, log[0].explanation.startsWith('Created')], ['huey', true]);
      assert.deepEqual([comments[0].value, comments[0].user, comments[0].reactions], ['forged', 'huey', {}]);
    }
  });

  it('are not overwritten', async () => {
    const id = await made();
    const before = await history(`/api/v1/hit/${id}`);
    for (const replace of ['', '&replace=true']) {
      for (const json of [
        { 'howler.log': [forged], 'howler.comment': [] },
        { howler: { log: [forged], comment: [comment], score: 3 } },
        { howler: { log: [], comment: null } },
      ]) {
        for (const [method, path] of [
          ['PUT', `/api/v1/hit/${id}/overwrite?refresh=true${replace}`],
          ['PATCH', `/api/v2/ingest/hit/${id}/overwrite?refresh=true${replace}`],
        ] as const) {
          const answer = await ask(OTHER, path, { method, json });
          assert.equal(answer.status, 200, answer.text);
          assert.deepEqual(await history(`/api/v1/hit/${id}`), before, `${path} ${JSON.stringify(json)}`);
        }
      }
    }
    const whole = (await ask(OTHER, `/api/v1/hit/${id}`)).response;
    const back = await ask(OTHER, `/api/v1/hit/${id}/overwrite`, { method: 'PUT', json: whole });
    assert.equal(back.status, 200, 'what was read is sent back');
    assert.deepEqual(await history(`/api/v1/hit/${id}`), before);
  });

  it('are not updated by operations, of one, by query or by an action', async () => {
    const id = await made();
    const before = await history(`/api/v1/hit/${id}`);
    const query = `howler.id:${id}`;
    for (const [name, field, value] of [
      ['SET', 'howler.log', []],
      ['SET', 'howler.comment', null],
      ['APPEND', 'howler.log', forged],
      ['APPEND', 'howler.comment', comment],
      ['REMOVE', 'howler.comment', before.comment[0]],
      ['DELETE', 'howler.log', 0],
      ['SET', 'howler', {}],
    ] as const) {
      const operations = [[name, field, value]];
      const requests = [
        await ask(OTHER, `/api/v1/hit/${id}/update`, { method: 'PUT', json: operations }),
        await ask(OTHER, '/api/v1/hit/update', { method: 'PUT', json: { query, operations } }),
        await ask(OTHER, '/api/v2/ingest/hit/update', { method: 'PUT', json: { query, operations } }),
        await ask(OTHER, '/api/v2/ingest/event/update', { method: 'PUT', json: { query: '*:*', operations } }),
      ];
      for (const { status, text } of requests) {
        assert.equal(status, 400, `${name} ${field}: ${text}`);
        assert.match(text, /protected field/);
      }
    }
    for (const field of ['howler.log', 'howler.comment']) {
      const operation = { operation_id: 'change_field', data_json: JSON.stringify({ field, value: [] }) };
      await post(ADMIN, '/api/v1/action/execute', { request_id: 'x', query, operations: [operation] });
    }
    assert.deepEqual(await history(`/api/v1/hit/${id}`), before);
  });

  it('grow by what the routes for it do', async () => {
    const id = await made();
    const before = await history(`/api/v1/hit/${id}`);
    const changed = await ask(OTHER, `/api/v1/hit/${id}/update`, { method: 'PUT', json: [['SET', 'message', 'x']] });
    assert.equal(changed.status, 200, changed.text);
    await post(OTHER, `/api/v1/hit/${id}/comments`, { value: 'mine' });
    const { log, comment: comments } = await history(`/api/v1/hit/${id}`);
    assert.deepEqual([log.length - before.log.length, comments.length - before.comment.length], [2, 1]);
    const foreign = await ask(OTHER, `/api/v1/hit/${id}/comments`, { method: 'DELETE', json: [before.comment[1].id] });
    assert.equal(foreign.status, 403);
  });
});
