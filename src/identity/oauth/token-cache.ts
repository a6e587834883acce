import { hash } from 'node:crypto';
import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { VerifiedToken } from './verified-token.ts';

const MAX_ENTRIES = 20_000;
/** Characters of all tokens together. A token that is longer than one in `MAX_ENTRIES` of this counts for several. */
const MAX_SIZE = 16 * 1024 * 1024;

/** A verified token with the key that it was signed with. */
export interface KnownToken {
  readonly verified: VerifiedToken;
  readonly keyId: string;
}

/** Tokens that were verified, by their hash; the oldest make place for new ones. Bounded in number and in size. */
export class TokenCache {
  readonly #entries = new BoundedCache<string, KnownToken>(MAX_ENTRIES, ({ verified }) =>
    Math.max(1, (verified.token.length * MAX_ENTRIES) / MAX_SIZE),
  );

  find(token: string): KnownToken | undefined {
    return this.#entries.get(keyOf(token));
  }

  remember(token: string, entry: KnownToken): void {
    this.#entries.set(keyOf(token), entry);
  }

  forget(token: string): void {
    this.#entries.delete(keyOf(token));
  }

  get count(): number {
    return this.#entries.size;
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}
