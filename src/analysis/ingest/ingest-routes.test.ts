import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';

const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };

describe('files in bulk', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({
      settings: { 'analysis.analyzers.enabled': 'none', 'analysis.ui.default_quotas.concurrent_async_submissions': 2 },
    });
  });
  after(() => program.close());
  const ask = async (method: string, path: string, json?: unknown) => {
    const options = { service: 'analysis', method, headers: ADMIN, ...(json === undefined ? {} : { json }) } as const;
    const { status, json: answer } = await program.request(`/api/v4/ingest/${path}`, options);
    return { status, message: answer.api_error_message, response: answer.api_response };
  };
  const messageOf = async (queue: string) => {
    let found: Record<string, never> | null = null;
    await until(`a notification is in ${queue}`, async () => {
      found = (await ask('GET', `get_message/${queue}/`)).response;
      return found !== null;
    });
    return found as unknown as Record<string, unknown> & { submission: { sid: string; metadata: object } };
  };

  it('are analysed once, and each sender is notified', async () => {
    const file = { plaintext: 'bulk', notification_queue: 'first', metadata: { a: 1 } };
    const first = await ask('POST', '', file);
    assert.equal(first.status, 200);
    const told = await messageOf('first');
    assert.deepEqual([told.ingest_id, told.failure, told.score], [first.response.ingest_id, '', 0]);
    assert.equal(told.submission.sid, first.response.ingest_id);
    const second = await ask('POST', '', { ...file, notification_queue: 'second' });
    const again = await messageOf('second');
    assert.deepEqual([again.ingest_id, again.submission.sid], [second.response.ingest_id, first.response.ingest_id]);
    assert.deepEqual((await ask('GET', 'get_message_list/second/')).response, []);
    const { text } = await program.request('/metrics', { service: 'analysis' });
    for (const line of [
      'triad_ingest_total{outcome="received"} 2',
      'triad_ingest_total{outcome="cache_hits"} 1',
      'triad_ingest_queue_items{queue="incoming"} 0',
      'triad_ingest_queue_age_seconds{queue="low"} 0',
      'triad_ingest_inflight{state="running"} 0',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
  });

  it('release their quota in every outcome', async () => {
    for (let round = 0; round < 4; round += 1) {
      assert.equal((await ask('POST', '', { plaintext: '' })).status, 400);
      const dropped = await ask('POST', '', {
        plaintext: `x${round}`,
        params: { priority: 1 },
        notification_queue: 'dropped',
      });
      assert.equal(dropped.status, 200);
      const told = await messageOf('dropped');
      assert.deepEqual([told.failure, told.score], ['Skipped', null]);
    }
  });

  it('below the threshold are not notified', async () => {
    await ask('POST', '', { plaintext: 'low', notification_queue: 'low', notification_threshold: 10 });
    await ask('POST', '', { plaintext: 'low too', notification_queue: 'low', notification_threshold: -10 });
    const told = await messageOf('low');
    assert.equal(told.failure, '');
    assert.deepEqual((await ask('GET', 'get_message_list/low/?page_size=5')).response, []);
  });

  it('are refused with a queue of another kind', async () => {
    for (const wrong of [
      { notification_queue: 'q', notification_threshold: 'high' },
      { notification_queue: 'q'.repeat(300) },
      { notification_queue: 5 },
    ]) {
      assert.equal((await ask('POST', '', { plaintext: 'x', ...wrong })).status, 400, JSON.stringify(wrong));
    }
    assert.equal((await ask('GET', 'get_message_list/q/?page_size=x')).status, 400);
  });
});
