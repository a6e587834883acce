import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hitDocument } from '../../src/documents/kinds/hit.ts';
import { slowness } from '../../src/testing/machine-speed.ts';
import type { TestAnswer } from '../../src/testing/start-test-program.ts';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';
import { HOSTILE_QUERIES } from './hostile-queries.ts';

/** Not the user of the probe: searches of one user share what the engine gives them. */
const READER = 'huey:devkey:huey';
const WRITER = 'admin:devkey:admin';
const slower = slowness();
/** Milliseconds. */
const TIMEOUT = 2000;
/** Milliseconds, including those that the engine needs to notice the timeout. */
const MAX_ANSWER_TIME = TIMEOUT + 3000 * slower;
/** Milliseconds. */
const MAX_EXPLANATION_TIME = 500 * slower;
/** Characters; reasons of faults repeat the word at fault. */
const MAX_EXPLANATION_SIZE = 250_000;
const LENGTH = 8000;
const ALERTS = 60;

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram();
  const alerts = Array.from({ length: ALERTS }, (_, at) => {
    const text = TEXTS[at % TEXTS.length]?.(at) ?? '';
    return { howler: { analytic: 'Costly queries', rationale: text }, message: text };
  });
  for (let at = 0; at < ALERTS; at += 20) {
    const answer = await send('/api/v1/hit', alerts.slice(at, at + 20), WRITER);
    assert.equal(answer.status, 201, answer.text.slice(0, 300));
  }
  await search('*:*');
});
after(() => program.stop());

const TEXTS: readonly ((seed: number) => string)[] = [
  () => 'a'.repeat(LENGTH),
  () => 'a '.repeat(LENGTH / 2),
  (seed) => Array.from(randomBits(seed), (bit) => (bit === 1 ? 'a' : 'b')).join(''),
  (seed) => Array.from(randomBits(seed).subarray(LENGTH / 2), (bit) => (bit === 1 ? 'a ' : 'b ')).join(''),
];

/** Returns the same bits for the same seed. */
function randomBits(seed: number): Uint8Array {
  let state = seed + 1;
  return new Uint8Array(LENGTH).map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 1;
  });
}

function send(path: string, json: unknown, basic = READER): Promise<TestAnswer> {
  return program.request(path, { method: 'POST', basic, json });
}

function search(query: string, more: object = {}): Promise<TestAnswer> {
  return send('/api/v1/search/hit', { query, rows: 1, timeout: TIMEOUT, ...more });
}

async function timed(work: () => Promise<TestAnswer>): Promise<{ answer: TestAnswer; time: number }> {
  const begun = performance.now();
  const answer = await work();
  return { answer, time: performance.now() - begun };
}

/** Each answered, refused with the limit, or given up in time; the message never names a folder. */
function assertHarmless(query: string, answer: TestAnswer, time: number): void {
  const about = `${query.slice(0, 80)}: ${answer.status} after ${Math.round(time)} ms, ${answer.text.slice(0, 300)}`;
  assert.ok([200, 400, 503].includes(answer.status), about);
  assert.ok(time < MAX_ANSWER_TIME, about);
  assert.ok(!answer.text.includes(program.process.dataFolder), about);
  if (answer.status === 503) assert.match(answer.json.api_error_message, /given up after 2 s/, about);
}

describe('a costly query', () => {
  it('of 13 s and the end of the program is refused with its limit', async () => {
    const query = 'howler.rationale:/(.{1,200}){1,100}/';
    for (const path of ['/api/v1/search/hit', '/api/v2/search/hit,event', '/api/v1/search/facet/hit/howler.status']) {
      const { answer, time } = await program.attackBesideOthers(() => timed(() => send(path, { query })));
      assert.equal(answer.status, 400, answer.text.slice(0, 300));
      assert.match(answer.json.api_error_message, /too complex: .* 125000 steps/);
      assert.ok(time < 500 * slower, `${time} ms`);
    }
  });

  it(`in any of ${HOSTILE_QUERIES.length} forms delays no other caller`, async () => {
    assert.ok(HOSTILE_QUERIES.length > 180);
    await program.attackBesideOthers(async () => {
      for (const query of HOSTILE_QUERIES) {
        const { answer, time } = await timed(() => search(query));
        assertHarmless(query, answer, time);
      }
    });
  });

  it(`in any of ${HOSTILE_QUERIES.length} forms is explained without delaying other callers`, async () => {
    await program.attackBesideOthers(async () => {
      for (const query of HOSTILE_QUERIES) {
        const { answer, time } = await timed(() => send('/api/v2/search/hit/explain', { query }));
        const about = `${query.slice(0, 80)}: ${answer.status} after ${Math.round(time)} ms`;
        assert.equal(answer.status, 200, about);
        assert.equal(typeof answer.json.api_response.valid, 'boolean', about);
        assert.ok(time < MAX_EXPLANATION_TIME, about);
        assert.ok(answer.text.length < MAX_EXPLANATION_SIZE, `${about}, ${answer.text.length} characters`);
      }
    });
  });

  it('delays no other caller when many are sent at once', async () => {
    const patterns = Array.from({ length: 100 }, (_, at) => `*a${at}*b`).join(' OR ');
    await program.attackBesideOthers(async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => timed(() => search(`howler.rationale:(${patterns})`))),
      );
      for (const { answer, time } of answers) assertHarmless('40 at once', answer, time);
    });
    // What the engine cannot interrupt holds the user's share until it ends.
    while ((await search('howler.status:open')).status !== 200);
  });

  it('is refused in filters, which have the limits of one query together', async () => {
    const filters = Array.from({ length: 300 }, (_, at) => `howler.rationale:*a${at}*b`);
    const refused = await search('*:*', { filters });
    assert.equal(refused.status, 400, refused.text.slice(0, 300));
    assert.match(refused.json.api_error_message, /has 300 patterns, and at most 100/);
    assert.equal((await search('*:*', { filters: filters.slice(0, 20) })).status, 200);
  });
});

