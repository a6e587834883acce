import type { Lock, Locks } from '../coordination.ts';
import { WaitQueue } from './wait-queue.ts';

/** Longest time (milliseconds) between two looks at a lock that is held. */
const MAX_INTERVAL = 1000;

interface Lease {
  expires: number;
}

/** Keeps locks in memory only: every holder lives in this process, so no lock must outlive it. */
export class EmbeddedLocks implements Locks {
  readonly #assertOpen: () => void;
  readonly #now: () => number;
  readonly #line = new WaitQueue();
  readonly #leases = new Map<string, Lease>();

  constructor(assertOpen: () => void, now: () => number) {
    this.#assertOpen = assertOpen;
    this.#now = now;
  }

  async acquire(name: string, lease: number, options: { readonly wait?: number } = {}): Promise<Lock | undefined> {
    this.#assertOpen();
    const deadline = performance.now() + (options.wait ?? 0);
    for (let held = this.#holder(name); held !== undefined; held = this.#holder(name)) {
      const patience = deadline - performance.now();
      if (patience <= 0) return undefined;
      await this.#line.wait(name, Math.max(1, Math.min(patience, held.expires - this.#now(), MAX_INTERVAL)));
      if (this.#line.closed) return undefined;
    }
    const own: Lease = { expires: this.#now() + lease };
    this.#leases.set(name, own);
    return {
      renew: async (longer) => {
        this.#assertOpen();
        if (this.#holder(name) !== own) return false;
        own.expires = this.#now() + longer;
        return true;
      },
      release: async () => {
        if (this.#leases.get(name) !== own) return;
        this.#leases.delete(name);
        this.#line.wake(name, 1);
      },
    };
  }

  /** Forgets locks that were never given back. */
  sweep(): void {
    for (const name of this.#leases.keys()) this.#holder(name);
  }

  /** Ends all waiting. */
  close(): void {
    this.#line.close();
  }

  #holder(name: string): Lease | undefined {
    const lease = this.#leases.get(name);
    if (lease === undefined || lease.expires > this.#now()) return lease;
    this.#leases.delete(name);
    return undefined;
  }
}
