import type { Queues } from './coordination.ts';

/** A queue of the program, or all queues whose names begin with `prefix`, for operators. */
export type DescribedQueue = { readonly description: string } & (
  | { readonly queue: string }
  | { readonly prefix: string }
);

/** A queue as it is now. */
export interface MeasuredQueue {
  readonly queue: string;
  readonly description: string;
  /** Items that wait to be taken. */
  readonly waiting: number;
  /** Milliseconds since 1970 at which the oldest of them was pushed; undefined: none waits. */
  readonly oldest: number | undefined;
}

/** Queues with one prefix that are measured at most: some have one for each user. */
const MAX_MEMBERS = 200;

/** Measures queues; of those with a prefix, the ones that hold items. @throws Unavailable */
export async function measureQueues(
  queues: Pick<Queues, 'length' | 'oldest' | 'list'>,
  described: readonly DescribedQueue[],
): Promise<{ readonly measured: readonly MeasuredQueue[]; readonly isComplete: boolean }> {
  let isComplete = true;
  const measured: MeasuredQueue[] = [];
  for (const one of described) {
    const names = 'queue' in one ? [one.queue] : await queues.list(one.prefix);
    if (names.length > MAX_MEMBERS) isComplete = false;
    for (const queue of names.slice(0, MAX_MEMBERS)) {
      const [waiting, oldest] = await Promise.all([queues.length(queue), queues.oldest(queue)]);
      measured.push({ queue, description: one.description, waiting, oldest });
    }
  }
  return { measured, isComplete };
}
