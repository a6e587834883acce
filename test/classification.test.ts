import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEARCHABLE_DOCUMENTS } from '../src/alerts/search/search-collections.ts';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';

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

function userOf(level: Level): string {
  return `of-${level.toLowerCase().replaceAll('//', '-')}`;
}
