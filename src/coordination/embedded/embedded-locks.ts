import type { Locks } from '../coordination.ts';
import { WaitQueue } from './wait-queue.ts';

/** Longest time (milliseconds) between two looks at a lock that is held. */
const MAX_INTERVAL = 1000;

interface Lease {
  expires: number;
}

/** Keeps locks in memory only: every holder lives in this process, so no lock must outlive it. */
export function embeddedLocks(assertOpen: () => void, now: () => number) {
  const line = new WaitQueue();
  const leases = new Map<string, Lease>();
  const holder = (name: string): Lease | undefined => {
    const lease = leases.get(name);
    if (lease === undefined || lease.expires > now()) return lease;
    leases.delete(name);
    return undefined;
  };
  return {
    async acquire(name, lease, { wait = 0 } = {}) {
      assertOpen();
      const deadline = performance.now() + wait;
      for (let held = holder(name); held !== undefined; held = holder(name)) {
        const patience = deadline - performance.now();
        if (patience <= 0) return undefined;
        await line.wait(name, Math.max(1, Math.min(patience, held.expires - now(), MAX_INTERVAL)));
        if (line.closed) return undefined;
      }
      const own: Lease = { expires: now() + lease };
      leases.set(name, own);
      return {
        renew: async (longer) => {
          assertOpen();
          if (holder(name) !== own) return false;
          own.expires = now() + longer;
          return true;
        },
        release: async () => {
          if (leases.get(name) !== own) return;
          leases.delete(name);
          line.wake(name, 1);
        },
      };
    },

    /** Forgets locks that were never given back. */
    sweep(): void {
      for (const name of leases.keys()) holder(name);
    },

    close: () => line.close(),
  } satisfies Locks & { sweep(): void; close(): void };
}
