import { availableParallelism } from 'node:os';
import type { Settings } from '../config/config-schema.ts';
import { Forbidden, isUnavailable, type TriadError, Unauthenticated } from '../errors/errors.ts';
import { PASSWORD_PRIVILEGES, PRIVILEGES } from './actor.ts';
import type { Caller } from './authenticator.ts';
import { type ApiKeyRecord, ownKey, splitKey } from './keys/api-key-records.ts';
import { ApiKeyVerifier } from './keys/api-key-verifier.ts';
import { FairSemaphore } from './limits/fair-semaphore.ts';
import type { LoginAttempt, LoginThrottle } from './limits/throttle.ts';
import { invalidLogin, noImpersonatedUser, rejectDisabledKeys, unknownKey } from './login-refusals.ts';
import { networkOf } from './networks.ts';
import { PasswordVerifier } from './passwords/passwords.ts';
import { rejectPasswordAlone } from './passwords/second-factor.ts';
import type { RecentUser, UserStore } from './user-store.ts';
import {
  type CredentialsOfKind,
  HASH_LIFETIME,
  type VerifiedCredentials,
  type VerifiedHash,
} from './verified-credentials.ts';

export interface BasicLoginDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  readonly throttle: LoginThrottle;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
  readonly now: () => number;
}

/** An API key that was verified. */
export interface VerifiedKey {
  readonly user: RecentUser;
  readonly name: string;
  readonly key: ApiKeyRecord;
}

/**
 * Hashing takes a processor for a while. Half of them are left for everything else, whichever services of the process are asked to check
 * passwords.
 */
const PASSWORD_TURNS = new FairSemaphore({
  places: Math.max(1, Math.floor(availableParallelism() / 2)),
  maxWaiting: 1000,
});

/** Verifies passwords and API keys, in the order and with the answers that clients of the public system know. */
export class BasicLogin {
  readonly #dependencies: BasicLoginDependencies;
  readonly #passwords = new PasswordVerifier();
  readonly #verified: CredentialsOfKind<VerifiedHash>;
  readonly #keys: ApiKeyVerifier;
  /** Verifications under way: the same password sent many times at once is hashed, and counted, once. */
  readonly #verifying = new Map<string, { readonly network: string; readonly right: Promise<boolean> }>();

  constructor(dependencies: BasicLoginDependencies) {
    this.#dependencies = dependencies;
    const { credentials, throttle, now } = dependencies;
    this.#verified = credentials.ofKind('password', { lifetime: HASH_LIFETIME, now });
    this.#keys = new ApiKeyVerifier({ credentials, throttle, turns: PASSWORD_TURNS, now });
  }

