import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callOf, FLAGS, selectorOf } from './source-fixture.ts';
import { type SourceMutation, type SourceSubject, sourcesForArea } from './subject.ts';

const SELECTOR = selectorOf('a.example');
/** Milliseconds that a caller waits, and within which the answer has to be there on a busy machine. */
const TIMEOUT = 300;
const PATIENCE = 2_500;

export function deadlinesArea(subject: SourceSubject, mutation?: SourceMutation): void {
  const open = sourcesForArea(subject, mutation);

  it('gives up at the deadline', async () => {
    const { source } = await open(() => 'hang');
    const began = performance.now();
    const call = () => callOf({ timeout: TIMEOUT });
    const [bulk, single, action, fetcher] = await Promise.allSettled([
      source.lookup([SELECTOR], FLAGS, call()),
      source.lookupOne(SELECTOR, FLAGS, call()),
      source.runAction('act', {}, call()),
      source.runFetcher('fetch', {}, call()),
    ]);
    assert.ok(performance.now() - began < PATIENCE);
    assert.equal(bulk.status === 'fulfilled' && bulk.value.get(SELECTOR)?.error, 'Request Timed Out');
    assert.equal(single.status === 'fulfilled' && single.value.error, 'Request Timed Out');
    for (const run of [action, fetcher]) {
      assert.equal(run.status === 'rejected' && run.reason.kind, 'timed_out');
    }
  });

  it('does not begin after the deadline', async () => {
    const { source, requests } = await open(() => ({ content: {} }));
    assert.equal((await source.lookupOne(SELECTOR, FLAGS, callOf({ timeout: -1 }))).error, 'Request Timed Out');
    await assert.rejects(source.runAction('act', {}, callOf({ timeout: -1 })), { kind: 'timed_out' });
    assert.equal(requests.length, 0);
  });

  it('ends when the caller hangs up', async () => {
    const { source } = await open(() => 'hang');
    const caller = new AbortController();
    const began = performance.now();
    const running = source.runAction('act', {}, callOf({ timeout: 4_000, signal: caller.signal }));
    setTimeout(() => caller.abort(), 50);
    await assert.rejects(running, { kind: 'cancelled' });
    assert.ok(performance.now() - began < PATIENCE);
  });
}
