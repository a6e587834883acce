import { hash, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { seal, sealingKey, unseal } from '../sealed-text.ts';
import { sessionGeneration } from '../sessions/app-tokens.ts';

/** Identifies an exchanged token. */
export interface TokenPlace {
  readonly user: string;
  readonly target: string;
  /** Other distinctions of tokens: the exchanging service, the provider, the subject. */
  readonly holder: readonly string[];
  /** Secret of the client that got the token; undefined for a public client. */
  readonly secret: string | undefined;
}

/** Milliseconds before its expiry in which a token is not returned, so that it can still be used. */
const EARLIER = 60_000;

/**
 * Stores exchanged tokens until shortly before they expire, for all processes, encrypted with a key of
 * the client that got them: a reader of the coordination server cannot use them. They end with the sessions of the user.
 */
export class KeptTokens {
  readonly #tokens: Pick<Coordination['tokens'], 'put' | 'get' | 'removeWithPrefix'>;
  readonly #now: () => number;
  readonly #ownSecret = randomBytes(32).toString('hex');

  constructor(tokens: Pick<Coordination['tokens'], 'put' | 'get' | 'removeWithPrefix'>, now: () => number) {
    this.#tokens = tokens;
    this.#now = now;
  }

  /** Keeps a token until `expires` (ms since 1970) unless sessions ended since `find` gave `generation`. */
  async keep(place: TokenPlace, token: string, expires: number, generation: string): Promise<void> {
    const lifetime = expires - EARLIER - this.#now();
    if (lifetime <= 0) return;
    const key = keyOf(place);
    const stored = seal(`${Math.floor(expires)} ${token}`, this.#cipherKey(place), `${key} ${generation}`);
    await this.#tokens.put(key, stored, lifetime);
  }

  /** Returns the token, unless an earlier secret of the client or generation of sessions encrypted it. */
  async find(place: TokenPlace) {
    const key = keyOf(place);
    const generated = sessionGeneration(this.#tokens, place.user);
    const [stored, generation = ''] = await Promise.all([this.#tokens.get(key), generated]);
    if (typeof stored !== 'string') return { token: undefined, generation };
    const opened = unseal(stored, this.#cipherKey(place), `${key} ${generation}`);
    const [, expires, token] = /^(\d+) (.+)$/s.exec(opened ?? '') ?? [];
    return { token: Number(expires) - EARLIER > this.#now() ? token : undefined, generation };
  }

  /** Removes all tokens of a user. */
  async forget(user: string): Promise<void> {
    await this.#tokens.removeWithPrefix(prefixOf(user));
  }

  #cipherKey({ secret }: TokenPlace): Uint8Array {
    return sealingKey(secret ?? this.#ownSecret, 'kept tokens');
  }
}

/** Encodes the name, so that no name is the beginning of another's key. */
function prefixOf(user: string): string {
  return `exchanged-token:${encodeURIComponent(user)}:`;
}

function keyOf({ user, target, holder }: TokenPlace): string {
  return `${prefixOf(user)}${hash('sha256', JSON.stringify([target, ...holder]), 'hex')}`;
}
