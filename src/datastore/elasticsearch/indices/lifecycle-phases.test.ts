import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { until } from '../../../testing/until.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { ilmPolicy, lifecycleManagement } from './index-lifecycle.ts';

const { url, unavailable } = outsideServer('elasticsearch6');

/** Version 6.8 calls it so, and passes over a phase without actions as our cold one is. */
const AFTER_THE_LAST_PHASE = 'completed';

interface Explained {
  readonly phase?: string;
  readonly step?: string;
  readonly failed_step?: string;
}

/** The policy that we send, on a server that really runs it, looking every second. */
describe('a lifecycle policy on a server with index lifecycle management', { skip: unavailable ?? false }, () => {
  const alias = `lifecycle-${randomUUID().slice(0, 8)}`;
  const policy = `${alias}_policy`;
  const [first, second] = [`${alias}-000001`, `${alias}-000002`];

  after(async () => {
    await ask('DELETE', `/${alias}-*`);
    await ask('DELETE', `/_template/${alias}_template`);
    await ask('DELETE', `/_ilm/policy/${policy}`);
  });

  it('is accepted, and its phases run: rollover, then the merge; nothing is deleted', {
    timeout: 300_000,
  }, async () => {
    await done('PUT', `/_ilm/policy/${policy}`, { policy: policyForVersion6() });
    const settings = {
      'index.number_of_shards': 1,
      'index.number_of_replicas': 0,
      'index.lifecycle.name': policy,
      'index.lifecycle.rollover_alias': alias,
    };
    await done('PUT', `/_template/${alias}_template`, { index_patterns: [`${alias}-*`], settings });
    await done('PUT', `/${first}`, { aliases: { [alias]: { is_write_index: true } } });
    // A segment for each.
    for (let port = 1; port <= 5; port += 1) await done('PUT', `/${alias}/_doc/${port}?refresh=true`, { port });
    assert.ok((await segments(first)) > 1);

    // Version 6.8 makes the index first and moves the mark then.
    await until(`${second} takes the writes`, async () => {
      const { status, answer } = await ask('GET', `/${second}/_alias/${alias}`);
      return status === 200 && JSON.stringify(answer).includes('"is_write_index":true');
    });
    const before = (await done('GET', `/${first}/_alias/${alias}`)) as Record<string, { aliases: object }>;
    assert.deepEqual(before[first]?.aliases, { [alias]: { is_write_index: false } });
    const seen = new Set<string>();
    await until(`${first} has gone through all phases`, async () => {
      const { phase = '', step, failed_step: failed } = await explained(first);
      assert.equal(step === 'ERROR' ? failed : undefined, undefined, 'a step failed');
      seen.add(phase);
      return phase === AFTER_THE_LAST_PHASE;
    });
    assert.ok(seen.has('warm'), `only ${[...seen].join(', ')}`);
    assert.equal(await segments(first), 1);
    const { hits } = (await done('GET', `/${alias}/_search`)) as { hits: { total: number } };
    assert.equal(hits.total, 5, 'a search over all generations finds everything');
  });

  it('continues with an older generation that was written again, once it is told that its rollover is over', {
    timeout: 300_000,
  }, async () => {
    const [written, told, present] = [`${alias}-anew-000001`, `${alias}-anew-000002`, `${alias}-anew-000003`];
    const behind = `${alias}-anew`;
    await done('PUT', `/_ilm/policy/${policy}`, { policy: policyForVersion6() });
    await done('PUT', `/${present}`, { aliases: { [behind]: { is_write_index: true } } });
    const store = lifecycleManagement({} as SearchEngine);
    for (const index of [written, told]) {
      const settings = {
        'index.number_of_replicas': 0,
        ...store.settings(policy, behind),
        ...(index === told ? store.rolledOver : {}),
      };
      await done('PUT', `/${index}`, { settings, aliases: { [behind]: { is_write_index: false } } });
    }
    await until(`${told} has gone through all phases`, async () => {
      return (await explained(told)).phase === AFTER_THE_LAST_PHASE;
    });
    const { phase, step, failed_step: failed } = await explained(written);
    assert.deepEqual(
      [phase, step, failed],
      ['hot', 'ERROR', 'check-rollover-ready'],
      'without a word it waits for ever',
    );
  });
});

/**
 * Returns the policy of the adapter without `max_primary_shard_size`, which version 6.8 lacks.
 * The same size is set as `max_size`. The ages are short.
 */
function policyForVersion6(): object {
  const { phases } = ilmPolicy({
    rollover: { maxAge: '5s', maxPrimaryShardSize: '50gb' },
    warm: { minAge: '1s', forceMergeSegments: 1 },
    cold: { minAge: '2s' },
  });
  const text = JSON.stringify({ phases });
  const translated = text.replace('"max_primary_shard_size"', '"max_size"');
  assert.notEqual(translated, text);
  return JSON.parse(translated);
}

async function explained(index: string): Promise<Explained> {
  const { indices } = (await done('GET', `/${index}/_ilm/explain`)) as { indices: Record<string, Explained> };
  return indices[index] ?? {};
}

async function segments(index: string): Promise<number> {
  return ((await done('GET', `/_cat/segments/${index}?format=json`)) as unknown[]).length;
}

async function done(method: string, path: string, body?: object): Promise<unknown> {
  const { status, answer } = await ask(method, path, body);
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

async function ask(method: string, path: string, body?: object): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, answer: text === '' ? undefined : JSON.parse(text) };
}
