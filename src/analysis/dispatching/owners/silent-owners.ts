import type { QueueItem } from '../../../coordination/coordination.ts';

/** Milliseconds that a task of a silent owner stays out of its queue: its owner may change. */
const ASIDE = 2000;

interface Aside {
  readonly owner: string;
  readonly item: Pick<QueueItem<unknown>, 'giveBack'>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Keeps the tasks of dispatchers that do not answer out of the queues of the services.
 * Otherwise every worker draws such a task and waits for its owner, while the tasks of other owners wait for a worker.
 */
export class SilentOwners {
  readonly #owners = new Set<string>();
  readonly #aside = new Set<Aside>();
  readonly #onFailure: (err: unknown) => void;

  /** @param onFailure Called when a task cannot be given back; it returns after its visibility time. */
  constructor(onFailure: (err: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** Notes a dispatcher that does not answer. */
  add(owner: string): void {
    this.#owners.add(owner);
  }

  /** Forgets a dispatcher that answers again or has lost its submissions, and gives its tasks back. */
  remove(owner: string): void {
    if (!this.#owners.delete(owner)) return;
    for (const aside of this.#aside) if (aside.owner === owner) void this.#giveBack(aside);
  }

  /** Keeps a task out of its queue for a while. Returns false when its owner is not silent. */
  setAside(owner: string, item: Aside['item']): boolean {
    if (!this.#owners.has(owner)) return false;
    const timer = setTimeout(() => void this.#giveBack(aside), ASIDE).unref();
    const aside: Aside = { owner, item, timer };
    this.#aside.add(aside);
    return true;
  }

  /** Gives all tasks back, for the workers of other processes. */
  async close(): Promise<void> {
    await Promise.all([...this.#aside].map((aside) => this.#giveBack(aside)));
  }

  async #giveBack(aside: Aside): Promise<void> {
    clearTimeout(aside.timer);
    if (this.#aside.delete(aside)) await aside.item.giveBack().catch(this.#onFailure);
  }
}
