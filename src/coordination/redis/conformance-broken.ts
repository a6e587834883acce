import type { BrokenAdapter } from '../../testing/run-broken-adapter.ts';
import { withMethods } from '../../testing/with-methods.ts';
import { coordinationConformance } from '../conformance/index.ts';
import type { Coordination } from '../coordination.ts';
import { embeddedEvents } from '../embedded/embedded-events.ts';
import { embeddedLocks } from '../embedded/embedded-locks.ts';
import { redisSubject } from './conformance-subjects.ts';

interface BrokenRedis extends BrokenAdapter {
  readonly area: 'tokens' | 'counters' | 'locks' | 'queues' | 'events';
  break(sound: Coordination): Coordination;
}

/**
 * Faults that only several processes can have; the suite has to fail on each.
 * Those of one process are in conformance/mutants.
 */
export const BROKEN_REDIS: Readonly<Record<string, BrokenRedis>> = {
  'locks-in-process': {
    fault: 'locks hold within one process alone',
    area: 'locks',
    noticedBy: 'is held by one of many at a time',
    break: (sound) => ({ ...sound, locks: embeddedLocks(() => undefined, Date.now) }),
  },
  'events-in-process': {
    fault: 'events reach the listeners of one process alone',
    area: 'events',
    noticedBy: 'reaches every listener of the channel, in order, in every process',
    break: (sound) => ({
      ...sound,
      events: embeddedEvents(
        () => undefined,
        () => undefined,
      ),
    }),
  },
  'own-increments': {
    fault: 'each process counts what it has added itself',
    area: 'counters',
    noticedBy: 'counts every one of many concurrent increments, each with a result of its own',
    break: (sound) => {
      const added = new Map<string, number>();
      return {
        ...sound,
        counters: withMethods(sound.counters, {
          increment: async (key, _lifetime, options) => {
            const count = (added.get(key) ?? 0) + (options?.by ?? 1);
            added.set(key, count);
            return count;
          },
        }),
      };
    },
  },
  'push-wakes-no-waiter': {
    fault: 'who waits for an item does not hear of a push',
    area: 'queues',
    noticedBy: 'waits for a push, a return and the end of a visibility time, and only as long as asked',
    break: (sound) => {
      return {
        ...sound,
        queues: withMethods(sound.queues, {
          take: async (queue, { wait = 0, ...options } = {}) => {
            const items = await sound.queues.take<never>(queue, options);
            if (items.length > 0 || wait === 0) return items;
            await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 1000)));
            return sound.queues.take<never>(queue, options);
          },
        }),
      };
    },
  },
};

if (import.meta.main) {
  const broken = BROKEN_REDIS[process.argv[2] ?? ''];
  if (broken === undefined) throw new Error(`there is no broken Redis adapter ${process.argv[2]}`);
  coordinationConformance(redisSubject(broken.break));
}
