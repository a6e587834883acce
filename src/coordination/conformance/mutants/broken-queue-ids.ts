import { withMethods } from '../../../testing/with-methods.ts';
import type { Queues } from '../../coordination.ts';
import type { BrokenCoordination } from './broken-coordinations.ts';

const NO_REPEATS = 'does not push an id again that waits or is taken, and pushes one again that is done';
const BY_ID = 'removes one waiting item by its id, for one of many callers';
const LEFT = 'leaves a taken item to its taker, until it comes back';
const SHOWN = 'shows what waits without taking it: the next, or the last';
const NAMED = 'names the queues that start so and hold items';

const broken = (fault: string, noticedBy: string, replace: (sound: Queues) => Partial<Queues>): BrokenCoordination => ({
  fault,
  area: 'queue ids',
  noticedBy,
  break: (sound) => ({ ...sound, queues: withMethods(sound.queues, replace(sound.queues)) }),
});

/** Faults of items with ids, of looks without taking, and of names of queues. */
export const BROKEN_QUEUE_IDS: Record<string, BrokenCoordination> = {
  'ids-ignored': broken('push ignores the ids', NO_REPEATS, (sound) => ({
    push: (queue, items, options) => sound.push(queue, items, { priority: options?.priority ?? 0 }),
  })),
  'ids-for-ever': broken('an id that was pushed once is never pushed again', NO_REPEATS, (sound) => {
    const seen = new Set<string>();
    return {
      push: async (queue, items, options) => {
        const { ids } = options ?? {};
        if (ids === undefined) return sound.push(queue, items, options);
        for (const [index, id] of ids.entries()) {
          if (seen.has(`${queue} ${id}`)) continue;
          seen.add(`${queue} ${id}`);
          await sound.push(queue, [items[index]], { ...options, ids: [id] });
        }
      },
    };
  }),
  'ids-across-queues': broken(
    'an id is known in every queue once it waits in one',
    'takes the ids of another queue, and items without ids, for themselves',
    (sound) => {
      const queues = new Map<string, string>();
      return {
        push: async (queue, items, options) => {
          const [id] = options?.ids ?? [];
          if (id !== undefined && (queues.get(id) ?? queue) !== queue) return;
          if (id !== undefined) queues.set(id, queue);
          await sound.push(queue, items, options);
        },
      };
    },
  ),
  'by-id-looks-only': broken('takeById leaves the item in the queue', BY_ID, (sound) => ({
    takeById: async <T>(queue: string, id: string) =>
      (await sound.peek<T>(queue, { max: 1000 })).find((one) => one.id === id)?.item,
  })),
  'by-id-is-next': broken('takeById ignores the id and takes the next item', BY_ID, (sound) => ({
    takeById: async <T>(queue: string) => {
      const [next] = await sound.take<T>(queue);
      await next?.acknowledge();
      return next?.item;
    },
  })),
  'by-id-takes-taken': broken('takeById takes an item away from its taker', LEFT, (sound) => {
    const taken = new Map<string, unknown>();
    return {
      push: async (queue, items, options) => {
        for (const [index, id] of (options?.ids ?? []).entries()) taken.set(`${queue} ${id}`, items[index]);
        await sound.push(queue, items, options);
      },
      takeById: async <T>(queue: string, id: string) =>
        (await sound.takeById<T>(queue, id)) ?? (taken.get(`${queue} ${id}`) as T | undefined),
    };
  }),
  'by-id-forgets-overdue': broken('takeById does not find an item that came back', LEFT, (sound) => {
    const taken = new Set<string>();
    return {
      take: async (queue, options) => {
        taken.add(queue);
        return sound.take<never>(queue, options);
      },
      takeById: async (queue, id) => (taken.has(queue) ? undefined : sound.takeById<never>(queue, id)),
    };
  }),
  'peek-takes': broken('peek takes what it shows', SHOWN, (sound) => ({
    peek: async <T>(queue: string, options = {}) => {
      const shown = await sound.peek<T>(queue, options);
      await sound.take(queue, { max: shown.length });
      return shown;
    },
  })),
  'peek-from-next-only': broken('peek ignores from', SHOWN, (sound) => ({
    peek: (queue, options) => sound.peek<never>(queue, { max: options?.max ?? 1 }),
  })),
  'list-is-pattern': broken('list takes `*` and `%` for wildcards', NAMED, (sound) => ({
    list: async (prefix) => sound.list(prefix.replace(/[*%].*/, '')),
  })),
  'list-all': broken('list ignores the prefix', NAMED, (sound) => ({ list: () => sound.list('') })),
  'list-waiting-only': broken('list leaves out queues whose items are all taken', NAMED, (sound) => ({
    list: async (prefix) => {
      const names = await sound.list(prefix);
      const lengths = await Promise.all(names.map((name) => sound.length(name)));
      return names.filter((_, index) => lengths[index] !== 0);
    },
  })),
};
