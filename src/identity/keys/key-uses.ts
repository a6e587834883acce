import { isConflict } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { storedDate } from './api-key-expiry.ts';
import { ownKey, ownKeyDetails } from './api-key-records.ts';

export interface KeyUsesDependencies {
  readonly users: Pick<UserStore, 'getVersioned' | 'update'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const DAY = 86_400_000;

/** Notes with the keys themselves when they were last used, to the day: a key that nobody uses can be revoked. Callers never wait. */
export class KeyUses {
  readonly #dependencies: KeyUsesDependencies;
  /** Being noted, or not to be noted now. */
  readonly #underWay = new WeakSet<RecentUser>();

  constructor(dependencies: KeyUsesDependencies) {
    this.#dependencies = dependencies;
  }

  note(user: RecentUser, name: string): void {
    const lastUsed = ownKeyDetails(user, name)?.last_used;
    const last = lastUsed ? Date.parse(lastUsed) : 0;
    if (this.#dependencies.now() - last < DAY || this.#underWay.has(user)) return;
    // What fails is tried again with the next state of the user, not with every request.
    this.#underWay.add(user);
    this.#write(user.uname, name).catch((error: unknown) => {
      // Somebody changed the account meanwhile: the next use notes it.
      if (isConflict(error)) return;
      this.#dependencies.log.warn(
        { err: error, user: user.uname, keyName: name },
        'the use of an API key was not noted',
      );
    });
  }

  async #write(username: string, name: string): Promise<void> {
    const stored = await this.#dependencies.users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return;
    const value = storedDate(new Date(this.#dependencies.now()));
    await this.#dependencies.users.update(username, [{ op: 'set', path: `key_details.${name}.last_used`, value }], {
      ifVersion: stored.version,
    });
  }
}
