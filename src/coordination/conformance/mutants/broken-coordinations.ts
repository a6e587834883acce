import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrokenAdapter } from '../../../testing/run-broken-adapter.ts';
import { withMethods } from '../../../testing/with-methods.ts';
import type { Coordination, QueueItem } from '../../coordination.ts';
import { BROKEN_QUEUE_IDS } from './broken-queue-ids.ts';
import { BROKEN_TABLES } from './broken-tables.ts';

export interface BrokenCoordination extends BrokenAdapter {
  readonly area: 'tokens' | 'counters' | 'locks' | 'queues' | 'queue ids' | 'tables' | 'events' | 'lifecycle';
  break(sound: Coordination): Coordination;
}

/**
 * Adapters with one fault each, made from a sound one.
 * The suite is worth something as long as it fails on every one.
 */
export const BROKEN_COORDINATIONS: Record<string, BrokenCoordination> = {
  ...BROKEN_QUEUE_IDS,
  ...BROKEN_TABLES,
  'take-twice': {
    fault: 'take reads and removes in two steps, so that two callers get the same token',
    area: 'tokens',
    noticedBy: 'gives a token to exactly one of many takers',
    break: (sound) => ({
      ...sound,
      tokens: withMethods(sound.tokens, {
        take: async (key) => {
          const value = await sound.tokens.get(key);
          await nextTurn();
          await sound.tokens.remove(key);
          return value;
        },
      }),
    }),
  },
  'prefix-is-pattern': {
    fault: 'removeWithPrefix takes `_` and `%` of the prefix for wildcards',
    area: 'tokens',
    noticedBy: 'takes no character of a prefix for a pattern',
    break: (sound) => {
      const keys = new Set<string>();
      return {
        ...sound,
        tokens: withMethods(sound.tokens, {
          put: async (key, value, lifetime) => {
            keys.add(key);
            await sound.tokens.put(key, value, lifetime);
          },
          removeWithPrefix: async (prefix) => {
            const pattern = new RegExp(
              `^${prefix
                .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
                .replace(/_/g, '.')
                .replace(/%/g, '.*')}`,
              's',
            );
            let removed = 0;
            for (const key of keys) if (pattern.test(key) && (await sound.tokens.remove(key))) removed += 1;
            return removed;
          },
        }),
      };
    },
  },
  'scan-stops-early': {
    fault: 'scan shows the first batch alone',
    area: 'tokens',
    noticedBy: 'shows all keys that start so with value and expiry, and no other',
    break: (sound) => ({
      ...sound,
      tokens: withMethods(sound.tokens, {
        async *scan(prefix: string) {
          for await (const batch of sound.tokens.scan(prefix)) {
            yield batch.slice(0, 100);
            return;
          }
        },
      }),
    }),
  },
  'forgotten-count-stays': {
    fault: 'remove of a count takes one from it',
    area: 'counters',
    noticedBy: 'shows the counts whose keys start so with their expiry, and forgets one',
    break: (sound) => ({
      ...sound,
      counters: withMethods(sound.counters, {
        remove: async (key) => (await sound.counters.increment(key, 1000, { by: -1 })) >= 0,
      }),
    }),
  },
  'counter-never-renews': {
    fault: 'increment ignores renew',
    area: 'counters',
    noticedBy: 'forgets a lifetime after the last increment with renew',
    break: (sound) => ({
      ...sound,
      counters: withMethods(sound.counters, {
        increment: (key, lifetime, options) => sound.counters.increment(key, lifetime, { by: options?.by ?? 1 }),
      }),
    }),
  },
  'lock-always-renews': {
    fault: 'renew says yes to a holder whose lease is over',
    area: 'locks',
    noticedBy: 'is free when the lease is over, and the late holder cannot disturb the next',
    break: (sound) => ({
      ...sound,
      locks: {
        acquire: async (name, lease, options) => {
          const lock = await sound.locks.acquire(name, lease, options);
          return lock && { renew: async (longer) => (await lock.renew(longer)) || true, release: () => lock.release() };
        },
      },
    }),
  },
  'items-never-come-back': {
    fault: 'an item taken and never acknowledged is lost',
    area: 'queues',
    noticedBy: 'delivers again what was taken and not acknowledged, at its old place',
    break: (sound) => ({
      ...sound,
      queues: withMethods(sound.queues, {
        take: async <T>(queue: string, options?: object): Promise<readonly QueueItem<T>[]> => {
          const items = await sound.queues.take<T>(queue, options);
          for (const item of items) await item.acknowledge();
          return items;
        },
      }),
    }),
  },
  'priority-ignored': {
    fault: 'push ignores the priority',
    area: 'queues',
    noticedBy: 'gives higher priorities first',
    break: (sound) => ({
      ...sound,
      queues: withMethods(sound.queues, { push: (queue, items) => sound.queues.push(queue, items) }),
    }),
  },
  'oldest-is-next': {
    fault: 'oldest tells the time of the item that is taken next',
    area: 'queues',
    noticedBy: 'tells when the item was pushed that waits longest, of any priority',
    break: (sound) => ({
      ...sound,
      queues: withMethods(sound.queues, {
        oldest: async (queue) => (await sound.queues.peek(queue))[0]?.pushedAt,
      }),
    }),
  },
  'shared-payload': {
    fault: 'all listeners get one and the same object',
    area: 'events',
    noticedBy: 'gives every listener a copy of its own',
    break: (sound) => {
      const payloads = new Map<string, unknown>();
      return {
        ...sound,
        events: {
          publish: (channel, payload) => sound.events.publish(channel, payload),
          subscribe: (pattern, listener) =>
            sound.events.subscribe(pattern, (channel, payload) => {
              const text = JSON.stringify(payload);
              if (!payloads.has(text)) payloads.set(text, payload);
              listener(channel, payloads.get(text));
            }),
        },
      };
    },
  },
  'queue-in-memory': {
    fault: 'pushed items do not survive a restart',
    area: 'lifecycle',
    noticedBy: 'has its state again after a restart, with the expiries that it had',
    break: (sound) => ({
      ...sound,
      close: async () => {
        await sound.queues.clear('queue').catch(() => 0);
        await sound.close();
      },
    }),
  },
};
