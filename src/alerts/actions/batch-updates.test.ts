import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { TooLarge, Unavailable } from '../../errors/errors.ts';
import { BatchUpdates } from './batch-updates.ts';

const label = (value: string): UpdateOperation => ({ op: 'append', path: 'howler.labels.generic', value });

describe('the updates of a batch', () => {
  const written: [string, readonly unknown[]][][] = [];
  const updatesOf = (reject: (values: readonly unknown[]) => Error | undefined = () => undefined) => {
    written.length = 0;
    return new BatchUpdates({
      async updateEach(updates) {
        const values = Array.from(updates, ([id, operations]): [string, readonly unknown[]] => [
          id,
          operations.map((one) => ('value' in one ? one.value : one.op)),
        ]);
        const error = reject(values.flatMap(([, all]) => all));
        if (error) throw error;
        written.push(values);
      },
    });
  };

  it('write each alert once, in the order of the actions', async () => {
    const updates = updatesOf();
    updates.add({ actionId: 'a', ids: ['h1', 'h2'], operations: [label('a')] });
    updates.add({ actionId: 'b', ids: ['h2'], operations: [label('b'), label('c')] });
    await updates.write();
    await updates.write();
    assert.deepEqual(written, [
      [
        ['h1', ['a']],
        ['h2', ['a', 'b', 'c']],
      ],
    ]);
  });

  it('are written action by action when an alert rejects them', async () => {
    const updates = updatesOf((values) => (values.includes('b') ? new TooLarge('list_too_long', 'full') : undefined));
    for (const actionId of ['a', 'b', 'c']) updates.add({ actionId, ids: ['h1'], operations: [label(actionId)] });
    await updates.write();
    assert.deepEqual(written, [[['h1', ['a']]], [['h1', ['c']]]]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => updates.failureOf(id)?.code),
      [undefined, 'list_too_long', undefined],
    );
  });

  it('fail as a whole while the datastore is gone', async () => {
    const updates = updatesOf(() => new Unavailable('datastore_unavailable', 'gone'));
    updates.add({ actionId: 'a', ids: ['h1'], operations: [label('a')] });
    await assert.rejects(updates.write(), { code: 'datastore_unavailable' });
  });
});
