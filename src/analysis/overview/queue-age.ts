import type { Queues } from '../../coordination/coordination.ts';

/** Items at either end of a queue that are looked at for the oldest one. */
const LOOKED_AT = 50;

/** Returns the seconds that the oldest item of a queue waits; it may be at either end of it. */
export async function queueAge(queues: Pick<Queues, 'peek'>, queue: string, now: number): Promise<number> {
  const ends = await Promise.all(
    (['next', 'last'] as const).map((from) => queues.peek(queue, { max: LOOKED_AT, from })),
  );
  const times = ends.flat().map(({ pushedAt }) => pushedAt);
  return times.length === 0 ? 0 : Math.max(0, (now - Math.min(...times)) / 1000);
}
