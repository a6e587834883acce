import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startPlugin } from 'triad-plugin/testing';
import { plugin } from './plugin.js';

/** @type {import('triad-plugin/testing').StartedPlugin} */
let started;
before(async () => {
  started = await startPlugin(plugin);
});
after(() => started.close());

it('knows the service of a port', async () => {
  const { status, data } = await started.lookup('port', '22');
  assert.equal(status, 200);
  assert.equal(data[0].annotations[0].value, 'SSH');
  assert.equal((await started.lookup('port', '1')).status, 404);
});

it('looks several ports up at once', async () => {
  const { data } = await started.bulk([
    { type: 'port', value: '443' },
    { type: 'port', value: '1' },
  ]);
  assert.equal(data.port['443'].items.length, 1);
  assert.deepEqual(data.port['1'].items, []);
});

it('runs its action and its fetcher', async () => {
  const selector = { type: 'port', value: '22' };
  assert.equal((await started.runAction('describe_port', { selector })).data.output, 'The port **22**');
  assert.equal((await started.runFetcher('services', selector)).data.data['443'], 'HTTPS');
});
