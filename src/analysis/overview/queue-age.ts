import type { Queues } from '../../coordination/coordination.ts';

/** Returns the seconds that the oldest item of a queue waits; 0 when none does. */
export async function queueAge(queues: Pick<Queues, 'oldest'>, queue: string, now: number): Promise<number> {
  const pushed = await queues.oldest(queue);
  return pushed === undefined ? 0 : Math.max(0, (now - pushed) / 1000);
}
