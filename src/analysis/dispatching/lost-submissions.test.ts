import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aService, openDispatch } from '../../testing/analysis/dispatch-fixture.ts';
import { LostSubmissions } from './lost-submissions.ts';
import { NO_OWNER, OWNERS } from './owned-submissions.ts';

const HOUR = 3_600_000;

describe('LostSubmissions', () => {
  it('finds what was stored and never dispatched, once it is a minute old', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    await test.dispatcher.stop();
    const { tables } = test.coordination;
    await tables.take(OWNERS, sid);
    const { look, dispatched, queued } = openLost(test);
    assert.equal(await look(0), 0, 'it may be on its way');
    assert.equal(await look(HOUR), 1);
    assert.deepEqual([dispatched, queued], [[sid], []]);
  });

  it('leaves running and deleted ones alone, and queues again what waits for room', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const [running, waiting, deleted] = [await test.submit('1'), await test.submit('2'), await test.submit('3')];
    const { tables } = test.coordination;
    await tables.put(OWNERS, waiting, NO_OWNER);
    await tables.take(OWNERS, deleted);
    await test.submissions.update(deleted, [{ op: 'set', path: 'to_be_deleted', value: true }]);
    const { look, dispatched, queued } = openLost(test);
    assert.equal(await look(HOUR), 0);
    assert.deepEqual([dispatched, queued], [[], [waiting]]);
    assert.ok(await test.dispatcher.isRunning(running));
  });

  it('a submission whose beginning failed can be dispatched again', async (context) => {
    const test = await openDispatch(context, { services: [aService('A')] });
    const sid = await test.submit('root');
    const submission = await test.get(sid);
    await test.dispatcher.stop();
    await test.coordination.tables.drop(`submission:${sid}`);
    await test.coordination.tables.take(OWNERS, sid);
    let isBroken = true;
    const users = {
      recent: async () => {
        if (isBroken) throw new Error('no users');
        return undefined;
      },
    };
    const dispatcher = test.makeDispatcher({ users });
    dispatcher.start();
    context.after(() => dispatcher.stop());
    await assert.rejects(dispatcher.dispatch(submission), /no users/);
    assert.equal(await dispatcher.isRunning(sid), false);
    isBroken = false;
    await dispatcher.dispatch(submission);
    assert.ok(await dispatcher.nextTask({ service: 'A', version: '1', worker: 'w', wait: 5000 }));
  });
});

function openLost(test: Awaited<ReturnType<typeof openDispatch>>) {
  const dispatched: string[] = [];
  const queued: string[] = [];
  let now = Date.now();
  const lost = new LostSubmissions({
    submissions: test.submissions,
    tables: test.coordination.tables,
    locks: test.coordination.locks,
    now: () => now,
    dispatch: async ({ sid }) => void dispatched.push(sid),
    queue: async ({ sid }) => void queued.push(sid),
    log: { warn() {} },
  });
  return {
    dispatched,
    queued,
    look: async (later: number) => {
      now = Date.now() + later;
      lost.start();
      const found = await lost.look();
      lost.stop();
      return found;
    },
  };
}
