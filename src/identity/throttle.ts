import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { type ErrorOptions, TooManyRequests, Unauthenticated, Unavailable } from '../errors/errors.ts';
import type { ServiceName } from './actor.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { networkOf } from './networks.ts';
import { whileAvailable } from './while-available.ts';

export interface ThrottleDependencies {
  readonly counters: Coordination['counters'];
  readonly settings: Pick<Settings['auth']['internal'], 'max_failures' | 'max_failures_per_address' | 'failure_ttl'>;
  /** Gets `locked_out`, once, when a user or an address has had too many. */
  readonly audit: AuditLog;
  /** Whose sign-ins these are. */
  readonly service: ServiceName;
}

/**
 * Counts failed logins per user and per address. A try is counted before its password is verified and taken back when it was
 * right, so that many tries at once do not slip through before the first is counted.
 * While coordination is gone nobody knows who is locked out, so every method throws Unavailable `passwords_unavailable`: a password can
 * be guessed, and without counting as fast as the network allows.
 */
export class LoginThrottle {
  readonly #dependencies: ThrottleDependencies;

  constructor(dependencies: ThrottleDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws TooManyRequests `too_many_failed_logins` when the address had too many failures. */
  async checkAddress(address: string): Promise<void> {
    const { max_failures_per_address: most, failure_ttl: lifetime } = this.#dependencies.settings;
    if ((await this.#count(addressKey(address))) < most) return;
    throw new TooManyRequests(
      'too_many_failed_logins',
      `Too many failed logins came from your address. Try again in ${lifetime} seconds.`,
      { retryAfter: lifetime },
    );
  }

  /**
   * Counts a try of a password.
   * @returns its number, for `failed`
   * @throws Unauthenticated `locked_out` when the user had too many failures.
   */
  async begin(username: string): Promise<number> {
    const number = await this.#tryBegin(userKey(username));
    if (number === undefined) throw this.#lockedOut();
    return number;
  }

  /** Takes back what `begin` counted. */
  async succeeded(username: string): Promise<void> {
    await this.#takeBack(userKey(username));
  }

  /** @param tried whose password was wrong, and the number that `begin` gave the try; undefined: it has no count that locks */
  async failed(address: string, tried?: { readonly username: string; readonly number: number }): Promise<void> {
    const { audit, service, settings } = this.#dependencies;
    // Every number is given once, so whichever process has the last one tells.
    if (tried?.number === settings.max_failures)
      audit.write({ event: 'locked_out', service, user: tried.username, address });
    const failures = await this.#add(addressKey(address), { renew: true });
    if (failures === settings.max_failures_per_address) audit.write({ event: 'locked_out', service, address });
  }

  /** @throws Unauthenticated `locked_out` */
  async checkUser(username: string): Promise<void> {
    if (await this.#isFull(userKey(username))) throw this.#lockedOut();
  }

  /**
   * For what looks like an API key and may be a password with a colon: a count of its own, because a mistyped key name must
   * not lock anybody out. False when no try is left.
   */
  async beginKeyShaped(username: string): Promise<boolean> {
    if (await this.#isFull(userKey(username))) return false;
    return (await this.#tryBegin(keyShapedKey(username))) !== undefined;
  }

  async keyShapedSucceeded(username: string): Promise<void> {
    await this.#takeBack(keyShapedKey(username));
  }

  get #lifetime(): number {
    return this.#dependencies.settings.failure_ttl * 1000;
  }

  async #isFull(key: string): Promise<boolean> {
    return (await this.#count(key)) >= this.#dependencies.settings.max_failures;
  }

  /** Number of the try; undefined when none is left. */
  async #tryBegin(key: string): Promise<number | undefined> {
    // A try that is refused does not prolong the lock.
    if (await this.#isFull(key)) return undefined;
    const number = await this.#add(key, { renew: true });
    return number <= this.#dependencies.settings.max_failures ? number : undefined;
  }

  async #takeBack(key: string): Promise<void> {
    await this.#add(key, { by: -1 });
  }

  #count(key: string): Promise<number> {
    return whileAvailable(this.#dependencies.counters.get(key), unavailable);
  }

  #add(key: string, how: { readonly by?: number; readonly renew?: boolean }): Promise<number> {
    return whileAvailable(this.#dependencies.counters.increment(key, this.#lifetime, how), unavailable);
  }

  #lockedOut(): Unauthenticated {
    const { max_failures: most, failure_ttl: lifetime } = this.#dependencies.settings;
    return new Unauthenticated(
      'locked_out',
      `Maximum password retry of ${most} was reached. This account is locked for the next ${lifetime} seconds...`,
      { retryAfter: lifetime },
    );
  }
}

function unavailable(options: ErrorOptions): Unavailable {
  return new Unavailable(
    'passwords_unavailable',
    'Passwords cannot be checked now, because failed logins cannot be counted: the coordination server does not answer. Log in with an API key, or try again later.',
    options,
  );
}

const userKey = (username: string) => `login-failures:user:${username}`;
const keyShapedKey = (username: string) => `login-failures:key-shaped:${username}`;
const addressKey = (address: string) => `login-failures:address:${networkOf(address)}`;
