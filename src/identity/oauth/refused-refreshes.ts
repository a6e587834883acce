import type { Coordination } from '../../coordination/coordination.ts';
import { isUnavailable } from '../../errors/errors.ts';

/** Refreshes of one address that providers may refuse in this time (milliseconds) until they are not asked any more. */
const MOST = 60;
const LIFETIME = 60_000;

/**
 * Counts refreshes that a provider refused: each asks the provider, and nobody shall flood it by way of us. While coordination is gone nothing is
 * counted; refresh tokens cannot be guessed.
 */
export class RefusedRefreshes {
  readonly #counters: Coordination['counters'];

  constructor(parts: { readonly counters: Coordination['counters'] }) {
    this.#counters = parts.counters;
  }

  async areTooMany(address: string | undefined): Promise<boolean> {
    return (await counted(this.#counters.get(keyOf(address)))) >= MOST;
  }

  async count(address: string | undefined): Promise<void> {
    await counted(this.#counters.increment(keyOf(address), LIFETIME));
  }
}

async function counted(count: Promise<number>): Promise<number> {
  try {
    return await count;
  } catch (error) {
    if (isUnavailable(error)) return 0;
    throw error;
  }
}

function keyOf(address: string | undefined): string {
  return `oauth-refused-refreshes:${address ?? ''}`;
}