describe('an answer that costs much to make', () => {
  const fields = hitDocument.fields.map(({ path }) => path).filter((path) => !path.startsWith('__'));

  it('shows the fields of a list that is looked up once', async () => {
    const patterns = (count: number) => Array.from({ length: count }, (_, at) => `*${at}*a*b*c*d*e*`).join(',');
    for (const count of [101, 4000, 20_000]) {
      const { answer, time } = await program.attackBesideOthers(() =>
        timed(() => search('*:*', { rows: ALERTS, fl: patterns(count) })),
      );
      assert.equal(answer.status, 400, answer.text.slice(0, 300));
      assert.match(answer.json.api_error_message, /at most 1000 and 100 are allowed/);
      assert.ok(time < 500 * slower, `${count}: ${time} ms`);
    }
    for (const path of ['/api/v1/search/hit', '/api/v2/search/hit']) {
      const body = { query: '*:*', rows: ALERTS, fl: `${patterns(99)},howler.id` };
      const answer = await program.attackBesideOthers(() => send(path, body));
      assert.equal(answer.json.api_response.items.length, ALERTS);
      assert.ok(answer.json.api_response.items.every((item: { howler?: { id?: string } }) => item.howler?.id));
    }
  });

  it('counts the values of 100 fields at most, and ends with its time', async () => {
    for (const path of ['/api/v1/search/facet/hit', '/api/v2/search/facet/hit,event']) {
      const refused = await send(path, { query: '*:*', fields });
      assert.equal(refused.status, 400, refused.text.slice(0, 300));
      assert.match(refused.json.api_error_message, new RegExp(`${fields.length} fields .* at most 100`));
      const query = Array.from({ length: 100 }, (_, at) => `howler.rationale:*a${at}*b`).join(' OR ');
      const { answer, time } = await program.attackBesideOthers(() =>
        timed(() => send(path, { query, fields: fields.slice(0, 100), timeout: 1000 })),
      );
      assert.ok(answer.status === 200 || answer.status === 503, answer.text.slice(0, 300));
      assert.ok(time < 3000 * slower, `${time} ms`);
    }
    const others = await timed(() => search('howler.status:open'));
    assert.ok(others.time < 1000 * slower, `the engine still works on what was given up: ${others.time} ms`);
  });

  it('sorts by 32 clauses at most', async () => {
    for (const [path, argument] of [
      ['/api/v1/search/hit', 'sort'],
      ['/api/v2/search/hit,event', 'sort'],
      ['/api/v1/search/grouped/hit/howler.status', 'group_sort'],
    ] as const) {
      const answer = await send(path, { query: '*:*', [argument]: 'howler.id asc,'.repeat(20_000) });
      assert.equal(answer.status, 400, answer.text.slice(0, 300));
      assert.match(answer.json.api_error_message, /20000 clauses; at most 32 are allowed/);
    }
    assert.equal((await search('*:*', { sort: 'howler.id asc,'.repeat(32) })).status, 200);
  });

  it('makes histograms within time', async () => {
    const histogram = (range: object) => send('/api/v1/search/histogram/hit/timestamp', range);
    for (const range of [
      { start: 8.64e15, end: 8.64e15 + 10, gap: 1 },
      { start: Number.MAX_SAFE_INTEGER - 10, end: Number.MAX_SAFE_INTEGER, gap: 1 },
      { start: Number.MIN_SAFE_INTEGER, end: Number.MIN_SAFE_INTEGER + 10, gap: 1 },
      { start: '-271821-04-20', end: '-271821-04-21', gap: '7d' },
    ]) {
      const answer = await histogram({ query: '*:*', ...range });
      assert.equal(answer.status, 400, `${JSON.stringify(range)}: ${answer.text.slice(0, 300)}`);
      assert.match(answer.json.api_error_message, /8640000000000000 milliseconds, which is the limit|100 steps/);
    }
    assert.equal((await histogram({ query: '*:*', start: 8.64e15 - 10, end: 8.64e15, gap: 1 })).status, 200);
  });
});
