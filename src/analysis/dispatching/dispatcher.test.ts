import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aChild, aService, hashOf, openDispatch, receiptOf } from '../../testing/analysis/dispatch-fixture.ts';
import { until } from '../../testing/until.ts';
import { COMPLETED_QUEUE, type Completion } from './completion-message.ts';

describe('Dispatcher', () => {
  it('passes a file through its stages and completes the submission', async (context) => {
    const test = await openDispatch(context, {
      services: [aService('First', { stage: 'EXTRACT' }), aService('Two'), aService('Three', { uses_metadata: true })],
    });
    const sid = await test.submit('root.txt', { params: { priority: 7, ttl: 3 } });
    const first = await test.next('First');
    assert.ok(await test.isIdle('Two'), 'the second stage waits for the first');
    assert.equal(await test.dispatcher.isRunning(sid), true);
    assert.deepEqual(await test.dispatcher.outstanding(sid), { First: 1 });
    assert.equal(await test.finish(first, { score: 10, tags: [{ type: 'file.behavior', value: 'x' }] }), 'accepted');
    const [two, three] = [await test.next('Two'), await test.next('Three')];
    const { task_id, dispatcher } = three;
    assert.deepEqual(three.metadata, {
      from: 'test',
      task_id__: task_id,
      dispatcher__: dispatcher,
      dispatcher_address__: 'triad',
      worker__: 'Three-1',
    });
    assert.deepEqual(
      [three.priority, three.ttl, three.depth, three.filename, three.fileinfo.type, three.min_classification],
      [7, 3, 0, 'root.txt', 'text/plain', 'TLP:CLEAR'],
    );
    assert.equal(two.metadata.from, undefined);
    await test.finish(two, { score: 5 });
    await test.fail(three, false);
    const done = await test.completed(sid);
    assert.deepEqual(done.results, [`${hashOf('root.txt')}.First.v1_2.c0`, `${hashOf('root.txt')}.Two.v1_2.c0`]);
    assert.deepEqual(done.errors, [`${hashOf('root.txt')}.error`]);
    assert.deepEqual([done.error_count, done.file_count, done.max_score], [1, 1, 15]);
    assert.ok(done.times.completed);
    const [completion] = await test.coordination.queues.take(COMPLETED_QUEUE);
    assert.deepEqual(completion?.item, { sid, submitter: 'ada', quota_item: false });
    await until('it is forgotten', async () => !(await test.dispatcher.isRunning(sid)));
    assert.equal(await test.dispatcher.outstanding(sid), undefined);
    assert.deepEqual(await test.coordination.tables.list(''), ['dispatchers', 'service-polls']);
  });

  it('completes a submission that no service takes', async (context) => {
    const test = await openDispatch(context, { services: [aService('Other', { accepts: 'image/' })] });
    const done = await test.completed(await test.submit('text.txt'));
    assert.deepEqual([done.results, done.errors, done.file_count, done.max_score], [[], [], 1, 0]);
  });

  it('reports a submitted file without a document', async (context) => {
    const test = await openDispatch(context, { services: [aService('Any')] });
    const sid = await test.submit('a', { files: [{ name: 'lost', sha256: hashOf('lost'), size: 1 }] });
    const done = await test.completed(sid);
    assert.deepEqual(done.errors, [`${hashOf('lost')}.Dispatcher.v4_7.c0.e0`]);
    assert.match((await test.error(done.errors[0] ?? '')).response.message, /^Couldn't find file info for/);
  });

  it('extracted and dynamic files pass the services after their parent', async (context) => {
    const prevention = { recursion_prevention: ['Dynamic Analysis'] };
    const test = await openDispatch(context, {
      services: [aService('Static'), aService('Sandbox', { category: 'Dynamic Analysis', ...prevention })],
    });
    for (const name of ['child', 'free']) await test.addFile(name);
    const sid = await test.submit('root');
    const sandbox = await test.next('Sandbox');
    await test.finish(await test.next('Static'));
    const children = [
      aChild('child'),
      aChild('free', { allowDynamicRecursion: true, parentRelation: 'DYNAMIC', name: '' }),
    ];
    await test.finish(sandbox, { children });
    const again = await test.next('Sandbox');
    assert.equal(again.fileinfo.sha256, hashOf('free'), 'the other child is below the sandbox');
    assert.deepEqual([again.depth, again.filename], [1, hashOf('free')]);
    await test.finish(again);
    await test.finish(await test.next('Static'));
    assert.ok(await test.dispatcher.isRunning(sid));
    await test.finish(await test.next('Static'));
    const done = await test.completed(sid);
    assert.equal(done.file_count, 3);
    assert.equal(done.results.length, 5);
  });

  it('ignores recursion prevention on request', async (context) => {
    const services = [aService('Sandbox', { recursion_prevention: ['Sandbox'] })];
    const test = await openDispatch(context, { services });
    await test.addFile('child');
    for (const ignore_recursion_prevention of [false, true]) {
      const sid = await test.submit('root', { params: { ignore_recursion_prevention } });
      await test.finish(await test.next('Sandbox'), { children: [aChild('child')] });
      if (ignore_recursion_prevention) await test.finish(await test.next('Sandbox'));
      assert.equal((await test.completed(sid)).results.length, ignore_recursion_prevention ? 2 : 1);
    }
  });

  it('duplicates of extracted files are processed once', async (context) => {
    const test = await openDispatch(context, { services: [aService('One'), aService('Two')] });
    await test.addFile('child');
    const sid = await test.submit('root');
    for (const service of ['One', 'Two']) {
      const task = await test.next(service);
      await test.finish(task, { children: [aChild('child'), aChild('child'), aChild('root')] });
    }
    for (const service of ['One', 'Two']) await test.finish(await test.next(service), { score: 1 });
    const done = await test.completed(sid);
    assert.deepEqual([done.file_count, done.results.length, done.max_score], [2, 4, 2]);
  });

  it('counts what every reader of the submission may see, and tells the full score to those who act on it', async (context) => {
    const test = await openDispatch(context, { services: [aService('One')] });
    for (const name of ['open', 'secret', 'inside']) await test.addFile(name);
    const sid = await test.submit('root');
    const children = [aChild('open'), aChild('secret', { classification: 'TLP:AMBER', isRestricted: true })];
    await test.finish(await test.next('One'), { score: 900, openScore: 100, children });
    for (let at = 0; at < 3; at += 1) {
      const task = await test.next('One');
      const isSecret = task.fileinfo.sha256 === hashOf('secret');
      await test.finish(task, { score: 200 + at, ...(isSecret ? { score: 2000, children: [aChild('inside')] } : {}) });
    }
    const done = await test.completed(sid);
    assert.deepEqual([done.file_count, done.results.length], [2, 4]);
    assert.ok(done.max_score >= 200 && done.max_score < 300, String(done.max_score));
    const [completion] = await test.coordination.queues.take<Completion>(COMPLETED_QUEUE);
    assert.equal(completion?.item.full_score, 2000);
  });

  it('depth limit: files below it are counted and reported, not processed', async (context) => {
    const test = await openDispatch(context, { services: [aService('Extract')] });
    for (const name of ['1', '2', '3']) await test.addFile(name);
    const sid = await test.submit('0');
    for (const name of ['1', '2', '3']) {
      await test.finish(await test.next('Extract'), { children: [aChild(name)], toolVersion: 't1' });
    }
    const done = await test.completed(sid);
    assert.deepEqual([done.file_count, done.results.length], [4, 3]);
    assert.deepEqual(done.errors, [`${hashOf('3')}.Extract.v1_2.c0.e10`]);
    const { response, type, severity } = await test.error(done.errors[0] ?? '');
    assert.deepEqual(response, {
      message: `Extract has extracted a file ${hashOf('3')} beyond the depth limits`,
      service_name: 'Extract',
      service_tool_version: 't1',
      service_version: '1.2',
      status: 'FAIL_NONRECOVERABLE',
    });
    assert.deepEqual([type, severity], ['MAX DEPTH REACHED', 'error']);
  });

  it('extraction limit in one file: the submitted file and the allowed number are processed', async (context) => {
    const test = await openDispatch(context, { services: [aService('Extract')] });
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await test.addFile(name);
    const sid = await test.submit('root', { params: { max_extracted: 3 } });
    await test.finish(await test.next('Extract'), { children: names.map((name) => aChild(name)) });
    for (let count = 0; count < 3; count += 1) await test.finish(await test.next('Extract'));
    const done = await test.completed(sid);
    assert.deepEqual([done.file_count, done.results.length, done.error_count], [6, 4, 2]);
    assert.deepEqual(
      done.errors,
      ['d', 'e'].map((name) => `${hashOf(name)}.Extract.v1_2.c0.e11`),
    );
  });

  it('extraction limit in several files: the limit counts for the submission', async (context) => {
    const test = await openDispatch(context, { services: [aService('Extract')] });
    const names = ['a', 'b', 'aa', 'ab', 'ba', 'bb'];
    for (const name of names) await test.addFile(name);
    const sid = await test.submit('root', { params: { max_extracted: 3 } });
    await test.finish(await test.next('Extract'), { children: [aChild('a'), aChild('b')] });
    await test.finish(await test.next('Extract'), { children: [aChild('aa'), aChild('ab')] });
    await test.finish(await test.next('Extract'), { children: [aChild('ba'), aChild('bb'), aChild('aa')] });
    await test.finish(await test.next('Extract'));
    const done = await test.completed(sid);
    assert.deepEqual([done.results.length, done.error_count], [4, 3]);
  });

  it('filter: a dropped file passes no further stage, unless filtering is ignored', async (context) => {
    const services = [
      aService('Filter', { stage: 'FILTER' }),
      aService('Beside', { stage: 'FILTER' }),
      aService('Core'),
    ];
    const test = await openDispatch(context, { services });
    for (const ignore_filtering of [false, true]) {
      const sid = await test.submit('root', { params: { ignore_filtering } });
      await test.finish(await test.next('Filter'), { drop: true });
      await test.finish(await test.next('Beside'));
      if (ignore_filtering) await test.finish(await test.next('Core'));
      assert.equal((await test.completed(sid)).results.length, ignore_filtering ? 3 : 2);
    }
  });

  it('tag filter: services get the tags of the file with added scores, if they use them', async (context) => {
    const test = await openDispatch(context, {
      services: [
        aService('A', { stage: 'FILTER' }),
        aService('B', { stage: 'EXTRACT' }),
        aService('Plain'),
        aService('Tags', { uses_tags: true }),
        aService('Scores', { uses_tag_scores: true }),
      ],
    });
    await test.submit('root');
    const tag = { type: 'network.static.domain', value: 'evil.example' };
    await test.finish(await test.next('A'), { tags: [{ ...tag, score: 10 }] });
    await test.finish(await test.next('B'), {
      tags: [
        { ...tag, score: 5 },
        { type: 'file.behavior', value: 'x' },
      ],
    });
    assert.deepEqual((await test.next('Plain')).tags, []);
    assert.deepEqual((await test.next('Tags')).tags, [
      { ...tag, short_type: 'domain' },
      { type: 'file.behavior', value: 'x', short_type: 'behavior' },
    ]);
    assert.deepEqual((await test.next('Scores')).tags[0], { ...tag, short_type: 'domain', score: 15 });
  });

  it('gives a service its parameters, overlaid by those of the submission', async (context) => {
    const submission_params = [
      { name: 'depth', default: 3 },
      { name: 'mode', default: 'fast' },
    ];
    const test = await openDispatch(context, { services: [aService('A', { submission_params })] });
    await test.submit('root', { params: { service_spec: { A: { mode: 'slow', extra: true } } } });
    assert.deepEqual((await test.next('A')).service_config, { depth: 3, mode: 'slow', extra: true });
  });

  it('uses the services alone that the submitter may access', async (context) => {
    const test = await openDispatch(context, {
      services: [aService('Open'), aService('Closed', { classification: 'TLP:A' })],
    });
    const sid = await test.submit('root', { params: { submitter: 'guest' } });
    await test.finish(await test.next('Open'));
    assert.equal((await test.completed(sid)).results.length, 1);
    await test.submit('root', { params: { submitter: 'ada' } });
    assert.ok(await test.next('Closed'));
  });

  it('keeps submissions beyond max_inflight waiting, and takes them by priority', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    test.settings.maxInflight = 1;
    const first = await test.submit('1');
    const low = await test.submit('2', { params: { priority: 10 } });
    const high = await test.submit('3', { params: { priority: 20 } });
    const cancelled = await test.submit('4', { params: { priority: 30 } });
    assert.equal(await test.dispatcher.cancel(cancelled), true);
    assert.equal(test.dispatcher.inflight, 1);
    for (const sid of [first, high, low]) {
      const task = await test.next('A');
      assert.equal(task.sid, sid);
      await test.finish(task);
      await test.completed(sid);
    }
    assert.equal((await test.get(cancelled)).to_be_deleted, true);
    assert.equal(await test.dispatcher.isRunning(cancelled), false);
  });

  it('pause: keeps new submissions waiting, finishes the running ones, and continues when resumed', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    await test.dispatcher.stop();
    let isActive = true;
    const dispatcher = test.makeDispatcher({ isActive: async () => isActive });
    dispatcher.start();
    context.after(() => dispatcher.stop());
    const poll = { service: 'A', version: '1', worker: 'w', wait: 5000 };
    const running = await test.submit('1', { via: dispatcher });
    isActive = false;
    const held = await test.submit('2', { via: dispatcher });
    const task = (await dispatcher.nextTask(poll)) ?? assert.fail('no task');
    assert.equal(task.sid, running);
    await dispatcher.finish(receiptOf(task), { kind: 'error', key: 'k', isRecoverable: false, message: '' });
    await test.completed(running);
    assert.equal(await dispatcher.nextTask({ ...poll, wait: 400 }), undefined);
    assert.equal((await test.get(held)).state, 'submitted');
    isActive = true;
    assert.equal((await dispatcher.nextTask(poll))?.sid, held);
  });

  it('dispatches a submission once, however often it is handed over', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    await test.dispatcher.dispatch(await test.get(sid));
    await test.finish(await test.next('A'));
    await test.completed(sid);
    assert.ok(await test.isIdle('A'));
  });

  it('cancel ends a running submission, and its tasks are no longer wanted', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('B')] });
    const sid = await test.submit('root');
    const task = await test.next('A');
    assert.equal(await test.dispatcher.wants(receiptOf(task)), true);
    assert.equal(await test.dispatcher.cancel(sid), true);
    assert.equal(await test.dispatcher.cancel(sid), false);
    assert.equal(await test.dispatcher.wants(receiptOf(task)), false);
    assert.equal(await test.finish(task), 'ignored');
    assert.ok(await test.isIdle('B'));
    assert.equal((await test.get(sid)).to_be_deleted, true);
    const [completion] = await test.coordination.queues.take(COMPLETED_QUEUE);
    assert.deepEqual(completion?.item, { sid, submitter: 'ada', quota_item: false, cancelled: true });
  });

  it('keeps what happened, on request', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root', { params: { trace: true } });
    await test.finish(await test.next('A'));
    const events = (await test.completed(sid)).tracing_events;
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      [
        ...['submission_start', 'dispatch_file', 'schedule_built', 'service_start'],
        ...['process_result', 'dispatch_file', 'file_finished', 'submission_check'],
      ],
    );
    assert.deepEqual([events[3]?.service, events[3]?.file, events[3]?.message], ['A', hashOf('root'), 'A-1']);
  });
});
