import { Type } from 'typebox';
import type { Queues } from '../../coordination/coordination.ts';
import { type DescribedQueue, measureQueues } from '../../coordination/measured-queues.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { nullable } from '../../input/nullable.ts';
import { READ } from '../operations-access.ts';

export interface QueueRouteDependencies {
  readonly queues: Pick<Queues, 'length' | 'oldest' | 'list'>;
  readonly described: readonly DescribedQueue[];
}

const Queue = Type.Object(
  {
    queue: Type.String(),
    description: Type.String(),
    waiting: Type.Integer({ description: 'Items that wait to be taken.' }),
    oldest_at: nullable(Type.String(), {
      description: 'Time at which the oldest of them was queued; null: none waits.',
    }),
    age_seconds: Type.Number({ description: 'Seconds since then.' }),
  },
  { title: 'Queue' },
);
const Measured = Type.Object({
  queues: Type.Array(Queue),
  complete: Type.Boolean({ description: 'False: of one kind of queue there are more than the 200 that are listed.' }),
});

/** Serves the length of every queue and the age of its oldest item. */
export const queueRoutes =
  ({ queues, described }: QueueRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/queues',
      { access: READ, schema: { tags: ['queues'], summary: 'Measure the queues', response: { 200: Measured } } },
      async () => {
        const { measured, isComplete } = await measureQueues(queues, described);
        const now = Date.now();
        return {
          queues: measured.map(({ oldest, ...queue }) => ({
            ...queue,
            oldest_at: oldest === undefined ? null : new Date(oldest).toISOString(),
            age_seconds: oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000,
          })),
          complete: isComplete,
        };
      },
    );
  };
