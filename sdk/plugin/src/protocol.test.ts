import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPlugin, defineAction, PluginError } from './index.js';
import { type StartedPlugin, startPlugin } from './testing.js';

const ANNOTATION = { confidence: 0.5, summary: 'Seen.', severity: 0.8 } as const;
const selector = { type: 'domain', value: 'Example.ORG' };

describe('what other SDKs of the protocol do too', () => {
  let started: StartedPlugin;
  before(async () => {
    const note = defineAction({
      ...{ id: 'note', name: 'Note', supportedTypes: ['domain'] },
      params: { times: { type: 'integer' }, urgent: { type: 'boolean', default: false } },
      run: ({ params, selector: given }) => {
        if (params.times === 0) throw new PluginError(500, 'None.');
        return { outcome: 'success', format: 'json', output: { ...params, value: given?.value } };
      },
    });
    const plugin = createPlugin({
      ...{ name: 'lab', classification: 'TLP:CLEAR', types: ['domain', 'ipv4'], log: { error: () => {} } },
      lookup: (_type, value) => {
        if (value === 'broken') throw new Error('Odd.');
        return {
          link: 'http://example.org',
          annotations: [
            { ...ANNOTATION, analytic: 'Lab', type: 'opinion', value: 'malicious' },
            { ...ANNOTATION, author: 'Ann', type: 'frequency', value: 7.9, priority: 2 },
          ],
        };
      },
      actions: [note],
      fetchers: [
        {
          ...{ id: 'state', description: 'The state', format: 'status' },
          run: ({ value }) => ({ outcome: 'success', format: 'status', data: { icon: null, color: value } }),
        },
      ],
    });
    started = await startPlugin(plugin);
  });
  after(() => started.close());

  it('completes entries: addresses as browsers write them, priority and reliability, whole frequencies', async () => {
    const [entry] = (await started.lookup('domain', 'x')).data;
    assert.equal(entry.link, 'http://example.org/');
    const [opinion, frequency] = entry.annotations;
    assert.equal(opinion.priority, 0.5 * 0.8 ** 1.5);
    assert.equal(opinion.reliability, undefined);
    assert.deepEqual([frequency.priority, frequency.reliability, frequency.value], [2, 1, 7]);
  });

  it('takes types of lookups as they come, except an address of either version', async () => {
    assert.equal((await started.lookup('ip', '192.0.2.7')).status, 200);
    assert.equal((await started.lookup('ip', '2001:db8::7')).status, 422);
    assert.equal((await started.lookup('ip', 'nothing')).status, 422);
    const upper = await started.lookup('Domain', 'x');
    assert.deepEqual([upper.status, upper.message], [422, 'Invalid type name: Domain [Valid types: domain, ipv4].']);
    const { data } = await started.bulk([{ type: 'Domain', value: 'x' }]);
    assert.match(data.Domain.x.error, /^Invalid type name: Domain\. \[valid types: domain, ipv4\]$/);
  });

  it('reads numbers and booleans of forms that send strings', async () => {
    const run = async (json: object) => (await started.runAction('note', { selector, ...json })).data;
    assert.deepEqual((await run({ times: '3', urgent: 'true' })).output, {
      ...{ times: 3, urgent: true, value: 'example.org' },
    });
    for (const times of ['often', '', '1.5', true]) {
      assert.match((await run({ times })).summary, /^Validation error on execution: times:/);
    }
    assert.equal((await run({ times: 0 })).summary, 'Error encountered during execution: None.');
  });

  it('completes the status of a fetcher', async () => {
    assert.deepEqual((await started.runFetcher('state', selector)).data.data, {
      ...{ empty: false, labels: [], color: 'example.org' },
    });
  });

  it('names the methods that a path takes, and the type of a body', async () => {
    const rows: readonly (readonly [method: string, path: string, status: number, allow: string | null])[] = [
      ['DELETE', '/types/', 405, 'GET, HEAD, OPTIONS'],
      ['GET', '/lookup/', 405, 'POST, OPTIONS'],
      ['OPTIONS', '/actions/note', 200, 'POST, OPTIONS'],
      ['HEAD', '/fetchers/', 200, null],
      ['POST', '/healthz/other', 404, null],
      ['POST', '/lookup/', 415, null],
    ];
    for (const [method, path, status, allow] of rows) {
      const answer = await fetch(`${started.url}${path}`, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [status, allow], `${method} ${path}`);
    }
  });

  it('says in which step a function failed', async () => {
    assert.equal((await started.lookup('domain', 'broken')).message, 'Something went wrong when enriching: Odd.');
    const { data } = await started.bulk([{ type: 'domain', value: 'broken' }]);
    assert.deepEqual(data.domain.broken, { error: 'Odd.', items: [] });
  });
});
