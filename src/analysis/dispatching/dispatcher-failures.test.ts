import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Locks } from '../../coordination/coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { aChild, aService, hashOf, openDispatch, receiptOf } from '../../testing/analysis/dispatch-fixture.ts';
import { until } from '../../testing/until.ts';
import { COMPLETED_QUEUE } from './completion-message.ts';
import type { Dispatcher } from './dispatcher.ts';
import { taskQueue } from './task-pump.ts';

const POLL = { service: 'A', version: '1', worker: 'w', wait: 30_000 };

describe('Dispatcher, when something fails', () => {
  it('retry: a recoverable error gives the task out again', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    const first = await test.next('A');
    assert.equal(await test.fail(first, true), 'accepted');
    const second = await test.next('A');
    assert.notEqual(second.task_id, first.task_id);
    assert.equal(await test.finish(first), 'ignored', 'the first was replaced');
    assert.equal(await test.finish(second), 'accepted');
    assert.equal(await test.finish(second), 'ignored', 'the second is done');
    const done = await test.completed(sid);
    assert.deepEqual([done.results.length, done.errors.length], [1, 0]);
  });

  it('retry limit: the error after the third attempt says what happened', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('B', { stage: 'POST' })] });
    const sid = await test.submit('root');
    await test.fail(await test.next('A', { worker: 'w1' }), true, 'no memory');
    await test.next('A', { worker: 'w2' });
    test.clock.advance(65_001);
    await test.fail(await test.next('A', { worker: 'w3' }), true, 'no disk');
    await test.finish(await test.next('B'));
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('root')}.A.v0.c0.e30`]);
    const { counts } = test.dispatcher;
    assert.deepEqual(
      [counts.timeouts, counts.retries, counts.retryErrors].map((count) => count.get('A')),
      [1, 2, 1],
    );
    const { response, type, severity } = await test.error(done.errors[0] ?? '');
    assert.deepEqual(
      [type, severity, response.status, response.service_version],
      ['TASK PRE-EMPTED', 'error', 'FAIL_NONRECOVERABLE', '0'],
    );
    assert.deepEqual(response.message.replaceAll(/\d{4}-\S+Z/g, 'TIME').split('\n'), [
      'The number of retries has passed the limit.',
      '',
      'Submitted to queue at TIME',
      'Popped from queue and running at TIME on worker w1',
      'Service error: no memory',
      'Submitted to queue at TIME',
      'Popped from queue and running at TIME on worker w2',
      'Service timeout at TIME on worker w2',
      'Submitted to queue at TIME',
      'Popped from queue and running at TIME on worker w3',
      'Service error: no disk',
    ]);
    assert.deepEqual(
      [...test.dispatcher.counts.timeouts, ...test.dispatcher.counts.retryErrors],
      [
        ['A', 1],
        ['A', 1],
      ],
    );
  });

  it('timeout: a task that runs 5 seconds longer than allowed is given out again', async (context) => {
    const test = await openDispatch(context, { services: [aService('A', { timeout: 10 })] });
    const sid = await test.submit('root');
    const first = await test.next('A');
    test.clock.advance(14_000);
    assert.equal(await test.dispatcher.wants(receiptOf(first)), true);
    test.clock.advance(1100);
    const second = await test.next('A');
    assert.equal(await test.dispatcher.wants(receiptOf(first)), false);
    assert.equal(await test.finish(first, { score: 99 }), 'ignored');
    await test.finish(second, { score: 1 });
    assert.equal((await test.completed(sid)).max_score, 1);
  });

  it('service error: the error of the service is recorded, and the rest continues', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('B', { stage: 'POST' })] });
    const sid = await test.submit('root');
    assert.equal(await test.fail(await test.next('A'), false), 'accepted');
    await test.finish(await test.next('B'), { extraErrors: ['beside.B'] });
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('root')}.error`, 'beside.B']);
    assert.deepEqual([done.error_count, done.results.length], [2, 1]);
  });

  it('crash recovery: continues without running a finished analyzer again', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'dispatch-'));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const services = [aService('A'), aService('B'), aService('Local'), aService('Late', { stage: 'POST' })];
    const test = await openDispatch(context, { services, folder });
    await test.addFile('child');
    const sid = await test.submit('root');
    await test.finish(await test.next('A'), { children: [aChild('child')], score: 3 });
    const running = await test.next('B');
    await test.next('Local', { isLocal: true, worker: 'child process' });
    const watcher = await test.dispatcher.watch(sid);
    await test.restart();
    await until('it is adopted', async () => test.dispatcher.inflight === 1, 5000);
    assert.equal(await test.finish(running), 'accepted', 'a worker that lived on keeps its task');
    const names = ['A', 'B', 'Local', 'Local'];
    const tasks = await Promise.all(names.map((name) => test.next(name)));
    assert.deepEqual(
      tasks.map(({ fileinfo }) => fileinfo.sha256 === hashOf('child')),
      [true, true, false, true],
      'what ran in the process is given out again',
    );
    for (const task of tasks) await test.finish(task);
    for (const _ of [1, 2]) await test.finish(await test.next('Late'));
    const done = await test.completed(sid);
    assert.deepEqual([done.results.length, new Set(done.results).size, done.error_count, done.max_score], [8, 8, 0, 3]);
    const messages = await test.dispatcher.watchQueues.take(watcher ?? '', { wait: 1000 });
    assert.deepEqual([messages[0]?.status, messages.at(-1)?.status], ['START', 'STOP']);
    const completions = await test.coordination.queues.take(COMPLETED_QUEUE, { max: 5 });
    assert.equal(completions.length, 1);
  });

  it('crash recovery: takes over what was waiting for room, and what was stored without a dispatcher', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'dispatch-'));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const test = await openDispatch(context, { services: [aService('A')], folder });
    test.settings.maxInflight = 0;
    const waiting = await test.submit('root');
    test.settings.maxInflight = 10;
    const begun = await test.submit('root');
    // The process dies before the first entry of the journal.
    await test.coordination.tables.drop(`submission:${begun}`);
    await test.restart();
    const tasks = [await test.next('A'), await test.next('A')];
    assert.deepEqual(new Set(tasks.map(({ sid }) => sid)), new Set([waiting, begun]));
    for (const task of tasks) await test.finish(task);
    for (const sid of [waiting, begun]) await test.completed(sid);
  });

  it('queue clearing: tasks of a service that is switched off end with TASK PRE-EMPTED', async (context) => {
    const services = [aService('A'), aService('B', { stage: 'POST' })];
    const test = await openDispatch(context, { services });
    const sid = await test.submit('root');
    services[0] = aService('A', { enabled: false });
    await test.finish(await test.next('B'));
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('root')}.A.v0.c0.e30`]);
    const { response } = await test.error(done.errors[0] ?? '');
    assert.equal(response.message, 'The service was disabled while processing this task.');
    const next = await test.submit('root');
    await test.finish(await test.next('B'));
    assert.deepEqual((await test.completed(next)).errors, [], 'a later submission does without it');
  });

  it('queue clearing: tasks of a service that is removed end with TASK PRE-EMPTED', async (context) => {
    const services = [aService('A')];
    const test = await openDispatch(context, { services });
    const sid = await test.submit('root');
    assert.equal((await test.get(sid)).state, 'submitted');
    services.length = 0;
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('root')}.A.v0.c0.e30`]);
    assert.equal(await test.coordination.queues.length(taskQueue('A')), 0);
  });

  it('queue clearing: the lowest priorities beyond max_queue_length end with TASK PRE-EMPTED', async (context) => {
    const test = await openDispatch(context, { services: [aService('A', { max_queue_length: 2 })] });
    const sids = [];
    for (const priority of [30, 10, 20]) sids.push(await test.submit('root', { params: { priority } }));
    const done = await test.completed(sids[1] ?? '');
    assert.equal((await test.error(done.errors[0] ?? '')).response.message, 'Task canceled due to excessive queuing.');
    for (const sid of [sids[0], sids[2]]) {
      const task = await test.next('A');
      assert.equal(task.sid, sid);
      await test.finish(task);
    }
  });

  it('ends the tasks of a service without workers with SERVICE DOWN, until a worker asks again', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    await test.dispatcher.stop();
    test.settings.absentAfter = 1000;
    const dispatcher = test.makeDispatcher();
    dispatcher.start();
    context.after(() => dispatcher.stop());
    const submit = async () => {
      const sid = await test.submit('root');
      return sid;
    };
    const sid = await submit();
    assert.equal((await test.get(sid)).state, 'submitted');
    test.clock.advance(1500);
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('root')}.A.v0.c0.e21`]);
    assert.equal((await test.error(done.errors[0] ?? '')).type, 'SERVICE DOWN');
    const polled = dispatcher.nextTask({ service: 'A', version: '1', worker: 'w', wait: 4000 });
    const again = await submit();
    const task = await polled;
    assert.ok(task);
    test.clock.advance(30_000);
    assert.equal((await test.get(again)).state, 'submitted', 'a busy worker is no absent one');
    assert.equal(
      await dispatcher.finish(receiptOf(task), { kind: 'error', key: 'k', isRecoverable: false, message: '' }),
      'accepted',
    );
  });

  it('leaves a task to others when its worker is gone', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const controller = new AbortController();
    const polled = test.dispatcher.nextTask({
      service: 'A',
      version: '1',
      worker: 'w',
      wait: 5000,
      signal: controller.signal,
    });
    controller.abort();
    assert.equal(await polled, undefined);
    const sid = await test.submit('root');
    await test.finish(await test.next('A'));
    await test.completed(sid);
  });

  it('release: a task that never reached its worker is given out again, without counting an attempt', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    for (let count = 0; count < 4; count += 1) {
      const task = await test.next('A');
      await test.dispatcher.release(receiptOf(task));
      await test.dispatcher.release(receiptOf(task));
    }
    await test.finish(await test.next('A'));
    assert.deepEqual((await test.completed(sid)).errors, []);
  });

  it('hands the submissions of one process to another', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('B')] });
    const other = test.makeDispatcher();
    other.start();
    context.after(() => other.stop());
    const sid = await test.submit('root');
    const task = await other.nextTask({ service: 'A', version: '1', worker: 'w', wait: 5000 });
    assert.ok(task, 'a worker of the other process gets the task');
    const outcome = { kind: 'error', key: 'key', isRecoverable: false, message: '' } as const;
    assert.deepEqual(await other.outstanding(sid), { A: 1, B: 1 });
    assert.equal(await other.finish(receiptOf(task), outcome), 'accepted');
    assert.equal(await other.finish(receiptOf(task), outcome), 'ignored');
    await test.dispatcher.stop();
    const rest = await other.nextTask({ service: 'B', version: '1', worker: 'w', wait: 9000 });
    assert.ok(rest);
    assert.equal(await other.finish(receiptOf(rest), { ...outcome, key: 'other' }), 'accepted');
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, ['key', 'other']);
  });

  it('continues after its lease was lost, and with what it owns without knowing', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    await test.dispatcher.stop();
    const { coordination } = test;
    let losses = 0;
    const locks: Locks = {
      async acquire(...request) {
        const lock = await coordination.locks.acquire(...request);
        const renew = async (lease: number) => {
          if (losses > 0) return lock?.renew(lease) ?? false;
          losses += 1;
          await lock?.release();
          return false;
        };
        return lock && { renew, release: () => lock.release() };
      },
    };
    const dispatcher = test.makeDispatcher({ coordination: { ...coordination, locks } });
    dispatcher.start();
    context.after(() => dispatcher.stop());
    const next = async () => (await dispatcher.nextTask(POLL)) ?? assert.fail('no task');

    const running = await test.submit('running', { via: dispatcher });
    const task = await next();
    const unknown = await test.submit('unknown', { via: { dispatch: async () => undefined } as unknown as Dispatcher });
    await coordination.tables.put('running', unknown, dispatcher.id);
    assert.equal((await next()).sid, unknown, 'it was owned and not known');
    assert.equal(losses, 1);
    const outcome = { kind: 'error', key: 'k', isRecoverable: false, message: '' } as const;
    assert.equal(await dispatcher.finish(receiptOf(task), outcome), 'accepted');
    await test.completed(running);
  });

  it('hands a claimed task out also when a server goes away right after the claim', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    const { presence } = test.dispatcher;
    const note = presence.note.bind(presence);
    presence.note = async (service, until) => {
      if (until !== undefined) throw new Unavailable('datastore_unavailable', 'The search engine is away.');
      await note(service);
    };
    const task = await test.next('A');
    assert.equal(task.sid, sid);
    await test.finish(task);
    await test.completed(sid);
  });
});
