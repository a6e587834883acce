import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MATCH_NONE } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { aService, hashOf, openDispatch } from '../../testing/analysis/dispatch-fixture.ts';
import { LiveService } from './live-service.ts';

const ACTOR = { searchAccess: unrestricted('a test') } as unknown as Actor;
const BLIND = { searchAccess: { filter: MATCH_NONE, admits: () => false, username: 'b' } } as unknown as Actor;

describe('LiveService', () => {
  it('tells a watcher what there is, what comes, and the end', async (context) => {
    const test = await openDispatch(context, { services: [aService('A'), aService('B', { stage: 'POST' })] });
    const live = new LiveService(test);
    const sid = await test.submit('root');
    await test.finish(await test.next('A'), { extraErrors: ['extra'] });
    const id = await live.watch(ACTOR, sid);
    assert.match(id, /^D-.*-WQ$/);
    assert.deepEqual(await live.next(id), {
      type: 'start',
      err_msg: null,
      status_code: 200,
      msg: 'Start listening...',
    });
    const key = (service: string) => `${hashOf('root')}.${service}.v1_2.c0`;
    assert.deepEqual(
      (await live.take(id)).map(({ type, msg }) => [type, msg]),
      [
        ['cachekey', key('A')],
        ['cachekeyerr', 'extra'],
      ],
    );
    assert.equal((await live.next(id)).type, 'timeout');
    assert.deepEqual(await live.outstanding(ACTOR, sid), { B: 1 });
    await test.fail(await test.next('B'), false);
    await test.completed(sid);
    assert.deepEqual(
      (await live.take(id, { wait: 1000 })).map(({ type }) => type),
      ['cachekeyerr', 'stop'],
    );
    assert.deepEqual(await live.outstanding(ACTOR, sid), {});
    await assert.rejects(live.watch(ACTOR, sid), { code: 'submission_not_running', response: '' });
  });

  it('shows nothing of submissions that the caller may not see', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const live = new LiveService(test);
    const sid = await test.submit('root');
    await assert.rejects(live.watch(BLIND, sid), { code: 'submission_not_accessible', response: '' });
    await assert.rejects(live.outstanding(BLIND, sid), { code: 'submission_not_accessible', response: {} });
    await assert.rejects(live.outstanding(ACTOR, 'nope'), { code: 'submission_not_accessible' });
  });

  it('refuses what is no identifier of a queue, and answers nothing for an unknown one', async (context) => {
    const test = await openDispatch(context, { services: [] });
    const live = new LiveService(test);
    for (const id of ['nope', 'D--WQ', 'D-a', 'x-D-a-WQ', `D-${'a'.repeat(200)}-WQ`]) {
      await assert.rejects(live.next(id), { code: 'invalid_watch_queue' }, id);
    }
    assert.deepEqual(await live.take('D-abc-WQ'), []);
    assert.equal((await live.next('D-abc-WQ')).status_code, 408);
  });

  it('forgets a queue that is not read', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const live = new LiveService(test);
    const id = await live.watch(ACTOR, await test.submit('root'));
    await test.dispatcher.watchQueues.sweep();
    assert.equal((await test.coordination.queues.list('watch:')).length, 1);
    await test.coordination.tokens.remove(`watch:${id}`);
    await test.dispatcher.watchQueues.sweep();
    assert.deepEqual(await live.take(id), []);
  });
});