  /**
   * Verifies the credential of `Basic`, where a one-time password has no place.
   * @param rest a password, or `<key name>:<secret>` of an API key
   */
  async verify(username: string, rest: string, address: string): Promise<Caller> {
    const user = await this.#dependencies.users.recent(username);
    const caller =
      (await this.#verifyOwnKey(username, user, rest, address)) ??
      (await this.#verifyPasswordOf(username, user, rest, address));
    if (caller.method === 'password') rejectPasswordAlone(caller.user, this.#dependencies.settings.analysis.auth);
    return caller;
  }

  /** A login that says that it brings a password. */
  async verifyPassword(username: string, password: string, address: string): Promise<Caller> {
    return this.#verifyPasswordOf(username, await this.#dependencies.users.recent(username), password, address);
  }

  /** A login that says that it brings an API key. */
  async verifyKey(username: string, apikey: string, address: string): Promise<Caller> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split && ownKey(user, split.name);
    const refusal = user && split && (key ? this.#unusable(key) : unknownKey());
    if (user && split && key && !refusal && (await this.#keys.verify(user, split, key, address))) {
      return keyCaller(user, split.name, key);
    }
    const isWrongSecret = key !== undefined && refusal === undefined;
    await this.#countWrongKey(isWrongSecret ? username : undefined, address);
    throw refusal ?? invalidLogin();
  }

  /**
   * As `verifyKey`, for callers who are told the same whatever is wrong with the key: unknown user or name, wrong secret, expired,
   * for impersonation only.
   * @param counts `of_user`: refuses users who are locked out, and counts towards that; `of_address`: the address alone counts, because
   *   wrong keys in every request of a program must not lock its owner out.
   * @throws Unauthenticated `invalid_login`, `locked_out`; Forbidden `api_keys_disabled`; TooManyRequests `too_many_failed_logins`
   */
  async verifyUsableKey(
    username: string,
    apikey: string,
    address: string,
    counts: 'of_user' | 'of_address',
  ): Promise<VerifiedKey> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    if (counts === 'of_user') await this.#rejectLockedOut({ username, address });
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split ? ownKey(user, split.name) : undefined;
    const usable = key !== undefined && !key.acl.includes('I') && !this.#isExpired(key);
    if (user && split && usable && (await this.#keys.verify(user, split, key, address)))
      return { user, name: split.name, key };
    await this.#countWrongKey(counts === 'of_user' ? username : undefined, address);
    throw invalidLogin();
  }

  /** Without coordination no user is locked out: as for wrong keys. */
  async #rejectLockedOut(attempt: LoginAttempt): Promise<void> {
    try {
      await this.#dependencies.throttle.checkUser(attempt);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /**
   * Counts a refused key, so that names of users and keys cannot be tried without limit. Nobody guesses a key itself, so the answer
   * does not depend on whether it can be counted.
   * @param username whose lock-out it counts towards; undefined: the address alone counts
   * @throws TooManyRequests `too_many_failed_logins`; Unauthenticated `locked_out`
   */
  async #countWrongKey(username: string | undefined, address: string): Promise<void> {
    const { throttle } = this.#dependencies;
    try {
      await throttle.checkAddress(address);
      const attempt =
        username === undefined ? undefined : { username, counts: await throttle.begin({ username, address }) };
      await throttle.failed(address, attempt);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  /** @param caller who wants to act as the user: has to be an agent of the key. */
  async verifyImpersonation(username: string, apikey: string, caller: string, address: string): Promise<Caller> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    const user = await this.#dependencies.users.recent(username);
    const split = splitKey(apikey);
    const key = user && split ? ownKey(user, split.name) : undefined;
    const isKnown = user !== undefined && split !== undefined && key !== undefined && !this.#isExpired(key);
    const isForCaller = isKnown && key.acl.includes('I') && (key.agents ?? []).includes(caller);
    if (isForCaller && (await this.#keys.verify(user, split, key, address))) {
      return { ...keyCaller(user, split.name, key), impersonator: caller, event: 'impersonated' };
    }
    await this.#countWrongKey(undefined, address);
    if (!isKnown || isForCaller) throw noImpersonatedUser();
    throw new Forbidden('not_an_impersonation_key', 'Not a valid impersonation api key');
  }

  /** The key of this name, if the user still has it and it has not expired. */
  livingKey(user: RecentUser, name: string): ApiKeyRecord | undefined {
    const key = ownKey(user, name);
    return key !== undefined && this.#dependencies.settings.auth.allow_apikeys && !this.#isExpired(key)
      ? key
      : undefined;
  }

  /** Undefined when it may still be a password. */
  async #verifyOwnKey(
    username: string,
    user: RecentUser | undefined,
    rest: string,
    address: string,
  ): Promise<Caller | undefined> {
    const split = splitKey(rest);
    if (!split) return undefined;
    const key = user && ownKey(user, split.name);
    if (!this.#dependencies.settings.auth.allow_apikeys) {
      if (key) rejectDisabledKeys(this.#dependencies.settings.auth);
      return undefined;
    }
    if (!user || !key) return this.#verifyKeyShapedPassword(username, user, rest, address);
    const refusal = this.#unusable(key);
    if (refusal !== undefined) {
      await this.#countWrongKey(undefined, address);
      throw refusal;
    }
    return (await this.#keys.verify(user, split, key, address)) ? keyCaller(user, split.name, key) : undefined;
  }

  /**
   * A password may have a colon, which makes it look like an API key that does not exist. It is tried too, within a count of its own; for
   * users who do not exist as well, so that the time does not tell whether they do.
   */
  async #verifyKeyShapedPassword(
    username: string,
    user: RecentUser | undefined,
    rest: string,
    address: string,
  ): Promise<Caller> {
    const { settings, throttle } = this.#dependencies;
    // In the words of the public system, which tell users of a mistyped name of a key what is wrong.
    const refusal = () => (user ? unknownKey() : invalidLogin());
    if (!settings.auth.internal.enabled) {
      await this.#countWrongKey(undefined, address);
      throw refusal();
    }
    const attempt = { username, address };
    const right = await this.#isRight(attempt, user, rest, async () => {
      const isCounted = await throttle.beginKeyShaped(attempt);
      if (isCounted && (await this.#passwords.verify(rest, user?.password))) {
        await throttle.keyShapedSucceeded(attempt);
        return true;
      }
      await throttle.failed(address);
      return false;
    });
    if (!right || !user) throw refusal();
    return passwordCaller(user);
  }

  async #verifyPasswordOf(
    username: string,
    user: RecentUser | undefined,
    password: string,
    address: string,
  ): Promise<Caller> {
    const { settings, throttle } = this.#dependencies;
    if (!settings.auth.internal.enabled) {
      throw new Forbidden('password_login_disabled', 'Username/Password authentication disabled');
    }
    const attempt = { username, address };
    const right = await this.#isRight(attempt, user, password, async () => {
      const counts = await throttle.begin(attempt);
      if (!(await this.#passwords.verify(password, user?.password))) {
        await throttle.failed(address, { username, counts });
        return false;
      }
      await throttle.succeeded(attempt);
      return true;
    });
    if (!right || !user) throw invalidLogin();
    return passwordCaller(user);
  }

  /** Whether the password is right: verified before against the hash that the user has now, or by `verify` in turn. */
  async #isRight(
    attempt: LoginAttempt,
    user: RecentUser | undefined,
    password: string,
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    const cacheKey = this.#verified.keyOf(password, attempt.username);
    return this.#once(`${cacheKey} ${user?.password}`, networkOf(attempt.address), async () => {
      // Verified before against the hash that the user has now.
      if (user && this.#verified.get(cacheKey)?.hash === user.password) {
        await this.#dependencies.throttle.checkUser(attempt);
        return true;
      }
      const right = await this.#inTurn(attempt.address, verify);
      if (right && user) this.#verified.set(cacheKey, { hash: user.password });
      return right;
    });
  }

  /** @throws TooManyRequests `too_many_failed_logins`; Unavailable `too_many_logins`, `passwords_unavailable` */
  async #inTurn(address: string, verify: () => Promise<boolean>): Promise<boolean> {
    const { throttle } = this.#dependencies;
    await throttle.checkAddress(address);
    return PASSWORD_TURNS.take(networkOf(address), async () => {
      // While it waited others from there have failed.
      await throttle.checkAddress(address);
      return verify();
    });
  }

  /**
   * Shares a verification that is under way. Other networks share its success alone: it may have been refused because of the
   * failures of its network.
   * @param key of user, password and the hash that it is verified against, which may have changed since
   */
  async #once(key: string, network: string, verify: () => Promise<boolean>): Promise<boolean> {
    for (let underWay = this.#verifying.get(key); underWay !== undefined; underWay = this.#verifying.get(key)) {
      if (underWay.network === network) return underWay.right;
      if (await underWay.right.catch(() => false)) return true;
    }
    const right = verify().finally(() => this.#verifying.delete(key));
    this.#verifying.set(key, { network, right });
    return right;
  }

  /** Why a key of this name does not let its owner in, whatever its secret; undefined when it may. */
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

function keyCaller(user: RecentUser, keyName: string, key: ApiKeyRecord): Caller {
  return { user, method: 'api_key', privileges: PRIVILEGES.filter((one) => key.acl.includes(one)), keyName };
}

function passwordCaller(user: RecentUser): Caller {
  return { user, method: 'password', privileges: PASSWORD_PRIVILEGES };
}
