import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import { isUnavailable, Unavailable } from '../../errors/errors.ts';
import { seal, sealingKey, unseal } from '../sealed-text.ts';

/** A key that signs tokens of the installation. */
export interface InstallationKey {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly made: number;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A public key as published (RFC 7517). */
export interface PublishedKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

export interface InstallationKeysDependencies {
  readonly coordination: Pick<Coordination, 'tokens' | 'locks'>;
  /** Returns the secret of the installation: with another one, the stored keys are void. */
  readonly secret: () => Promise<string>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The stored form, for all processes. */
interface StoredKeys {
  readonly id: string;
  readonly keys: readonly { readonly id: string; readonly made: number; readonly sealed: string }[];
}

/** The keys of the installation as read, the newest first. */
export interface KnownKeys {
  /** Claim `iss` of its tokens. */
  readonly issuer: string;
  readonly keys: readonly InstallationKey[];
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

const STORED = 'installation-keys';
const LOCK = 'installation-keys';
const PURPOSE = 'installation keys';
/** Ten years, as the secret of the installation. */
const LIFETIME = 10 * 365 * 24 * 3_600_000;
const LEASE = 10_000;
const WAIT = 5_000;
/** Milliseconds after which a key is replaced. Its predecessor is valid until the next replacement. */
const ROTATION = 7 * 24 * 3_600_000;
const MAX_KEYS = 2;
/** Milliseconds after which the stored keys are read again. */
const REREAD = 60_000;
/** Milliseconds between readings for the sake of unknown keys, which anyone can name. */
const UNKNOWN_PAUSE = 1_000;

/**
 * Keeps the keys that sign the tokens of this installation: made at the first use, shared by all
 * processes through coordination, encrypted with the secret of the installation, and replaced weekly. Safe for concurrent use.
 */
export class InstallationKeys {
  readonly #dependencies: InstallationKeysDependencies;
  readonly #now: () => number;
  #known: KnownKeys | undefined;
  #reading: Promise<KnownKeys> | undefined;

  constructor(dependencies: InstallationKeysDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns issuer and keys. The first key signs. @throws Unavailable `installation_keys_unavailable` */
  async all(): Promise<KnownKeys> {
    const known = this.#known;
    if (known && this.#now() - known.readAt < REREAD && !this.#isOld(known.keys[0])) return known;
    try {
      return await this.#read();
    } catch (error) {
      // Keys that were read once stay valid while the coordination server is away.
      if (known && isUnavailable(error)) return known;
      throw error;
    }
  }

  /** Returns the key of that identifier, which another process may have made just now. */
  async find(id: string): Promise<{ readonly issuer: string; readonly key: InstallationKey } | undefined> {
    let { issuer, keys, readAt } = await this.all();
    if (!keys.some((key) => key.id === id) && this.#now() - readAt >= UNKNOWN_PAUSE) {
      ({ issuer, keys } = await this.#read());
    }
    const key = keys.find((one) => one.id === id);
    return key && { issuer, key };
  }

  /** Returns the public halves, for those who verify tokens of this installation. */
  async published(): Promise<readonly PublishedKey[]> {
    const { keys } = await this.all();
    return keys.map(({ id, publicKey }) => {
      const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
      return { kty, crv, x, y, kid: id, alg: 'ES256', use: 'sig' };
    });
  }

  #read(): Promise<KnownKeys> {
    this.#reading ??= this.#readOrMake()
      .then((known) => {
        this.#known = known;
        return known;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readOrMake(): Promise<KnownKeys> {
    const { coordination, secret } = this.#dependencies;
    const key = sealingKey(await secret(), PURPOSE);
    const found = this.#opened(await coordination.tokens.get(STORED), key);
    if (found && !this.#isOld(found.keys[0])) return found;
    const lock = await coordination.locks.acquire(LOCK, LEASE, { wait: WAIT });
    if (lock === undefined) {
      throw new Unavailable(
        'installation_keys_unavailable',
        'The keys of this installation are being made by another process and were not ready in time. Try again.',
      );
    }
    try {
      const stored = await coordination.tokens.get(STORED);
      const present = this.#opened(stored, key);
      if (present && !this.#isOld(present.keys[0])) return present;
      const id = isStored(stored) ? stored.id : randomBytes(12).toString('base64url');
      const kept = present && isStored(stored) ? stored.keys.slice(0, MAX_KEYS - 1) : [];
      const next: StoredKeys = { id, keys: [this.#made(id, key), ...kept] };
      await coordination.tokens.put(STORED, next, LIFETIME);
      const made = this.#opened(next, key);
      if (made === undefined) throw new Error('the new key of the installation cannot be read');
      return made;
    } finally {
      await lock.release();
    }
  }

  #made(issuer: string, key: Uint8Array): StoredKeys['keys'][number] {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(12).toString('base64url');
    const made = this.#now();
    const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    return { id, made, sealed: seal(text, key, placeOf(issuer, { id, made })) };
  }

  /** Returns the keys that the secret opens; undefined when it opens none. */
  #opened(stored: unknown, key: Uint8Array): KnownKeys | undefined {
    if (!isStored(stored)) return undefined;
    const keys = stored.keys.flatMap(({ id, made, sealed }): readonly InstallationKey[] => {
      const text = unseal(sealed, key, placeOf(stored.id, { id, made }));
      if (text === undefined) return [];
      const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
      return [{ id, made, privateKey, publicKey: createPublicKey(privateKey) }];
    });
    if (keys.length === 0) return undefined;
    return { issuer: `urn:triad:${stored.id}`, keys, readAt: this.#now() };
  }

  #isOld(key: Pick<InstallationKey, 'made'> | undefined): boolean {
    return key === undefined || this.#now() - key.made >= ROTATION;
  }
}

function placeOf(issuer: string, { id, made }: Pick<InstallationKey, 'id' | 'made'>): string {
  return JSON.stringify([issuer, id, made]);
}

function isStored(value: unknown): value is StoredKeys {
  if (typeof value !== 'object' || value === null) return false;
  const { id, keys } = value as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && Array.isArray(keys);
}
