import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../src/testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';

describe('the demo, without any configuration', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ demo: 'all' });
  });
  after(() => program?.close());

  it('enriches its addresses with its alerts and with facts', async () => {
    const facet = '/api/v1/search/facet/hit/source.ip?rows=1000';
    const addresses = Object.keys((await program.request(facet, { basic: ADMIN })).json.api_response);
    assert.ok(addresses.length > 10);
    const json = addresses.map((value) => ({ type: 'ip', value }));
    const request = { service: 'enrichment', method: 'POST', basic: ADMIN, json } as const;
    const { status, text, json: answer } = await program.request('/enrich/', request);
    assert.equal(status, 200, text);
    for (const address of addresses) {
      const { alerts, analysis, facts } = answer.api_response[address.includes(':') ? 'ipv6' : 'ipv4'][address];
      assert.deepEqual([alerts.error, analysis?.error, facts.error], [undefined, undefined, undefined]);
      const [{ count, annotations, link }] = alerts.items;
      const { pathname, search } = new URL(link);
      const alone = (await program.request(`${pathname}${search}`, { basic: ADMIN })).json.api_response;
      assert.equal(count, alone.total, address);
      const named = alone.items.some(({ howler }: { howler: { id: string } }) =>
        annotations[0].details.includes(howler.id),
      );
      assert.ok(named, address);
    }
  });

  it('answers many lookups of one user at once, within the quota of their calls', async () => {
    const json = ['198.51.100.188', '203.0.113.17'].map((value) => ({ type: 'ip', value }));
    const request = { service: 'enrichment', method: 'POST', basic: ADMIN, json } as const;
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => program.request('/enrich/?max_timeout=60', request)),
    );
    for (const { status, text } of answers) {
      assert.equal(status, 200, text);
      assert.doesNotMatch(text, /"error"/);
    }
  });
});
