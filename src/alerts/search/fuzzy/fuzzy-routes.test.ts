import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../../testing/start-test-program.ts';
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS } from './fuzzy-query.ts';

const ADMIN = 'admin:devkey:admin';
const MARK = 'fuzzy-routes';

describe('fuzzy search', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
    const alerts = [
      { message: 'Emberfox', user: { name: 'first' } },
      { message: 'emberfix', user: { name: 'second' } },
      { message: 'seen emberfox and more', user: { name: 'third' } },
      { message: 'other', related: { ip: ['203.0.113.77'] } },
    ].map((alert) => ({ ...alert, howler: { analytic: 'A' }, event: { provider: MARK } }));
    const { status, text } = await program.request('/api/v1/hit?refresh=wait_for', {
      method: 'POST',
      basic: ADMIN,
      json: alerts,
    });
    assert.equal(status, 201, text);
  });
  after(() => program.close());

  const search = async (body: object) => {
    const { status, json } = await program.request('/api/v2/fuzzy/search', {
      method: 'POST',
      basic: ADMIN,
      json: { filters: [`event.provider:${MARK}`], ...body },
    });
    return { status, answer: json.api_response, message: json.api_error_message };
  };
  const messages = async (query: string) => {
    const { answer } = await search({ query });
    return answer.items.map((item: { message: string }) => item.message);
  };

  it('sorts by the distance of the words and the weight of the field', async () => {
    assert.deepEqual(await messages('emberfox'), ['Emberfox', 'emberfix', 'seen emberfox and more']);
    assert.deepEqual(await messages('203.0.113.77'), ['other']);
    assert.deepEqual(await messages('203.0.113.7'), []);
    const { answer } = await search({ query: 'emberfox' });
    const scores = answer.items.map((item: { _score: number }) => item._score);
    assert.deepEqual(
      scores,
      scores.toSorted((a: number, b: number) => b - a),
    );
    assert.equal(scores[2], 0.5);
  });

  it('reads AND, OR and NOT among the words, and nothing else of the query language', async () => {
    assert.deepEqual(await messages('first OR third'), ['Emberfox', 'seen emberfox and more']);
    assert.deepEqual(await messages('first AND third'), []);
    for (const query of ['user.name:first', '[1 TO 5]', '/f.*/', '"', '(', 'a:(', '_exists_:message', 'x^', '\\']) {
      const { status, answer } = await search({ query });
      assert.deepEqual([status, answer.items], [200, []], query);
    }
  });

  it('refuses what is too long in milliseconds', async () => {
    const word = 'a'.repeat(MAX_QUERY_LENGTH);
    const within = [
      word,
      '-'.repeat(MAX_QUERY_LENGTH),
      `${'ab '.repeat(MAX_QUERY_WORDS)}`,
      '*'.repeat(MAX_QUERY_LENGTH),
    ];
    for (const query of within) assert.equal((await search({ query })).status, 200, query.slice(0, 10));
    const beyond = [
      `${word}a`,
      'ab '.repeat(MAX_QUERY_WORDS + 1),
      'a-'.repeat(MAX_QUERY_WORDS + 1),
      'x'.repeat(1_000_000),
    ];
    for (const query of beyond) {
      const start = performance.now();
      const { status, message } = await search({ query });
      assert.equal(status, 400, query.slice(0, 10));
      assert.match(message, /too complex: it has \d+ (characters|words), and at most \d+ are allowed/);
      assert.ok(performance.now() - start < 250, `${performance.now() - start} ms`);
    }
  });
});
