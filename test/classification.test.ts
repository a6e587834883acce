import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEARCHABLE_DOCUMENTS } from '../src/alerts/search/search-collections.ts';
import type { liveEvents } from '../src/alerts/sockets/live-events.ts';
import { TRIGGERS, type Trigger } from '../src/documents/kinds/action.ts';
import type { ListedRoute } from '../src/http/route-list.ts';
import { SocketClient } from '../src/testing/socket-client.ts';
import { startTestProgram, type TestAnswer, type TestProgram } from '../src/testing/start-test-program.ts';
import { until } from '../src/testing/until.ts';

/**
 * Everything that answers about alerts, asked by users of three levels: none learns of what is above
 * them, not even that it exists.
 */
const LEVELS = ['UNRESTRICTED', 'RESTRICTED', 'RESTRICTED//ADMIN'] as const;
type Level = (typeof LEVELS)[number];
const PASSWORD = 'correct-horse-battery';
/** Alerts of each level. */
const EACH = 4;
const MARK = 'classification-test';
const QUERY = `event.provider:${MARK}`;

interface Stored {
  readonly id: string;
  readonly level: Level;
  readonly severity: number;
}

describe('who may see what', () => {
  let program: TestProgram;
  let stored: Stored[];

  before(async () => {
    program = await startTestProgram({ demo: 'all' });
    for (const level of LEVELS) {
      const { status, text } = await program.request(`/api/v1/user/${userOf(level)}`, {
        method: 'POST',
        basic: 'admin:devkey:admin',
        json: { name: level, new_pass: PASSWORD, classification: level, email: `${userOf(level)}@triad.example` },
      });
      assert.equal(status, 200, text);
    }
    const alerts = LEVELS.flatMap((level, rank) =>
      Array.from({ length: EACH }, (_, index) => ({
        classification: level,
        event: { provider: MARK, severity: rank * 10 + index, created: `2026-01-0${rank + 1}T0${index}:00:00Z` },
        howler: { analytic: `Analytic ${rank}`, assignment: userOf('UNRESTRICTED'), data: [`secret ${level}`] },
        host: { name: `host-${rank}` },
        tags: [`rank-${rank}`],
      })),
    );
    const { status, json } = await program.request('/api/v1/hit?refresh=wait_for', {
      method: 'POST',
      basic: 'admin:devkey:admin',
      json: alerts,
    });
    assert.equal(status, 201, JSON.stringify(json.api_error_message));
    stored = json.api_response.valid.map((hit: { howler: { id: string } }, index: number) => ({
      id: hit.howler.id,
      level: LEVELS[Math.floor(index / EACH)],
      severity: alerts[index]?.event.severity,
    }));
  });
  after(() => program.close());

  const visibleTo = (level: Level) => stored.filter((hit) => LEVELS.indexOf(hit.level) <= LEVELS.indexOf(level));
  const ask = async (level: Level, path: string, body?: object) => {
    const basic = `${userOf(level)}:${PASSWORD}`;
    const { status, json } = await program.request(path, body ? { method: 'POST', basic, json: body } : { basic });
    return { status, answer: json.api_response, message: json.api_error_message };
  };

  for (const level of LEVELS) {
    describe(`a user of ${level}`, () => {
      const rank = LEVELS.indexOf(level);
      const expected = (rank + 1) * EACH;

      it('finds what they may see, by version 1, version 2 and query arguments', async () => {
        const ids = new Set(visibleTo(level).map((hit) => hit.id));
        for (const path of ['/api/v1/search/hit', '/api/v2/search/hit', '/api/v2/search/hit,event']) {
          const { answer } = await ask(level, path, { query: QUERY, rows: 100 });
          assert.equal(answer.total, expected, path);
          assert.deepEqual(new Set(answer.items.map((item: { howler: { id: string } }) => item.howler.id)), ids, path);
        }
        const { answer } = await ask(level, `/api/v1/search/hit?query=${QUERY}&rows=0`);
        assert.equal(answer.total, expected);
      });

      it('cannot widen it by what they ask for', async () => {
        const queries = [
          `${QUERY} OR __access_lvl__:[0 TO *]`,
          `(${QUERY}) OR *:*) OR (*:*`,
          `${QUERY} AND classification:"RESTRICTED//ADMIN"`,
          'howler.data:"secret RESTRICTED//ADMIN"',
        ];
        const above = new Set(
          stored.map((hit) => hit.id).filter((id) => !visibleTo(level).some((hit) => hit.id === id)),
        );
        for (const query of queries) {
          for (const filters of [[], ['*:*'], ['__access_lvl__:*']]) {
            const { status, answer } = await ask(level, '/api/v2/search/hit', {
              query,
              filters,
              rows: 1000,
              fl: 'howler.id',
            });
            if (status === 400) continue;
            const found = answer.items.map((item: { howler: { id: string } }) => item.howler.id);
            assert.ok(!found.some((id: string) => above.has(id)), query);
          }
        }
      });

      it('finds it by words alone, the best match first', async () => {
        const ids = visibleTo(level).map((hit) => hit.id);
        for (const query of ['*', 'rank-', MARK, 'secret', 'secret RESTRICTED//ADMIN']) {
          const { answer } = await ask(level, '/api/v2/fuzzy/search', { query, filters: [QUERY] });
          const found: string[] = answer.items.map((item: { howler: { id: string } }) => item.howler.id);
          assert.ok(found.length > 0 || query.includes(' '), query);
          assert.equal(answer.total, found.length, query);
          assert.deepEqual(
            found.filter((id) => !ids.includes(id)),
            [],
            query,
          );
        }
      });

      it('counts it, in both versions', async () => {
        for (const version of ['v1', 'v2']) {
          const { answer } = await ask(level, `/api/${version}/search/count/hit`, { query: QUERY });
          assert.equal(answer.count, expected, version);
        }
      });

      it('facets it: no value of what is hidden, no number of it', async () => {
        const hosts = Object.fromEntries(LEVELS.slice(0, rank + 1).map((_, index) => [`host-${index}`, EACH]));
        const one = await ask(level, '/api/v1/search/facet/hit/host.name', { query: QUERY });
        assert.deepEqual(one.answer, hosts);
        const shared = await ask(level, '/api/v1/search/facet/hit/event.provider', { query: QUERY });
        assert.deepEqual(shared.answer, { [MARK]: expected });
        for (const path of ['/api/v1/search/facet/hit', '/api/v2/search/facet/hit', '/api/v2/search/facet/hit,event']) {
          const { answer } = await ask(level, path, { query: QUERY, fields: ['host.name', 'classification'] });
          assert.deepEqual(answer['host.name'], hosts, path);
          assert.equal(Object.keys(answer.classification).length, rank + 1, path);
        }
      });

      it('sees it in histograms and figures, and nothing else', async () => {
        const numbers = await ask(level, '/api/v1/search/histogram/hit/event.severity', {
          query: QUERY,
          start: 0,
          end: 50,
          gap: 10,
        });
        assert.deepEqual(
          numbers.answer,
          Object.fromEntries(LEVELS.slice(0, rank + 1).map((_, index) => [index * 10, EACH])),
        );
        const dates = await ask(level, '/api/v1/search/histogram/hit/event.created', {
          query: QUERY,
          start: '2026-01-01',
          end: '2026-01-05',
          gap: '1d',
        });
        assert.equal(Object.keys(dates.answer).length, rank + 1);
        const { answer } = await ask(level, '/api/v1/search/stats/hit/event.severity', { query: QUERY });
        assert.deepEqual([answer.count, answer.max], [expected, rank * 10 + EACH - 1]);
      });

      it('groups it', async () => {
        const { answer } = await ask(level, '/api/v1/search/grouped/hit/host.name', {
          query: QUERY,
          sort: 'host.name asc',
        });
        assert.equal(answer.total, expected);
        assert.deepEqual(
          answer.items.map((group: { value: string; total: number }) => [group.value, group.total]),
          LEVELS.slice(0, rank + 1).map((_, index) => [`host-${index}`, EACH]),
        );
      });

      it('streams it, page by page', async () => {
        const seen: string[] = [];
        let page = '*';
        for (let pages = 0; pages < 20 && page; pages += 1) {
          const { answer } = await ask(level, '/api/v1/search/hit', {
            query: QUERY,
            rows: 3,
            deep_paging_id: page,
            fl: 'howler.id',
          });
          seen.push(...answer.items.map((item: { howler: { id: string } }) => item.howler.id));
          page = answer.next_deep_paging_id;
        }
        assert.deepEqual(
          seen.sort(),
          visibleTo(level)
            .map((hit) => hit.id)
            .sort(),
        );
      });

      it('gets it by its identifier, and what is above does not exist', async () => {
        for (const hit of stored) {
          const visible = visibleTo(level).includes(hit);
          const { status } = await ask(level, `/api/v1/hit/${hit.id}`);
          assert.equal(status, visible ? 200 : 404, hit.level);
        }
      });

      it('has no other hits in their own list', async () => {
        const { answer } = await ask(level, '/api/v1/hit/user?rows=100');
        const assigned = rank === 0 ? EACH : 0;
        assert.equal(answer.length, assigned);
      });

      it('sees the same fields as every user, with nothing of any alert in them', async () => {
        const { answer } = await ask(level, '/api/v1/search/fields/hit');
        const other = await ask('RESTRICTED//ADMIN', '/api/v1/search/fields/hit');
        assert.deepEqual(answer, other.answer);
        assert.doesNotMatch(JSON.stringify(answer), /secret|classification-test/);
      });

      it('gets the same explanations of a query as every user, for every kind of document', async () => {
        const query = `event.provider:* AND ${QUERY} AND __access_lvl__:[0 TO *] AND \\*:secret`;
        for (const { name } of SEARCHABLE_DOCUMENTS) {
          for (const path of [`/api/v1/search/${name}/explain`, `/api/v2/search/${name}/explain`]) {
            const { status, answer } = await ask(level, path, { query });
            assert.equal(status, 200, path);
            assert.deepEqual(answer, (await ask('RESTRICTED//ADMIN', path, { query })).answer, path);
          }
        }
      });
    });
  }

  it('does not serve a page of another user’s stream', async () => {
    const opened = await ask('RESTRICTED//ADMIN', '/api/v1/search/hit', { query: QUERY, rows: 2, deep_paging_id: '*' });
    const page = opened.answer.next_deep_paging_id;
    assert.ok(page);
    const { status } = await ask('UNRESTRICTED', '/api/v1/search/hit', { query: QUERY, rows: 2, deep_paging_id: page });
    assert.equal(status, 400);
  });

  it('keeps administrators to their own clearance in searches', async () => {
    const { json } = await program.request('/api/v1/search/count/hit', {
      method: 'POST',
      basic: 'shawn-h:shawn-h',
      json: { query: QUERY },
    });
    assert.equal(json.api_response.count, EACH);
  });
});

