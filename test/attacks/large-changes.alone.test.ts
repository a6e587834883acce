import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_LABELS } from '../../src/alerts/hits/hit-schemas.ts';
import { MAX_LIST_LENGTH } from '../../src/datastore/port/collection.ts';
import { slowness } from '../../src/testing/machine-speed.ts';
import type { TestAnswer } from '../../src/testing/start-test-program.ts';
import { type AttackedProgram, startAttackedProgram } from './attacked-program.ts';

const basic = 'user:devkey:user';
const MEGABYTE = 1_000_000;
const MAX_PARAMETER_LENGTH = 8192;

let program: AttackedProgram;
before(async () => {
  program = await startAttackedProgram();
});
after(() => program.stop());

describe('a path parameter', () => {
  const routes = [
    ['alerts', '/api/v1/hit/'],
    ['analysis', '/api/v4/user/'],
    ['enrichment', '/api/v1/configs/schema/'],
  ] as const;
  for (const [service, route] of routes) {
    it(`over the limit is a 414 at the ${service} service, with and without a credential`, async () => {
      for (const headers of [{}, { authorization: `Basic ${btoa(basic)}` }]) {
        for (const [length, isRefused] of [
          [MAX_PARAMETER_LENGTH + 1, true],
          [MAX_PARAMETER_LENGTH, false],
        ] as const) {
          const answer = await program.request(`${route}${'x'.repeat(length)}`, { service, headers });
          assert.equal(answer.status === 414, isRefused, `${length}: ${answer.text.slice(0, 300)}`);
          assert.ok(answer.status >= 400 && answer.status < 500, `${length}: ${answer.status}`);
          if (isRefused) assert.match(answer.json.api_error_message, /8192 characters, which is the limit/);
        }
      }
    });
  }
});

const send = (method: string, path: string, json: unknown): Promise<TestAnswer> =>
  program.request(path, { method, basic, json });

async function anAlert(): Promise<string> {
  const { status, json, text } = await send('POST', '/api/v1/hit?refresh=true', [
    { howler: { analytic: 'Large changes' }, message: 'm' },
  ]);
  assert.equal(status, 201, text);
  return json.api_response.valid[0].howler.id;
}

async function storedAlert(id: string): Promise<{ howler: { log: unknown[]; labels: { generic: string[] } } }> {
  return (await program.request(`/api/v1/hit/${id}`, { basic })).json.api_response;
}

describe('labels of one request', () => {
  const labels = Array.from({ length: 5000 }, (_, index) => `label ${index}`);

  it('are limited, added or removed, and a refusal changes nothing', async () => {
    const id = await anAlert();
    for (const method of ['PUT', 'DELETE']) {
      const answer = await program.attackBesideOthers(() =>
        send(method, `/api/v1/hit/${id}/labels/generic`, { value: labels }),
      );
      assert.equal(answer.status, 400);
      assert.match(answer.json.api_error_message, new RegExp(`at most ${MAX_LABELS} are allowed`));
    }
    assert.equal((await storedAlert(id)).howler.log.length, 1);
  });

  it('below the limit leave a log of linear size', async () => {
    const id = await anAlert();
    await program.attackBesideOthers(async () => {
      for (const method of ['PUT', 'DELETE']) {
        const value = labels.slice(0, MAX_LABELS);
        const answer = await send(method, `/api/v1/hit/${id}/labels/generic`, { value });
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
      }
    });
    const { howler } = await storedAlert(id);
    assert.equal(howler.log.length, 1 + 2 * MAX_LABELS);
    assert.deepEqual(howler.labels.generic, []);
    assert.ok(JSON.stringify(howler.log).length < 2 * MAX_LABELS * 600);
  });
});

