import type { Settings } from '../../config/config-schema.ts';
import { Forbidden, isUnavailable, type TriadError, Unauthenticated } from '../../errors/errors.ts';
import { PRIVILEGES } from '../actor.ts';
import type { Caller } from '../authenticator.ts';
import { invalidLogin, noImpersonatedUser, rejectDisabledKeys, unknownKey } from '../login-refusals.ts';
import { hashInTurn, type PasswordLogin, type PasswordLoginDependencies } from '../passwords/password-login.ts';
import { rejectPasswordAlone } from '../passwords/required-factors.ts';
import type { RecentUser } from '../user-store.ts';
import { type CredentialsOfKind, HASH_LIFETIME, type VerifiedHash } from '../verified-credentials.ts';
import { type ApiKeyRecord, ownKey, type SplitKey, splitKey, verifyApiKeySecret } from './api-key-records.ts';
import type { NoteKeyUse } from './key-uses.ts';

export interface KeyLoginDependencies extends PasswordLoginDependencies {
  readonly passwords: PasswordLogin;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
  readonly noteUse: NoteKeyUse;
}

/** Verifies API keys, in the order and with the answers that clients of the public system know. */
export class KeyLogin {
  readonly #dependencies: KeyLoginDependencies;
  readonly #verified: CredentialsOfKind<VerifiedHash>;

  constructor(dependencies: KeyLoginDependencies) {
    this.#dependencies = dependencies;
    const { credentials, now } = dependencies;
    this.#verified = credentials.ofKind('api_key', { lifetime: HASH_LIFETIME, now });
  }

