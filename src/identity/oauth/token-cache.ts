import { hash } from 'node:crypto';
import type { VerifiedToken } from './verified-token.ts';

const MAX_ENTRIES = 20_000;
/** Characters of all tokens together. */
const MAX_SIZE = 16 * 1024 * 1024;

/** A verified token with the key that it was signed with. */
export interface KnownToken {
  readonly verified: VerifiedToken;
  readonly keyId: string;
}

/** Tokens that were verified, by their hash; the oldest make place for new ones. Bounded in number and in size. */
export class TokenCache {
  readonly #entries = new Map<string, KnownToken>();
  #size = 0;

  find(token: string): KnownToken | undefined {
    return this.#entries.get(keyOf(token));
  }

  remember(token: string, entry: KnownToken): void {
    this.forget(token);
    this.#entries.set(keyOf(token), entry);
    this.#size += token.length;
    for (const [key, oldest] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES && this.#size <= MAX_SIZE) break;
      this.#entries.delete(key);
      this.#size -= oldest.verified.token.length;
    }
  }

  forget(token: string): void {
    if (this.#entries.delete(keyOf(token))) this.#size -= token.length;
  }

  get count(): number {
    return this.#entries.size;
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}