describe('a document above the limit', () => {
  const isTooLarge = (answer: TestAnswer) => {
    assert.equal(answer.status, 413, answer.text.slice(0, 300));
    assert.match(answer.json.api_error_message, /at most 4194304 are allowed/);
  };

  it('is refused on every way there, and what is stored stays as it was', async () => {
    const id = await anAlert();
    const part = 'x'.repeat(1.3 * MEGABYTE);
    const append = [['APPEND', 'howler.data', part]];
    for (let round = 0; round < 3; round += 1) {
      const { status, text } = await send('PUT', `/api/v1/hit/${id}/update`, append);
      assert.equal(status, 200, text.slice(0, 300));
    }
    const before = await storedAlert(id);
    const query = `howler.id:${id}`;
    isTooLarge(await send('PUT', `/api/v1/hit/${id}/update`, append));
    isTooLarge(await send('PUT', '/api/v1/hit/update', { query, operations: append }));
    isTooLarge(await send('PUT', `/api/v1/hit/${id}/overwrite`, { howler: { data: [part] } }));
    const large = { howler: { analytic: 'Large', data: [part, part, part, part] } };
    isTooLarge(await send('POST', '/api/v1/hit', [{ howler: { analytic: 'Large' } }, large]));
    isTooLarge(await send('POST', '/api/v2/ingest/event', [{ message: part.repeat(4) }]));
    assert.deepEqual(await storedAlert(id), before);
    const found = await send('POST', '/api/v1/search/hit', { query: 'howler.analytic:Large' });
    assert.equal(found.json.api_response.total, 0);
  });

  it('is not made of many operations in one request', async () => {
    const id = await anAlert();
    const operations = Array.from({ length: 20_000 }, (_, index) => ['APPEND', 'howler.labels.generic', `${index}`]);
    const answer = await program.attackBesideOthers(() => send('PUT', `/api/v1/hit/${id}/update`, operations));
    assert.equal(answer.status, 400);
    assert.match(answer.json.api_error_message, /at most 500 are allowed/);
  });
});

describe('alerts of many new analytics in one request', () => {
  const alertsOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      howler: { analytic: `${name} ${index}`, detection: 'One' },
      message: `alert ${index}`,
    }));

  it('are stored within seconds, for every sender', async () => {
    for (const sender of [basic, 'admin:devkey:admin']) {
      const started = performance.now();
      const json = alertsOf('Flood', 3000);
      const answer = await program.request('/api/v1/hit', { method: 'POST', basic: sender, json });
      assert.equal(answer.status, 201, answer.text.slice(0, 300));
      const seconds = (performance.now() - started) / 1000;
      assert.ok(seconds < 10 * slowness(), `${seconds} s`);
    }
    const found = await send('POST', '/api/v1/search/analytic', { query: 'name:Flood*', rows: 1 });
    const [analytic] = found.json.api_response.items;
    assert.deepEqual([found.json.api_response.total, analytic.contributors], [3000, ['user', 'admin']]);
  });

  it('delay no other caller', async () => {
    const answer = await program.attackBesideOthers(() => send('POST', '/api/v1/hit', alertsOf('Other', 300)));
    assert.equal(answer.status, 201, answer.text.slice(0, 300));
  });
});

describe('a list of an alert', () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`);
  const alert = (count: number) => [{ howler: { analytic: 'Long list' }, message: 'm', tags: values(count) }];

  it('above the limit is refused at creation and at every change', async () => {
    await program.attackBesideOthers(async () => {
      for (const count of [40_000, 100_000]) {
        const begun = performance.now();
        const answer = await send('POST', '/api/v1/hit?refresh=true', alert(count));
        assert.equal(answer.status, 413, answer.text.slice(0, 300));
        assert.match(answer.json.api_error_message, new RegExp(`tags .* ${count} values; at most ${MAX_LIST_LENGTH}`));
        assert.ok(performance.now() - begun < 1000 * slowness());
      }
      const id = await anAlert();
      const operations = values(500).map((value) => ['APPEND', 'howler.outline.indicators', value]);
      for (let count = 0; count < MAX_LIST_LENGTH; count += operations.length) {
        const answer = await send('PUT', `/api/v1/hit/${id}/update`, operations);
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
      }
      const answer = await send('PUT', `/api/v1/hit/${id}/update`, operations.slice(0, 1));
      assert.equal(answer.status, 413, answer.text.slice(0, 300));
    });
  });

  it('at the limit delays no other caller, when it is made and when it changes', async () => {
    await program.attackBesideOthers(async () => {
      const answer = await send('POST', '/api/v1/hit?refresh=true', alert(MAX_LIST_LENGTH));
      assert.equal(answer.status, 201, answer.text.slice(0, 300));
      const { id } = answer.json.api_response.valid[0].howler;
      for (let change = 0; change < 5; change += 1) {
        await send('PUT', `/api/v1/hit/${id}/update`, [['SET', 'message', `change ${change}`]]);
        const found = await send('POST', '/api/v1/search/hit', { query: 'tags:"value 9999"' });
        assert.equal(found.json.api_response.total, 1);
      }
    });
  });
});