describe('secrets of users', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const ask = async (path: string, body: object) => {
    const { status, text } = await program.request(path, { method: 'POST', basic: 'admin:devkey:admin', json: body });
    return { status, text, answer: JSON.parse(text).api_response };
  };
  const SECRET = /argon2|hmac-sha256|\$2b\$/;

  it('are in no answer to any request', async () => {
    for (const path of [
      '/api/v1/search/user',
      '/api/v2/search/user',
      '/api/v2/search/user,hit',
      '/api/v2/search/hit,user',
    ]) {
      for (const fl of [
        undefined,
        'uname',
        'password',
        '*',
        'pass*',
        'apikeys.devkey.password',
        '*.password',
        'uname,apikeys',
      ]) {
        const { status, text } = await ask(path, { query: '*:*', ...(fl === undefined ? {} : { fl }) });
        assert.ok([200, 403].includes(status), `${path} ${fl}: ${text}`);
        assert.doesNotMatch(text, SECRET, `${path} ${fl}`);
      }
    }
  });

  it('match no query and no filter', async () => {
    for (const query of [
      'password:*',
      '_exists_:password',
      '_exists_:apikeys.devkey.password',
      'password:/.+/',
      'pass*:*argon2*',
      '\\*:*argon2*',
      'apikeys.devkey.password:*',
      'apikeys.*:*',
      'access_control:*',
      '*argon2*',
    ]) {
      const found = await ask('/api/v1/search/count/user', { query });
      assert.ok(found.status === 400 || found.answer.count === 0, `${query}: ${found.text}`);
      const filtered = await ask('/api/v2/search/user', { query: '*:*', filters: [query] });
      assert.ok(filtered.status === 400 || filtered.answer.total === 0, `${query} as a filter: ${filtered.text}`);
    }
  });

  it('are no field to sort, facet, group or count by', async () => {
    for (const field of ['password', 'apikeys', 'apikeys.devkey.password', 'access_control']) {
      for (const [path, body] of [
        [`/api/v1/search/facet/user/${field}`, {}],
        ['/api/v1/search/facet/user', { fields: [field] }],
        ['/api/v2/search/facet/user', { fields: [field] }],
        [`/api/v1/search/grouped/user/${field}`, {}],
        [`/api/v1/search/stats/user/${field}`, {}],
        [`/api/v1/search/histogram/user/${field}`, {}],
        ['/api/v1/search/user', { query: '*:*', sort: `${field} asc` }],
        ['/api/v2/search/user', { query: '*:*', sort: `${field} asc` }],
        ['/api/v1/search/grouped/user/uname', { group_sort: `${field} asc` }],
        ['/api/v1/search/grouped/user/uname', { fl: field }],
      ] as const) {
        const { status, text } = await ask(path, body);
        assert.ok(status === 400 || status === 403, `${path} ${JSON.stringify(body)}: ${status} ${text}`);
        assert.doesNotMatch(text, SECRET);
      }
    }
  });

  it('are not in the list of fields', async () => {
    const { json } = await program.request('/api/v1/search/fields/ALL', { basic: 'admin:devkey:admin' });
    assert.deepEqual(
      Object.keys(json.api_response.user).filter((field) => /password|apikeys|access_control/.test(field)),
      [],
    );
  });
});