  /** Verifies `Basic`, without a one-time password. @param rest a password, or `<key name>:<secret>` */
  async verifyBasic(username: string, rest: string, address: string): Promise<Caller> {
    const { users, passwords, settings } = this.#dependencies;
    const user = await users.recent(username);
    const caller =
      (await this.#verifyOwn(username, user, rest, address)) ??
      (await passwords.verifyOf(username, user, rest, address));
    if (caller.method === 'password') rejectPasswordAlone(caller.user, settings.analysis.auth);
    return caller;
  }

  /** Verifies a login with `<key name>:<secret>`. The refusal says what is wrong with the key. */
  async verify(username: string, apikey: string, address: string): Promise<Caller> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split && ownKey(user, split.name);
    const refusal = user && split && (key ? this.#unusable(key) : unknownKey());
    if (user && split && key && !refusal && (await this.#isRight(user, split, key, address))) {
      return callerOfKey(user, split.name, key);
    }
    const isWrongSecret = key !== undefined && refusal === undefined;
    await this.#countWrongKey(isWrongSecret ? username : undefined, address);
    throw refusal ?? invalidLogin();
  }

  /**
   * Verifies an API key. The refusal is the same for every reason: unknown user or name, wrong secret,
   * expired, for impersonation only.
   * @param counts `of_user`: refuses users who are locked out, and counts towards that; `of_address`: the address alone counts,
   *   because wrong keys in every request of a program must not lock its owner out.
   * @throws Unauthenticated `invalid_login`, `locked_out`; Forbidden `api_keys_disabled`; TooManyRequests `too_many_failed_logins`
   */
  async verifyUsable(
    username: string,
    apikey: string,
    address: string,
    counts: 'of_user' | 'of_address',
  ): Promise<{ readonly user: RecentUser; readonly name: string; readonly key: ApiKeyRecord }> {
    const { settings, throttle } = this.#dependencies;
    rejectDisabledKeys(settings.auth);
    if (counts === 'of_user') await whereCounted(() => throttle.checkUser({ username, address }));
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split && ownKey(user, split.name);
    const usable = key !== undefined && !key.acl.includes('I') && !this.#isExpired(key);
    if (user && split && usable && (await this.#isRight(user, split, key, address)))
      return { user, name: split.name, key };
    await this.#countWrongKey(counts === 'of_user' ? username : undefined, address);
    throw invalidLogin();
  }

  /** @param caller the user who wants to act as the owner: has to be an agent of the key */
  async verifyImpersonation(username: string, apikey: string, caller: string, address: string): Promise<Caller> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split && ownKey(user, split.name);
    const isKnown = user !== undefined && split !== undefined && key !== undefined && !this.#isExpired(key);
    const isForCaller = isKnown && key.acl.includes('I') && (key.agents ?? []).includes(caller);
    if (isForCaller && (await this.#isRight(user, split, key, address))) {
      return { ...callerOfKey(user, split.name, key), impersonator: caller, event: 'impersonated' };
    }
    await this.#countWrongKey(undefined, address);
    if (!isKnown || isForCaller) throw noImpersonatedUser();
    throw new Forbidden('not_an_impersonation_key', 'Not a valid impersonation api key');
  }

  /** Returns the key of this name, if the user still has it and it has not expired. */
  livingKey(user: RecentUser, name: string): ApiKeyRecord | undefined {
    const key = ownKey(user, name);
    if (key === undefined || !this.#dependencies.settings.auth.allow_apikeys) return undefined;
    return this.#isExpired(key) ? undefined : key;
  }

  /** Returns the holder of a session that the key opened; undefined when the key is not valid any more. */
  bySession(user: RecentUser, name: string): Caller | undefined {
    const key = this.livingKey(user, name);
    if (key === undefined || key.acl.includes('I')) return undefined;
    return { ...callerOfKey(user, name, key), method: 'session' };
  }

  /** Returns undefined when it may still be a password. */
  async #verifyOwn(
    username: string,
    user: RecentUser | undefined,
    rest: string,
    address: string,
  ): Promise<Caller | undefined> {
    const { settings, passwords } = this.#dependencies;
    const split = splitKey(rest);
    if (!split) return undefined;
    const key = user && ownKey(user, split.name);
    if (!settings.auth.allow_apikeys) {
      if (key) rejectDisabledKeys(settings.auth);
      return undefined;
    }
    if (user && key) {
      const refusal = this.#unusable(key);
      if (refusal === undefined) {
        return (await this.#isRight(user, split, key, address)) ? callerOfKey(user, split.name, key) : undefined;
      }
      await this.#countWrongKey(undefined, address);
      throw refusal;
    }
    if (settings.auth.internal.enabled) {
      const caller = await passwords.verifyKeyShaped(username, user, rest, address);
      if (caller) return caller;
    } else {
      await this.#countWrongKey(undefined, address);
    }
    // In the words of the public system, which tell users of a mistyped name of a key what is wrong.
    throw user ? unknownKey() : invalidLogin();
  }

  /**
   * Returns whether the secret is right. The hashes of keys that a public system made take as long as
   * those of passwords, so they are computed in turns, and for no address that had too many failures.
   * @throws TooManyRequests `too_many_failed_logins`, Unavailable `too_many_logins`: only where the hash is slow
   */
  async #isRight(user: RecentUser, { name, secret }: SplitKey, key: ApiKeyRecord, address: string): Promise<boolean> {
    const verified = this.#verified;
    const cacheKey = verified.keyOf(`${name}:${secret}`, user.uname);
    // Against the hash that the user has now.
    const isKnown = () => verified.get(cacheKey)?.hash === key.password;
    if (isKnown()) return this.#noted(user, name);
    const verify = async () => {
      // A program sends many requests at once: the first result serves those that wait.
      if (isKnown()) return true;
      if (!(await verifyApiKeySecret(secret, key.password))) return false;
      verified.set(cacheKey, { hash: key.password });
      return this.#noted(user, name);
    };
    if (!key.password.startsWith('$2')) return verify();
    const { throttle } = this.#dependencies;
    return hashInTurn(address, () => whereCounted(() => throttle.checkAddress(address)), verify);
  }

  #noted(user: RecentUser, name: string): true {
    this.#dependencies.noteUse(user, name);
    return true;
  }

  /** Counts a refused key (`username`'s lock-out or address): `too_many_failed_logins`, `locked_out`. */
  #countWrongKey(username: string | undefined, address: string): Promise<void> {
    const { throttle } = this.#dependencies;
    return whereCounted(async () => {
      await throttle.checkAddress(address);
      const attempt =
        username === undefined ? undefined : { username, counts: await throttle.begin({ username, address }) };
      await throttle.failed(address, attempt);
    });
  }

  /** Returns why a key is refused with any secret; undefined when it is usable. */
  #unusable(key: ApiKeyRecord): TriadError | undefined {
    if (this.#isExpired(key)) return new Unauthenticated('expired_api_key', 'Key is expired');
    if (!key.acl.includes('I')) return undefined;
    return new Forbidden(
      'impersonation_key_misused',
      'Cannot use impersonation key in normal Authorization Header! Provide your credentials and supply it in the X-Impersonating header instead.',
    );
  }

  #isExpired(key: ApiKeyRecord): boolean {
    if (key.expiry_date === undefined || key.expiry_date === null) return false;
    return !(Date.parse(key.expiry_date) > this.#dependencies.now());
  }
}

/** Counts failures, if possible: keys cannot be guessed, so they do not depend on counts. */
async function whereCounted(count: () => Promise<void>): Promise<void> {
  try {
    await count();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** Returns the owner of a verified key, with its privileges. */
export function callerOfKey(user: RecentUser, keyName: string, key: ApiKeyRecord): Caller {
  return { user, method: 'api_key', privileges: PRIVILEGES.filter((one) => key.acl.includes(one)), keyName };
}
