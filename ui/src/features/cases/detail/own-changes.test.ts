import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnChanges } from './own-changes.ts';

interface Members {
  readonly status?: string;
  readonly participants?: readonly string[];
}

describe('changes of one person', () => {
  it('run one after the other, and count as seen by the next one', async () => {
    const changes = new OwnChanges<Members>();
    const shown = { status: 'open', participants: [] };
    const seen: Members[] = [];
    let running = 0;
    const write = async (values: Members) => {
      running += 1;
      assert.equal(running, 1);
      seen.push(values);
      await new Promise(setImmediate);
      running -= 1;
      return true;
    };
    await Promise.all([
      changes.run(shown, { participants: ['ana'] }, write),
      changes.run(shown, { participants: ['ana', 'bo'] }, write),
    ]);
    assert.deepEqual(seen, [shown, { status: 'open', participants: ['ana'] }]);
    await changes.run({ status: 'on-hold' }, { status: 'open' }, write);
    assert.deepEqual(seen.at(-1), { status: 'on-hold' }, 'what is shown by now comes from the service');
  });

  it('count as seen only where they were written', async () => {
    const changes = new OwnChanges<Members>();
    const shown = { status: 'open' };
    const results = await Promise.allSettled([
      changes.run(shown, { status: 'on-hold' }, async () => false),
      changes.run(shown, { status: 'resolved' }, async () => Promise.reject(new Error('refused'))),
      changes.run(shown, { status: 'in-progress' }, async (seen) => {
        assert.deepEqual(seen, shown);
        return true;
      }),
    ]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : 'thrown')),
      [false, 'thrown', true],
    );
  });
});
