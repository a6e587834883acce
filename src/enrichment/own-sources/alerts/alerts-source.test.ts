import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { LEVELS, type MadeAlert, madeAlert, SHA256, VALUES } from '../../../testing/enrichment/alerts-with-values.ts';
import { startTestProgram, type TestProgram } from '../../../testing/start-test-program.ts';

const PASSWORD = 'correct-horse-battery';
/** More than one page of a search. */
const ALERTS = 1_150;

describe('the source of alerts', () => {
  let program: TestProgram;
  const made: MadeAlert[] = [];
  const ids: string[] = [];
  const tokens: string[] = [];

  before(async () => {
    program = await startTestProgram({
      settings: { 'enrichment.own_sources': 'alerts', 'http.max_body_size': 50_000_000 },
    });
    for (const [rank, level] of LEVELS.entries()) {
      // The users of the demo have no filter, as in the recordings.
      const seen = LEVELS.slice(0, rank + 1).map((one) => `"${one}"`);
      const access_control = `classification:(${seen.join(' OR ')})`;
      const user = { name: level, new_pass: PASSWORD, type: ['user'], classification: level, access_control };
      await program.foundation.accounts.create(`u${rank}`, user);
      const login = { method: 'POST', json: { user: `u${rank}`, password: PASSWORD } };
      tokens.push((await program.request('/api/v1/auth/login', login)).json.api_response.app_token);
    }
    const random = fc.sample(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), { numRuns: ALERTS, seed: 7 });
    const documents = random.map((numbers, at) => {
      const { alert, document } = madeAlert(numbers, at);
      made.push(alert);
      return document;
    });
    for (let from = 0; from < ALERTS; from += 200) {
      const json = documents.slice(from, from + 200);
      const stored = await program.request('/api/v1/hit?refresh=wait_for', { method: 'POST', basic: ADMIN, json });
      assert.equal(stored.status, 201, stored.text.slice(0, 500));
      ids.push(...stored.json.api_response.valid.map(({ howler }: { howler: { id: string } }) => howler.id));
    }
  });
  after(() => program?.close());

  async function lookUp(
    rank: number,
    values: readonly { type: string; value: string }[],
    query = '?include_raw=true&max_timeout=60',
  ) {
    const json = values.map(({ type, value }) => ({ type, value }));
    const request = { service: 'enrichment', method: 'POST', bearer: tokens[rank] ?? '', json } as const;
    const { status, json: answer, text } = await program.request(`/enrich/${query}`, request);
    assert.equal(status, 200, text.slice(0, 500));
    const key = (type: string, value: string) => (type === 'domain' ? value.toLowerCase() : value);
    return values.map(({ type, value }) => answer.api_response[type][key(type, value)]?.alerts);
  }

  it('counts the alerts that each user sees, however they spell a value, as a search for it alone does', async () => {
    for (const rank of LEVELS.keys()) {
      const results = await lookUp(rank, VALUES);
      for (const [index, { type, value }] of VALUES.entries()) {
        const holding = made.filter(({ level, held }) => level <= rank && held.has(index));
        const result = results[index];
        assert.equal(result?.error, undefined, `${type} ${value.slice(0, 50)}: ${result?.error}`);
        const [item] = result?.items ?? [];
        const about = `${type} ${value.slice(0, 50)} as u${rank}`;
        assert.equal(item?.count ?? 0, holding.length, about);
        if (item === undefined) continue;
        const times = holding.map(({ time }) => time).sort();
        const { first_seen, last_seen, status, assessment, analytic } = item.raw_data;
        const seen = [first_seen, last_seen].map((time) => new Date(time).toISOString());
        assert.deepEqual(seen, [times[0], times.at(-1)], about);
        assert.deepEqual(status, countsOf(holding.map((one) => one.status)), about);
        assert.deepEqual(assessment, countsOf(holding.flatMap((one) => one.assessment ?? [])), about);
        assert.deepEqual(analytic, countsOf(holding.map((one) => one.analytic)), about);
        if (item.link === undefined) continue;
        const { pathname, search } = new URL(item.link);
        const alone = await program.request(`${pathname}${search}`, { bearer: tokens[rank] ?? '' });
        assert.equal(alone.json.api_response.total, holding.length, about);
      }
    }
  });

  it('names no alert above the caller, in any part of an answer', async () => {
    for (const rank of LEVELS.keys()) {
      const text = JSON.stringify(await lookUp(rank, VALUES));
      const named = made.filter((_, at) => text.includes(ids[at] ?? '')).map(({ level }) => level);
      assert.ok(named.length > 0 && named.every((level) => level <= rank), `u${rank}: ${named}`);
      assert.equal(text.includes('RESTRICTED//ADMIN'), rank === 2);
    }
  });

  it('names the cases that list a value, and those of the alerts that hold it', async () => {
    const create = async (body: object) => {
      const json = { summary: 'S', ...body };
      const created = await program.request('/api/v2/case/', { method: 'POST', basic: ADMIN, json });
      assert.equal(created.status, 201, created.text);
      return created.json.api_response.case_id;
    };
    await create({ title: 'Listed', indicators: ['in no alert', SHA256.toLowerCase()] });
    const value = '198.51.100.200';
    const alert = { 'howler.analytic': 'Cases', 'source.ip': value, classification: LEVELS[2] };
    const made = await program.request('/api/v1/hit?refresh=wait_for', { method: 'POST', basic: ADMIN, json: [alert] });
    const hit = made.json.api_response.valid[0].howler.id;
    await create({
      title: 'Filed',
      classification: LEVELS[2],
      items: [{ type: 'hit', value: hit, name: 'the alert' }],
    });
    const sought = [
      { type: 'userid', value: 'in no alert' },
      { type: 'sha256', value: SHA256 },
      { type: 'ipv4', value },
    ];
    const casesOf = async (rank: number) =>
      (await lookUp(rank, sought)).map((result) =>
        (result?.items[0]?.raw_data.cases ?? []).map(({ title }: { title: string }) => title),
      );
    assert.deepEqual(await casesOf(2), [['Listed'], ['Listed'], ['Filed']]);
    assert.deepEqual(await casesOf(0), [['Listed'], ['Listed'], []]);
    await create({ title: 'Above', classification: LEVELS[1], indicators: ['in no alert'] });
    const [low, above] = [(await lookUp(0, sought))[0].items, (await lookUp(1, sought))[0].items];
    assert.deepEqual([low.length, low[0].classification], [1, 'UNRESTRICTED']);
    assert.deepEqual([above[0].raw_data.cases.length, above[0].classification], [2, 'RESTRICTED']);
  });

  it('takes a few searches for all values together', async () => {
    const asked = await searchesFor(program, () => lookUp(2, VALUES.slice(3, 6)));
    assert.ok(asked >= 1 && asked <= 3, `${asked} searches`);
  });

  it('obeys the flags of a lookup', async () => {
    const [result] = await lookUp(0, [{ type: 'userid', value: 'abc' }], '?no_annotation=true');
    assert.deepEqual([result.items[0].annotations, result.items[0].raw_data], [[], undefined]);
  });

  it('looks one value up as many', async () => {
    const [many] = await lookUp(0, [{ type: 'userid', value: 'abc' }]);
    const path = '/api/v1/lookup/enrich/userid/abc/?include_raw=true';
    const { json } = await program.request(path, { service: 'enrichment', bearer: tokens[0] ?? '' });
    assert.deepEqual(json.api_response.alerts.items, many.items);
  });
});

const ADMIN = 'admin:devkey:admin';

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Returns how many searches the alert service answers while `work` runs. */
async function searchesFor(program: TestProgram, work: () => Promise<unknown>): Promise<number> {
  const searches = async () => {
    const { text } = await program.request('/metrics');
    const lines = text.split('\n').filter((line) => /http_requests_total\{.*search\//.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const before = await searches();
  await work();
  return (await searches()) - before;
}
