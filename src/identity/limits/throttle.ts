import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { whileAvailable } from '../../coordination/while-available.ts';
import { type ErrorOptions, TooManyRequests, Unauthenticated, Unavailable } from '../../errors/errors.ts';
import type { ListenerName } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { networkOf } from '../networks.ts';

interface ThrottleDependencies {
  readonly counters: Coordination['counters'];
  readonly settings: Pick<
    Settings['auth']['internal'],
    'max_failures' | 'max_failures_per_user' | 'max_failures_per_address' | 'failure_ttl'
  >;
  /** Gets one `locked_out` when a user or an address reaches a limit. */
  readonly audit: AuditLog;
  /** The service of these logins. */
  readonly service: ListenerName;
}

/** A login that names a user. */
export interface LoginAttempt {
  readonly username: string;
  readonly address: string;
}

/** The counts of an attempt, for `failed`. Each attempt has its own. */
interface AttemptCounts {
  /** Failures of the user at the network of the attempt. */
  readonly atNetwork: number;
  /** Failures of the user at every network. */
  readonly everywhere: number;
}

/** A `key_shaped` password contains a colon: a mistyped API key must not lock the user out. */
export type AttemptKind = 'password' | 'key_shaped';

/** Longer user names do not exist, so all of them share their counts. */
const MAX_USERNAME = 256;

/**
 * Limits failed logins by user and network, by user, and by network (docs/decisions/0021). An attempt
 * is counted before its password is verified and taken back when it was right, so concurrent ones stay within the limits.
 * Every method throws Unavailable `passwords_unavailable` while coordination is gone: without counts, a password could
 * be guessed as fast as the network allows.
 */
export class LoginThrottle {
  readonly #dependencies: ThrottleDependencies;

  constructor(dependencies: ThrottleDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws TooManyRequests `too_many_failed_logins` after too many failures of the network */
  async checkAddress(address: string): Promise<void> {
    const { max_failures_per_address: most, failure_ttl: lifetime } = this.#dependencies.settings;
    if ((await this.#count(addressFailures(address))) < most) return;
    throw new TooManyRequests(
      'too_many_failed_logins',
      `Too many failed logins came from your address. Try again in ${lifetime} seconds.`,
      { retryAfter: lifetime },
    );
  }

  /** @throws Unauthenticated `locked_out` after too many failures at this network, or everywhere */
  async checkUser(attempt: LoginAttempt): Promise<void> {
    const full = await this.#reachedLimit('password', attempt);
    if (full !== undefined) throw this.#lockedOut(full);
  }

  /** Counts an attempt with a password. @throws Unauthenticated `locked_out` as `checkUser` */
  async begin(attempt: LoginAttempt): Promise<AttemptCounts> {
    const counts = await this.#tryBegin('password', attempt);
    if (typeof counts === 'number') throw this.#lockedOut(counts);
    return counts;
  }

  /** Takes back what `begin`, or `beginKeyShaped`, counted. */
  async succeeded(attempt: LoginAttempt, kind: AttemptKind = 'password'): Promise<void> {
    const keys = userFailures(kind, attempt);
    await Promise.all([this.#add(keys.atNetwork, { by: -1 }), this.#add(keys.everywhere, { by: -1 })]);
  }

  /** Counts a failure of the address. @param attempt undefined when it does not lead to a lock-out */
  async failed(
    address: string,
    attempt?: { readonly username: string; readonly counts: AttemptCounts },
  ): Promise<void> {
    const { audit, service, settings } = this.#dependencies;
    // Each count is returned once, so exactly one process reports that a limit is reached.
    const event = { event: 'locked_out', service } as const;
    if (attempt?.counts.atNetwork === settings.max_failures) audit.write({ ...event, user: attempt.username, address });
    if (attempt?.counts.everywhere === settings.max_failures_per_user)
      audit.write({ ...event, user: attempt.username });
    const failures = await this.#add(addressFailures(address), { renew: true });
    if (failures === settings.max_failures_per_address) audit.write({ ...event, address });
  }

  /** Counts a password in the form of an API key apart. Returns false when the user is locked out. */
  async beginKeyShaped(attempt: LoginAttempt): Promise<boolean> {
    if ((await this.#reachedLimit('password', attempt)) !== undefined) return false;
    return typeof (await this.#tryBegin('key_shaped', attempt)) !== 'number';
  }

  /** Returns the limit that is reached, or the counts of the attempt. */
  async #tryBegin(kind: AttemptKind, attempt: LoginAttempt): Promise<AttemptCounts | number> {
    const { max_failures, max_failures_per_user } = this.#dependencies.settings;
    const keys = userFailures(kind, attempt);
    // A refused attempt does not prolong the lock-out, and a network that is locked out does not count everywhere.
    const reached = await this.#reachedLimit(kind, attempt);
    if (reached !== undefined) return reached;
    const atNetwork = await this.#add(keys.atNetwork, { renew: true });
    if (atNetwork > max_failures) return max_failures;
    const everywhere = await this.#add(keys.everywhere, { renew: true });
    return everywhere > max_failures_per_user ? max_failures_per_user : { atNetwork, everywhere };
  }

  async #reachedLimit(kind: AttemptKind, attempt: LoginAttempt): Promise<number | undefined> {
    const { max_failures, max_failures_per_user } = this.#dependencies.settings;
    const keys = userFailures(kind, attempt);
    const [atNetwork, everywhere] = await Promise.all([this.#count(keys.atNetwork), this.#count(keys.everywhere)]);
    if (atNetwork >= max_failures) return max_failures;
    return everywhere >= max_failures_per_user ? max_failures_per_user : undefined;
  }

  #count(key: string): Promise<number> {
    return whileAvailable(this.#dependencies.counters.get(key), unavailable);
  }

  #add(key: string, how: { readonly by?: number; readonly renew?: boolean }): Promise<number> {
    const { counters, settings } = this.#dependencies;
    return whileAvailable(counters.increment(key, settings.failure_ttl * 1000, how), unavailable);
  }

  #lockedOut(limit: number): Unauthenticated {
    const { failure_ttl: lifetime } = this.#dependencies.settings;
    return new Unauthenticated(
      'locked_out',
      `Maximum password retry of ${limit} was reached. This account is locked for the next ${lifetime} seconds...`,
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

/** Beginnings of the keys of failures of users; the rest is `<network> <user>`, or `<user>` alone. */
export const USER_FAILURES: Readonly<Record<AttemptKind, string>> = {
  password: 'login-failures:password:',
  key_shaped: 'login-failures:key_shaped:',
};
/** Beginning of the keys of failures of networks. */
export const ADDRESS_FAILURES = 'login-failures:address:';

/** Returns the keys of the counts of a user, at the network of an attempt and everywhere. */
export function userFailures(kind: AttemptKind, { username, address }: LoginAttempt) {
  const user = username.slice(0, MAX_USERNAME + 1);
  return {
    atNetwork: `${USER_FAILURES[kind]}${networkOf(address)} ${user}`,
    everywhere: `${USER_FAILURES[kind]}${user}`,
  };
}

/** Returns the key of the count of a network. */
export function addressFailures(address: string): string {
  return ADDRESS_FAILURES + networkOf(address);
}