const SECRET = 'aboveyourlevel';
/** Has nothing secret: queries of all users name it. */
const TAG = 'classification-of-routes';
const ADMIN = 'admin:devkey:admin';
const LOW = `low:${PASSWORD}`;
type LiveEventName = keyof ReturnType<typeof liveEvents>;

/** Routes, kinds of events and triggers come from the program: a new one that shows more fails here. */
describe('what is above a user', () => {
  let program: TestProgram;
  let hitId: string;
  let caseId: string;
  const clients: SocketClient[] = [];

  const ask = async (basic: string, method: string, path: string, json?: unknown) => {
    const answer = await program.request(path, { method, basic, ...(json === undefined ? {} : { json }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json?.api_response;
  };
  const aHiddenHit = async (): Promise<string> => {
    const hit = { classification: 'RESTRICTED//ADMIN', 'howler.analytic': 'Hidden', tags: [TAG], message: SECRET };
    const { valid } = await ask(ADMIN, 'POST', '/api/v1/hit?refresh=wait_for', [hit]);
    return valid[0].howler.id;
  };
  const listener = async (user: string, password: string) => {
    const { app_token } = await ask(LOW, 'POST', '/api/v1/auth/login', { user, password });
    const client = await SocketClient.admitted(program.url, app_token);
    clients.push(client);
    return client;
  };

  before(async () => {
    program = await startTestProgram({ demo: 'all', settings: { 'ui.enforce_quota': false } });
    await ask(ADMIN, 'POST', '/api/v1/user/low', {
      name: 'low',
      new_pass: PASSWORD,
      email: 'low@triad.example',
      classification: 'UNRESTRICTED',
      type: ['user', 'automation_basic', 'automation_advanced'],
    });
    hitId = await aHiddenHit();
    const hidden = { title: SECRET, summary: SECRET, classification: 'RESTRICTED//ADMIN' };
    ({ case_id: caseId } = await ask(ADMIN, 'POST', '/api/v2/case?refresh=wait_for', hidden));
  });
  after(async () => {
    for (const client of clients) client.close();
    await program.close();
  });

  const CAUSES: Readonly<Record<Trigger, (id: string) => Promise<unknown>>> = {
    create: async () => undefined,
    promote: (id) => ask(ADMIN, 'POST', `/api/v1/hit/${id}/transition`, { transition: 'promote' }),
    demote: (id) => ask(ADMIN, 'POST', `/api/v1/hit/${id}/transition`, { transition: 'demote' }),
    add_label: (id) => ask(ADMIN, 'PUT', `/api/v1/hit/${id}/labels/generic`, { value: ['x'] }),
    remove_label: (id) => ask(ADMIN, 'DELETE', `/api/v1/hit/${id}/labels/generic`, { value: ['x'] }),
  };
  for (const trigger of TRIGGERS) {
    it(`shows in no report of an action that ${trigger} triggers`, async () => {
      const action = await ask(LOW, 'POST', '/api/v1/action?refresh=wait_for', {
        name: trigger,
        query: `tags:${TAG}`,
        triggers: [trigger],
        operations: [{ operation_id: 'add_label', data_json: '{"category":"insight","label":"seen"}' }],
      });
      const id = await aHiddenHit();
      if (trigger === 'remove_label') await CAUSES.add_label(id);
      await CAUSES[trigger](id);
      const path = `/api/v1/action/${action.action_id}/runs`;
      await until('the action ran', async () => (await ask(ADMIN, 'GET', path)).length > 0);
      assert.deepEqual(await ask(LOW, 'GET', path), []);
    });
  }

  it('is filed by no rule of the user, and shows in no report of it', async () => {
    const made = await ask(LOW, 'POST', '/api/v2/case?refresh=wait_for', { title: 'open', summary: 'open' });
    const path = `/api/v2/case/${made.case_id}`;
    const { rules } = await ask(LOW, 'POST', `${path}/rules?refresh=wait_for`, {
      query: `tags:${TAG}`,
      destination: 'found',
    });
    const open = { 'howler.analytic': 'Open', tags: [TAG], message: 'open' };
    await aHiddenHit();
    const { valid } = await ask(ADMIN, 'POST', '/api/v1/hit', [open]);
    await until('the visible alert is filed', async () =>
      JSON.stringify(await ask(ADMIN, 'GET', path)).includes(valid[0].howler.id),
    );
    const items: readonly { readonly type: string; readonly value: string }[] = (await ask(ADMIN, 'GET', path)).items;
    assert.deepEqual(
      items.filter(({ type }) => type === 'hit').map(({ value }) => value),
      [valid[0].howler.id],
    );
    const runs: readonly { readonly records: number }[] = await ask(
      LOW,
      'GET',
      `${path}/rules/${rules[0].rule_id}/runs`,
    );
    assert.ok(
      runs.every(({ records }) => records === 1),
      JSON.stringify(runs),
    );
  });

  it('is in no answer of any route', async () => {
    const leaks: string[] = [];
    const reads = new Set<string>();
    const before = await program.request(`/api/v1/hit/${hitId}`, { basic: ADMIN });
    for (const route of program.alerts.routes.all) {
      for (const id of [hitId, caseId]) {
        const isRead = route.method === 'GET' || route.path.includes('/search');
        if (isRead && (await send(route, ADMIN, id)).text.includes(SECRET)) reads.add(route.path);
        const { text } = await send(route, LOW, id);
        if (text.includes(SECRET)) leaks.push(`${route.method} ${route.path}: ${text.slice(0, 200)}`);
      }
    }
    assert.deepEqual(leaks, []);
    assert.ok(reads.size > 8, `administrators see it in ${[...reads].join(', ')} alone`);
    const after = await program.request(`/api/v1/hit/${hitId}`, { basic: ADMIN });
    assert.equal(after.headers.get('etag'), before.headers.get('etag'), 'it was changed');
  });

  it('is in no live event of any kind', async () => {
    const [low, high] = [await listener('low', PASSWORD), await listener('admin', 'admin')];
    let seen = '';
    low.socket.on('message', (frame: Buffer) => {
      seen += frame.toString();
    });
    // Progress is told every ten alerts.
    for (let count = 0; count < 10; count += 1) await aHiddenHit();
    const assess = '{"status":"open","transition":"assess","assessment":"recon","rationale":"aboveyourlevel"}';
    const run = {
      request_id: 'run',
      query: 'howler.analytic:Hidden AND howler.status:open',
      operations: [{ operation_id: 'transition', data_json: assess }],
    };
    const causes: Readonly<Record<LiveEventName, () => Promise<unknown>>> = {
      hits: () => ask(ADMIN, 'PUT', `/api/v1/hit/${hitId}/update`, [['SET', 'howler.score', 7]]),
      cases: () => ask(ADMIN, 'PUT', `/api/v2/case/${caseId}`, { summary: `${SECRET} again` }),
      action: () => ask(ADMIN, 'POST', '/api/v1/action/execute', run),
      broadcast: () => high.send({ id: hitId, action: 'typing', broadcast: true }),
      viewers_update: () => high.send({ id: hitId, action: 'viewing', broadcast: false }),
    };
    for (const [name, cause] of Object.entries(causes)) {
      await cause();
      await high.next(name);
    }
    await ask('x:secret', 'POST', '/socket/v1/emit/action', { request_id: 'last' });
    await low.next('action', ({ request_id: id }) => id === 'last');
    for (const secret of [SECRET, hitId, caseId]) assert.ok(!seen.includes(secret), seen);
  });

  /** Sends arguments that find everything. */
  function send({ method, url, body }: ListedRoute, basic: string, id: string): Promise<TestAnswer> {
    const index = id === hitId ? 'hit' : 'case';
    const field = index === 'hit' ? 'message' : 'title';
    const path = url.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => {
      if (name.startsWith('index')) return index;
      return name.includes('field') ? field : id;
    });
    const json = { query: '*', rows: 100, fields: [field], indexes: [index], ids: [id], hits: [id] };
    const hasBody = body !== 'ignored' && method !== 'GET';
    return program.request(`${path}?query=*&rows=100`, { method, basic, ...(hasBody ? { json } : {}) });
  }
});

function userOf(level: Level): string {
  return `of-${level.toLowerCase().replaceAll('//', '-')}`;
}
