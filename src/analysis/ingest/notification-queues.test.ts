import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { IngestNotification } from './ingest-task.ts';
import { NotificationQueues } from './notification-queues.ts';

describe('notifications', () => {
  it('come again until the submitter has them, and not after that', async () => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    const notifications = new NotificationQueues(coordination.queues, Date.now);
    for (const ingest_id of ['1', '2', '3']) {
      await notifications.push('anna', 'q', { ingest_id } as IngestNotification);
    }
    const take = async (max?: number) => {
      const taken = await notifications.take('anna', 'q', max);
      return { ...taken, ids: taken.messages.map((one) => one.ingest_id) };
    };

    const interrupted = await take(2);
    assert.deepEqual(interrupted.ids, ['1', '2']);
    await notifications.push('anna', 'q', { ingest_id: '1' } as IngestNotification);
    assert.deepEqual((await take(0)).ids, []);
    await interrupted.giveBack();

    const received = await take();
    assert.deepEqual(received.ids, ['1', '2', '3']);
    assert.deepEqual((await take()).ids, [], 'they are on their way');
    await received.acknowledge();
    await received.giveBack();
    assert.deepEqual((await take()).ids, []);
    await coordination.close();
  });
});
