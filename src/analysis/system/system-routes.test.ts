import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';

describe('the state of components', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'analysis.analyzers.enabled': 'none' } });
  });
  after(() => program.close());
  const ask = async (method: string, path: string, json?: unknown, user = 'admin') => {
    const headers = { 'x-user': user, 'x-apikey': `devkey:${user}` };
    const options = { service: 'analysis', method, headers, ...(json === undefined ? {} : { json }) } as const;
    const { status, json: answer } = await program.request(`/api/v4/${path}`, options);
    return { status, response: answer.api_response };
  };
  const isCompleted = async (sid: string) => (await ask('GET', `submission/is_completed/${sid}/`)).response;

  it('is shown to everyone, and changed by administrators', async () => {
    assert.deepEqual((await ask('GET', 'system/status/ALL/', undefined, 'user')).response, {
      ingester: true,
      dispatcher: true,
    });
    assert.equal((await ask('PUT', 'system/status/ingester/', false, 'user')).status, 403);
    assert.equal((await ask('PUT', 'system/status/ingester/', 'maybe')).status, 400);
    assert.deepEqual((await ask('GET', 'system/status/ingester/')).response, { ingester: true });
    assert.deepEqual((await ask('GET', 'system/status/nothing/')).response, { nothing: false });
  });

  it('keeps submissions waiting while the dispatcher is paused', async () => {
    assert.deepEqual((await ask('PUT', 'system/status/dispatcher/', false)).response, { success: true });
    assert.deepEqual((await ask('GET', 'system/status/ALL/')).response, { ingester: true, dispatcher: false });
    const { response } = await ask('POST', 'submit/', { plaintext: 'held' });
    const { text } = await program.request('/metrics', { service: 'analysis' });
    assert.match(text, /triad_submissions_inflight\{state="running"\} 0/);
    assert.equal(await isCompleted(response.sid), false);
    await ask('PUT', 'system/status/dispatcher/', true);
    await until('it is completed', () => isCompleted(response.sid), 10_000);
  });

  it('keeps files in bulk waiting while the ingester is paused', async () => {
    await ask('PUT', 'system/status/ingester/', false);
    // A look at the queue that has begun lasts two seconds.
    await sleep(2500);
    await ask('POST', 'ingest/', { plaintext: 'bulk', notification_queue: 'q' });
    await sleep(500);
    const { text } = await program.request('/metrics', { service: 'analysis' });
    assert.match(text, /triad_ingest_queue_items\{queue="incoming"\} 1/);
    await ask('PUT', 'system/status/ingester/', true);
    await until('it was analysed', async () => (await ask('GET', 'ingest/get_message/q/')).response !== null, 15_000);
  });
});
