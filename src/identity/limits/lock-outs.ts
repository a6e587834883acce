import { isIP } from 'node:net';
import type { Settings } from '../../config/config-schema.ts';
import type { Counters } from '../../coordination/coordination.ts';
import { ADDRESS_FAILURES, type AttemptKind, addressFailures, USER_FAILURES, userFailures } from './throttle.ts';

/** Failed logins that count towards a lock-out, or have led to one. */
export interface LockOut {
  /** Undefined: of an address, whichever users it named. */
  readonly user: string | undefined;
  /** Network that attempts came from; undefined: of a user, from all networks. */
  readonly network: string | undefined;
  /** `key_shaped`: passwords that look like API keys, which are counted apart. */
  readonly kind: AttemptKind | 'address';
  readonly failures: number;
  readonly limit: number;
  readonly isLocked: boolean;
  /** Milliseconds since 1970 at which the failures are forgotten, unless there are others before. */
  readonly endsAt: number;
}

export interface LockOutsDependencies {
  readonly counters: Pick<Counters, 'scan' | 'remove'>;
  readonly settings: Pick<
    Settings['auth']['internal'],
    'max_failures' | 'max_failures_per_user' | 'max_failures_per_address'
  >;
}

/** Attackers choose names and addresses, so there may be any number of counts. */
const MAX_LISTED = 500;

/** Shows and lifts what `LoginThrottle` counts. */
export class LockOuts {
  readonly #dependencies: LockOutsDependencies;

  constructor(dependencies: LockOutsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns at most 500 counts: those that are locked out first, then those with most failures. */
  async list(): Promise<{ readonly items: readonly LockOut[]; readonly total: number }> {
    let total = 0;
    let items: LockOut[] = [];
    for (const prefix of [USER_FAILURES.password, USER_FAILURES.key_shaped, ADDRESS_FAILURES]) {
      for await (const batch of this.#dependencies.counters.scan(prefix)) {
        const found = batch.flatMap(({ key, count, expiresAt }) =>
          count > 0 ? [this.#read(key, count, expiresAt)] : [],
        );
        total += found.length;
        items = [...items, ...found].sort(bySeverity).slice(0, MAX_LISTED);
      }
    }
    return { items, total };
  }

  /**
   * Forgets the failures of a user at a network, of a user everywhere, or of a network.
   * @returns the number of counts that were forgotten
   */
  async lift({ user, address }: { readonly user?: string | undefined; readonly address?: string | undefined }) {
    const { counters } = this.#dependencies;
    const keys = new Set<string>();
    if (user === undefined) {
      if (address !== undefined) keys.add(addressFailures(address));
    } else {
      for (const kind of ['password', 'key_shaped'] as const) {
        if (address !== undefined) keys.add(userFailures(kind, { username: user, address }).atNetwork);
        else for (const key of await this.#keysOf(kind, user)) keys.add(key);
      }
    }
    let lifted = 0;
    for (const key of keys) if (await counters.remove(key)) lifted += 1;
    return lifted;
  }

  async #keysOf(kind: AttemptKind, username: string): Promise<readonly string[]> {
    const keys = [userFailures(kind, { username, address: '' }).everywhere];
    for await (const batch of this.#dependencies.counters.scan(USER_FAILURES[kind])) {
      for (const { key } of batch) {
        const { user, network } = subjectOf(key.slice(USER_FAILURES[kind].length));
        if (user === username && network !== undefined) keys.push(key);
      }
    }
    return keys;
  }

  #read(key: string, failures: number, endsAt: number): LockOut {
    const { max_failures, max_failures_per_user, max_failures_per_address } = this.#dependencies.settings;
    const limited = (about: Pick<LockOut, 'user' | 'network' | 'kind'>, limit: number): LockOut => {
      return { ...about, failures, limit, isLocked: failures >= limit, endsAt };
    };
    if (key.startsWith(ADDRESS_FAILURES)) {
      const network = key.slice(ADDRESS_FAILURES.length);
      return limited({ user: undefined, network, kind: 'address' }, max_failures_per_address);
    }
    const kind = key.startsWith(USER_FAILURES.password) ? 'password' : 'key_shaped';
    const { user, network } = subjectOf(key.slice(USER_FAILURES[kind].length));
    return limited({ user, network, kind }, network === undefined ? max_failures_per_user : max_failures);
  }
}

/** Splits the rest of a key, `<network> <user>` or `<user>`. User names may have blanks, too. */
function subjectOf(rest: string): { readonly user: string; readonly network: string | undefined } {
  const blank = rest.indexOf(' ');
  const network = rest.slice(0, Math.max(0, blank));
  // The network of an IPv6 address is its first half.
  const isNetwork = isIP(network) !== 0 || isIP(`${network}::`) === 6;
  if (blank === -1 || !isNetwork) return { user: rest, network: undefined };
  return { user: rest.slice(blank + 1), network };
}

function bySeverity(left: LockOut, right: LockOut): number {
  return Number(right.isLocked) - Number(left.isLocked) || right.failures - left.failures;
}
