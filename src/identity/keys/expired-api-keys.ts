import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { RecentUser, UserStore } from '../user-store.ts';

export interface ExpiredApiKeysDependencies {
  readonly users: Pick<UserStore, 'list' | 'getVersioned' | 'update'>;
  readonly log: { info(entry: object, message: string): void };
}

/**
 * Finds and removes API keys that have expired and were made at the analysis service.
 * Clients of the alert service see those that were made there until their owner removes them.
 */
export class ExpiredApiKeys {
  readonly #dependencies: ExpiredApiKeysDependencies;

  constructor(dependencies: ExpiredApiKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the number of keys that expired up to a time. @param cutoff milliseconds since 1970 */
  async count(cutoff: number): Promise<number> {
    const users = await this.#dependencies.users.list();
    return users.reduce((sum, user) => sum + expiredKeys(user, cutoff).length, 0);
  }

  /** Removes keys that expired up to a time. One that is prolonged meanwhile stays. Returns their number. */
  async remove(cutoff: number, signal: AbortSignal): Promise<number> {
    const { users } = this.#dependencies;
    let removed = 0;
    for (const user of await users.list()) {
      signal.throwIfAborted();
      if (expiredKeys(user, cutoff).length > 0) removed += await this.#removeOf(user.uname, cutoff);
    }
    return removed;
  }

  #removeOf(username: string, cutoff: number): Promise<number> {
    const { users, log } = this.#dependencies;
    return retryOnConflict(async () => {
      const stored = await users.getVersioned(username);
      const names = stored === undefined ? [] : expiredKeys(stored.document, cutoff);
      if (stored === undefined || names.length === 0) return 0;
      const operations = names.flatMap((key) =>
        ['apikeys', 'key_details'].map((path) => ({ op: 'remove_at', path, key }) as const),
      );
      await users.update(username, operations, { ifVersion: stored.version });
      log.info({ user: username, keys: names }, 'expired API keys were removed');
      return names.length;
    });
  }
}

function expiredKeys({ apikeys, key_details: details }: RecentUser, cutoff: number): readonly string[] {
  return Object.entries(apikeys ?? {}).flatMap(([name, { expiry_date: expiry }]) =>
    // The analysis service alone keeps when a key was made.
    details?.[name]?.creation_date !== undefined &&
    expiry !== undefined &&
    expiry !== null &&
    Date.parse(expiry) <= cutoff
      ? [name]
      : [],
  );
}
