import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aChild, aService, hashOf, openDispatch } from '../../../testing/analysis/dispatch-fixture.ts';
import type { Task } from '../task.ts';

const USES = { uses_temp_submission_data: true };
const dataOf = (task: Task) =>
  Object.fromEntries(task.temporary_submission_data.map(({ name, value }) => [name, value] as const));

describe('temporary data', () => {
  it('begins with the initial data and the ancestry, within the limit of 4096 characters', async (context) => {
    const test = await openDispatch(context, { services: [aService('A', USES), aService('Plain')] });
    const initial_data = JSON.stringify({ passwords: ['x'], own: 1, long: 'x'.repeat(4095), most: 'x'.repeat(4094) });
    await test.submit('root', { params: { initial_data } });
    const { most, ...data } = dataOf(await test.next('A'));
    assert.equal(String(most).length, 4094);
    assert.deepEqual(data, {
      passwords: ['x'],
      own: 1,
      ancestry: [[{ type: 'text/plain', parent_relation: 'ROOT', sha256: hashOf('root') }]],
    });
    assert.deepEqual((await test.next('Plain')).temporary_submission_data, []);
    for (const broken of ['nonsense', '[1]', 'null']) {
      const sid = await test.submit('root', { params: { initial_data: broken } });
      const task = await test.next('A');
      assert.equal(task.sid, sid);
      assert.deepEqual(Object.keys(dataOf(task)), ['ancestry']);
    }
  });

  it('of a file is inherited by what is extracted from it; shared keys are one for all files', async (context) => {
    const test = await openDispatch(context, { services: [aService('A', USES)] });
    for (const name of ['child', 'sibling']) await test.addFile(name, 'code/python');
    await test.submit('root');
    await test.finish(await test.next('A'), {
      children: [aChild('child'), aChild('sibling')],
      temporaryData: { own: 'root', passwords: ['a', 'b'], mood: 'good', long: 'x'.repeat(5000) },
    });
    const child = await test.next('A');
    const node = { type: 'code/python', parent_relation: 'EXTRACTED', sha256: hashOf('child') };
    const root = { type: 'text/plain', parent_relation: 'ROOT', sha256: hashOf('root') };
    assert.deepEqual(dataOf(child), { own: 'root', passwords: ['a', 'b'], mood: 'good', ancestry: [[root, node]] });
    await test.finish(child, { temporaryData: { own: 'child', passwords: ['b', 'c'], mood: 'bad' } });
    const { ancestry: _, ...data } = dataOf(await test.next('A'));
    assert.deepEqual(data, { own: 'root', passwords: ['a', 'b', 'c'], mood: 'bad' });
  });

  it('monitored data: a partial result is computed again when it changed, for every file', async (context) => {
    const monitors = { ...USES, monitored_keys: ['passwords', 'mood'] };
    const test = await openDispatch(context, { services: [aService('Unzip', monitors), aService('Finder')] });
    const sid = await test.submit('root');
    const first = await test.next('Unzip');
    await test.finish(first, { partial: true, key: 'partial', score: 5 });
    assert.ok(await test.isIdle('Unzip'));
    await test.finish(await test.next('Finder'), { temporaryData: { passwords: ['secret'] } });
    const again = await test.next('Unzip');
    assert.deepEqual(dataOf(again).passwords, ['secret']);
    assert.notEqual(again.task_id, first.task_id);
    await test.finish(again, { key: 'full', score: 7 });
    const done = await test.completed(sid);
    assert.deepEqual(done.results, [`${hashOf('root')}.Finder.v1_2.c0`, 'full']);
    assert.equal(done.max_score, 7);
  });

  it('monitored data that changes while the service runs makes it run again after a partial result', async (context) => {
    const monitors = { ...USES, monitored_keys: ['passwords'] };
    const test = await openDispatch(context, { services: [aService('Unzip', monitors), aService('Finder')] });
    for (const partial of [true, false]) {
      const sid = await test.submit('root');
      const first = await test.next('Unzip');
      await test.finish(await test.next('Finder'), { temporaryData: { passwords: ['secret'] } });
      await test.finish(first, { partial });
      if (partial) await test.finish(await test.next('Unzip'));
      assert.equal((await test.completed(sid)).results.length, 2);
    }
  });

  it('complex extracted: the partial result of a child is computed again when a later stage finds the key', async (context) => {
    const services = [
      aService('Unzip', { ...USES, monitored_keys: ['passwords'], stage: 'EXTRACT' }),
      aService('Slow'),
      aService('Finder', { stage: 'POST' }),
    ];
    const test = await openDispatch(context, { services });
    await test.addFile('child');
    const sid = await test.submit('root');
    await test.finish(await test.next('Unzip'), { children: [aChild('child')] });
    const slow = await test.next('Slow');
    const child = await test.next('Unzip');
    assert.equal(child.fileinfo.sha256, hashOf('child'));
    await test.finish(child, { partial: true, key: 'partial' });
    await test.finish(await test.next('Slow'));
    await test.finish(await test.next('Finder'));
    assert.ok(await test.isIdle('Unzip'));
    await test.finish(slow);
    const finder = await test.next('Finder');
    assert.equal(finder.fileinfo.sha256, hashOf('root'));
    await test.finish(finder, { temporaryData: { passwords: ['secret'] } });
    const again = await test.next('Unzip');
    assert.deepEqual([again.fileinfo.sha256, dataOf(again).passwords], [hashOf('child'), ['secret']]);
    await test.finish(again, { key: 'full' });
    const { results } = await test.completed(sid);
    assert.deepEqual([results.length, results.includes('partial'), results.includes('full')], [6, false, true]);
  });

  it('partial: data that is not monitored, or did not change, makes no service run again', async (context) => {
    const monitors = { ...USES, monitored_keys: ['passwords'] };
    const test = await openDispatch(context, { services: [aService('Unzip', monitors), aService('Finder')] });
    const initial_data = JSON.stringify({ passwords: ['known'] });
    const sid = await test.submit('root', { params: { initial_data } });
    await test.finish(await test.next('Unzip'), { partial: true, key: 'partial' });
    await test.finish(await test.next('Finder'), { temporaryData: { passwords: ['known'], mood: 'x', own: 1 } });
    assert.deepEqual((await test.completed(sid)).results, ['partial', `${hashOf('root')}.Finder.v1_2.c0`]);
  });

  it('final partial: a result that stays partial is the result', async (context) => {
    const monitors = { ...USES, monitored_keys: ['mood'] };
    const test = await openDispatch(context, { services: [aService('Moody', monitors)] });
    const sid = await test.submit('root');
    // A service that changes what it monitors does not run without end.
    for (let run = 0; run <= 10; run += 1) {
      await test.finish(await test.next('Moody'), { partial: true, key: `run ${run}`, temporaryData: { mood: run } });
    }
    assert.deepEqual((await test.completed(sid)).results, ['run 10']);
  });
});
