import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
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
const CIPHER = 'aes-256-gcm';

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
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, this.#cipherKey(place), iv).setAAD(Buffer.from(`${key} ${generation}`));
    const sealed = Buffer.concat([cipher.update(`${Math.floor(expires)} ${token}`, 'utf8'), cipher.final()]);
    const stored = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    await this.#tokens.put(key, stored, lifetime);
  }

  /** Returns the token, unless an earlier secret of the client or generation of sessions encrypted it. */
  async find(place: TokenPlace) {
    const key = keyOf(place);
    const generated = sessionGeneration(this.#tokens, place.user);
    const [stored, generation = ''] = await Promise.all([this.#tokens.get(key), generated]);
    if (typeof stored !== 'string') return { token: undefined, generation };
    const opened = unsealed(Buffer.from(stored, 'base64'), this.#cipherKey(place), `${key} ${generation}`);
    const [, expires, token] = /^(\d+) (.+)$/s.exec(opened ?? '') ?? [];
    return { token: Number(expires) - EARLIER > this.#now() ? token : undefined, generation };
  }

  /** Removes all tokens of a user. */
  async forget(user: string): Promise<void> {
    await this.#tokens.removeWithPrefix(prefixOf(user));
  }

  #cipherKey({ secret }: TokenPlace): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', secret ?? this.#ownSecret, '', 'kept tokens', 32));
  }
}

/** Decrypts a token; returns undefined when key or place differ, or the token was modified. */
function unsealed(bytes: Buffer, cipherKey: Uint8Array, place: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Encodes the name, so that no name is the beginning of another's key. */
function prefixOf(user: string): string {
  return `exchanged-token:${encodeURIComponent(user)}:`;
}

function keyOf({ user, target, holder }: TokenPlace): string {
  return `${prefixOf(user)}${hash('sha256', JSON.stringify([target, ...holder]), 'hex')}`;
}
