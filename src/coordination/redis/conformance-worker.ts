import { setTimeout as sleep } from 'node:timers/promises';
import { openRedisCoordination } from './redis-coordination.ts';

/*
 * A process of an installation, for tests that kill it: node conformance-worker.ts URL PREFIX. It keeps the lock `job` and works on the
 * queue `work` for as long as it lives, and prints a line `done <item>` after each acknowledge.
 */
const [, , url = '', prefix = ''] = process.argv;
const coordination = await openRedisCoordination({ url, prefix });
const lock = await coordination.locks.acquire('job', 1000);
for (;;) {
  await lock?.renew(1000);
  for (const { item, acknowledge } of await coordination.queues.take<number>('work', {
    max: 3,
    wait: 1000,
    visibility: 500,
  })) {
    // Long enough for a kill to hit items that are taken.
    await sleep(2);
    await acknowledge();
    process.stdout.write(`done ${item}\n`);
  }
}
