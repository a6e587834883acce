import { randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { hash as bcryptHash, verify as bcryptVerify } from '@node-rs/bcrypt';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** Stored where a user has no password; no password verifies against it. */
export const NO_PASSWORD = '__NO_PASSWORD__';

/** Longer passwords are refused before they are hashed. */
const MAX_PASSWORD_LENGTH = 1024;

/** Hashes with argon2id and the parameters of OWASP (19 MiB, 2 passes, 1 lane): about 20 ms. */
export function hashPassword(password: string): Promise<string> {
  return argon2Hash(password, { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/** The package declares an ambient enum, which is not there at run time without a bundler. */
const ARGON2ID = 2;

/** @throws InvalidInput `weak_password` with what is asked for, in the words that clients know. */
export function checkPassword(
  password: string,
  requirements: Settings['auth']['internal']['password_requirements'],
): void {
  const { lower, upper, number, special, min_length } = requirements;
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw new InvalidInput('weak_password', `Password must not be longer than ${MAX_PASSWORD_LENGTH} characters`);
  }
  const fits =
    [...password].length >= min_length &&
    (!lower || /\p{Ll}/u.test(password)) &&
    (!upper || /\p{Lu}/u.test(password)) &&
    (!number || /\d/.test(password)) &&
    (!special || /[^\p{L}\p{N}\s]/u.test(password));
  if (fits) return;
  const kinds = [
    lower ? 'lowercase letters' : '',
    upper ? 'uppercase letters' : '',
    number ? 'numbers' : '',
    special ? 'special characters' : '',
  ].filter((kind) => kind !== '');
  const wanted = kinds.length === 0 ? '' : ` with the following characteristics: ${kinds.join(', ')}`;
  throw new InvalidInput('weak_password', `Password needs to be at least ${min_length} characters${wanted}`);
}

type HashKind = 'argon2id' | 'bcrypt';

function kindOf(hash: string): HashKind | undefined {
  if (hash.startsWith('$argon2id$')) return 'argon2id';
  return /^\$2[abxy]\$/.test(hash) ? 'bcrypt' : undefined;
}

/**
 * Verifies passwords in the same time where there is nothing to verify, so that the time of an answer
 * does not tell whether a user exists. Stored bcrypt hashes stay as they are: the public system reads them.
 */
export class PasswordVerifier {
  /** The kind of the hashes of this installation, which decoys have, too. */
  #kind: HashKind = 'argon2id';
  #cost = 12;
  readonly #decoys = new Map<string, Promise<string>>();

  /** @param hash of the user; undefined when there is no such user. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    if (password === '' || password.length > MAX_PASSWORD_LENGTH) return false;
    const kind = hash === undefined ? undefined : kindOf(hash);
    if (hash === undefined || kind === undefined) {
      await this.#compare(password, await this.#decoy(), this.#kind);
      return false;
    }
    this.#kind = kind;
    if (kind === 'bcrypt') this.#cost = Number(hash.split('$')[2]) || this.#cost;
    return this.#compare(password, hash, kind);
  }

  async #compare(password: string, hash: string, kind: HashKind): Promise<boolean> {
    try {
      return await (kind === 'bcrypt' ? bcryptVerify(password, hash) : argon2Verify(hash, password));
    } catch {
      // A damaged hash verifies nothing.
      return false;
    }
  }

  #decoy(): Promise<string> {
    const name = this.#kind === 'bcrypt' ? `bcrypt ${this.#cost}` : 'argon2id';
    const known = this.#decoys.get(name);
    if (known) return known;
    const secret = randomBytes(32).toString('hex');
    const made = this.#kind === 'bcrypt' ? bcryptHash(secret, { cost: this.#cost }) : hashPassword(secret);
    this.#decoys.set(name, made);
    return made;
  }
}
