import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { sessionGeneration } from '../sessions/app-tokens.ts';

export interface KeptTokensDependencies {
  readonly tokens: Pick<Coordination['tokens'], 'put' | 'get' | 'removeWithPrefix'>;
  readonly now: () => number;
}

/** Whose token it is, for whom, and who got it. */
export interface TokenPlace {
  readonly user: string;
  readonly target: string;
  /** What else tells two tokens apart: who exchanged it, the provider, the subject. */
  readonly holder: readonly string[];
  /** Of the client that got it; undefined: the client is a public one, and the token is only known to this process. */
  readonly secret: string | undefined;
}

/** What is kept at a place. */
export interface FoundToken {
  /** Undefined: none is kept. */
  readonly token: string | undefined;
  /** Of the sessions of the user, as they are now: what is kept goes with them. */
  readonly generation: string;
}

/** Milliseconds before its end from which a token is not handed out any more: whoever gets it still has to use it. */
const EARLIER = 60_000;
const CIPHER = 'aes-256-gcm';

/**
 * Tokens that were exchanged for users, until shortly before they expire, for all processes of the installation. They are encrypted with a
 * key of the client that got them: who can read the coordination server cannot call in anybody's name. When all sessions of a user are ended
 * (they are switched off, get another password ...), so are these. Safe for concurrent use.
 */
export class KeptTokens {
  readonly #dependencies: KeptTokensDependencies;
  readonly #ownSecret = randomBytes(32).toString('hex');

  constructor(dependencies: KeptTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * @param expires milliseconds since 1970
   * @param generation as `find` told it before the token was asked for: one that was under way when the sessions were ended is not kept
   */
  async keep(place: TokenPlace, token: string, expires: number, generation: string): Promise<void> {
    const lifetime = expires - EARLIER - this.#dependencies.now();
    if (lifetime <= 0) return;
    const key = keyOf(place);
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, this.#cipherKey(place), iv).setAAD(Buffer.from(`${key} ${generation}`));
    const sealed = Buffer.concat([cipher.update(`${Math.floor(expires)} ${token}`, 'utf8'), cipher.final()]);
    await this.#dependencies.tokens.put(
      key,
      Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64'),
      lifetime,
    );
  }

  /** None too when it was sealed by a client whose secret has changed since. */
  async find(place: TokenPlace): Promise<FoundToken> {
    const key = keyOf(place);
    const { tokens, now } = this.#dependencies;
    const [stored, generation = ''] = await Promise.all([tokens.get(key), sessionGeneration(tokens, place.user)]);
    if (typeof stored !== 'string') return { token: undefined, generation };
    const opened = unsealed(Buffer.from(stored, 'base64'), this.#cipherKey(place), `${key} ${generation}`);
    const [, expires, token] = /^(\d+) (.+)$/s.exec(opened ?? '') ?? [];
    return { token: Number(expires) - EARLIER > now() ? token : undefined, generation };
  }

  /** All tokens of a user, after a logout. */
  async forget(user: string): Promise<void> {
    await this.#dependencies.tokens.removeWithPrefix(prefixOf(user));
  }

  #cipherKey({ secret }: TokenPlace): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', secret ?? this.#ownSecret, '', 'kept tokens', 32));
  }
}

/** Undefined when it was sealed otherwise, or was changed. */
function unsealed(bytes: Buffer, cipherKey: Uint8Array, place: string): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Names are encoded so that no name is the beginning of another's key. */
function prefixOf(user: string): string {
  return `exchanged-token:${encodeURIComponent(user)}:`;
}

function keyOf({ user, target, holder }: TokenPlace): string {
  return `${prefixOf(user)}${hash('sha256', JSON.stringify([target, ...holder]), 'hex')}`;
}
