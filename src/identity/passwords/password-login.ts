import { availableParallelism } from 'node:os';
import type { Settings } from '../../config/config-schema.ts';
import { Forbidden, Unavailable } from '../../errors/errors.ts';
import { PASSWORD_PRIVILEGES } from '../actor.ts';
import type { Caller } from '../authenticator.ts';
import { FairSemaphore } from '../limits/fair-semaphore.ts';
import type { LoginAttempt, LoginThrottle } from '../limits/throttle.ts';
import { invalidLogin } from '../login-refusals.ts';
import { networkOf } from '../networks.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import {
  type CredentialsOfKind,
  HASH_LIFETIME,
  type VerifiedCredentials,
  type VerifiedHash,
} from '../verified-credentials.ts';
import { PasswordVerifier } from './passwords.ts';

export interface PasswordLoginDependencies {
  readonly users: UserStore;
  readonly credentials: VerifiedCredentials;
  readonly throttle: LoginThrottle;
  readonly settings: Pick<Settings, 'auth'>;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** Limits the slow hashes of all services of the process to half of the processors. */
const HASHING = new FairSemaphore({
  slots: Math.max(1, Math.floor(availableParallelism() / 2)),
  maxWaiting: 1000,
  refusal: () =>
    new Unavailable(
      'too_many_logins',
      'More people sign in than this server can check passwords for. Try again in a moment.',
      { retryAfter: 5 },
    ),
});

/**
 * Computes a slow hash in the turn of its network. @throws Unavailable `too_many_logins`, as `check`
 * @param check rejects addresses with too many failures; called again after the wait, in which others may have failed
 */
export async function hashInTurn(
  address: string,
  check: () => Promise<void>,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  await check();
  return HASHING.run(networkOf(address), async () => {
    await check();
    return verify();
  });
}

/** Verifies passwords, in the order and with the answers that clients of the public system know. */
export class PasswordLogin {
  readonly #dependencies: PasswordLoginDependencies;
  readonly #passwords = new PasswordVerifier();
  readonly #verified: CredentialsOfKind<VerifiedHash>;
  /** Verifications in progress: the same password sent many times at once is hashed, and counted, once. */
  readonly #verifying = new Map<string, { readonly network: string; readonly right: Promise<boolean> }>();

  constructor(dependencies: PasswordLoginDependencies) {
    this.#dependencies = dependencies;
    const { credentials, now } = dependencies;
    this.#verified = credentials.ofKind('password', { lifetime: HASH_LIFETIME, now });
  }

  /**
   * Returns the user of a password. @throws Unauthenticated `invalid_login`, `locked_out`; Forbidden
   * `password_login_disabled`; TooManyRequests `too_many_failed_logins`; Unavailable `too_many_logins`, `passwords_unavailable`
   */
  async verify(username: string, password: string, address: string): Promise<Caller> {
    return this.verifyOf(username, await this.#dependencies.users.recent(username), password, address);
  }

  /** Verifies the password of a user that was read before, or does not exist. @throws as `verify` */
  async verifyOf(username: string, user: RecentUser | undefined, password: string, address: string): Promise<Caller> {
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
    return callerOf(user);
  }

  /**
   * Verifies a password with a colon, which looks like an unknown API key, within a count of its own;
   * also for unknown users, so that the time does not tell whether they exist. Returns undefined when it is wrong.
   * @throws TooManyRequests, Unavailable as `verify`
   */
  async verifyKeyShaped(
    username: string,
    user: RecentUser | undefined,
    password: string,
    address: string,
  ): Promise<Caller | undefined> {
    const { throttle } = this.#dependencies;
    const attempt = { username, address };
    const right = await this.#isRight(attempt, user, password, async () => {
      const isCounted = await throttle.beginKeyShaped(attempt);
      if (isCounted && (await this.#passwords.verify(password, user?.password))) {
        await throttle.succeeded(attempt, 'key_shaped');
        return true;
      }
      await throttle.failed(address);
      return false;
    });
    return right && user ? callerOf(user) : undefined;
  }

  /** Returns whether the password was verified against the present hash before, or `verify` succeeds. */
  #isRight(
    attempt: LoginAttempt,
    user: RecentUser | undefined,
    password: string,
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    const { throttle } = this.#dependencies;
    const { address } = attempt;
    const cacheKey = this.#verified.keyOf(password, attempt.username);
    return this.#once(`${cacheKey} ${user?.password}`, networkOf(address), async () => {
      if (user && this.#verified.get(cacheKey)?.hash === user.password) {
        await throttle.checkUser(attempt);
        return true;
      }
      const right = await hashInTurn(address, () => throttle.checkAddress(address), verify);
      if (right && user) this.#verified.set(cacheKey, { hash: user.password });
      return right;
    });
  }

  /**
   * Shares a verification in progress with equal ones of the same `key` (user, password, hash). Other
   * networks share its success alone: it may have been refused because of the failures of its network.
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
}

function callerOf(user: RecentUser): Caller {
  return { user, method: 'password', privileges: PASSWORD_PRIVILEGES };
}
