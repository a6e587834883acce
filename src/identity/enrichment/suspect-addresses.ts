import { networkOf } from '../networks.ts';

/** More networks than this are forgotten, the oldest first. */
const MAX_NETWORKS = 10_000;

/**
 * Networks that sent a wrong key to this process not long ago. Whether they sent too many, in all processes, is asked only of them, so
 * that a right key from elsewhere waits for no counter.
 */
export class SuspectAddresses {
  readonly #lifetime: number;
  readonly #now: () => number;
  readonly #until = new Map<string, number>();

  /** @param parts.lifetime seconds */
  constructor(parts: { readonly lifetime: number; readonly now: () => number }) {
    this.#lifetime = parts.lifetime * 1000;
    this.#now = parts.now;
  }

  has(address: string): boolean {
    if (this.#until.size === 0) return false;
    const network = networkOf(address);
    const until = this.#until.get(network);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#until.delete(network);
    return false;
  }

  add(address: string): void {
    const network = networkOf(address);
    this.#until.delete(network);
    if (this.#until.size >= MAX_NETWORKS) {
      const oldest = this.#until.keys().next();
      if (!oldest.done) this.#until.delete(oldest.value);
    }
    this.#until.set(network, this.#now() + this.#lifetime);
  }
}
