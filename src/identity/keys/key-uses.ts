import { isConflict } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { ownKey, ownKeyDetails, storedDate } from './api-key-records.ts';

export interface KeyUsesDependencies {
  readonly users: Pick<UserStore, 'getVersioned' | 'update'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Returns milliseconds. */
  readonly now: () => number;
}

const DAY = 86_400_000;

/** Notes that a user used the key of a name. */
export type NoteKeyUse = (user: RecentUser, name: string) => void;

/** Returns a function that stores the day of the last use of a key, so that unused keys can be revoked. */
export function keyUses({ users, log, now }: KeyUsesDependencies): NoteKeyUse {
  /** Users whose use of a key is being stored, or could not be. */
  const noted = new WeakSet<RecentUser>();
  const write = async (username: string, name: string) => {
    const stored = await users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return;
    const operation = { op: 'set', path: `key_details.${name}.last_used`, value: storedDate(new Date(now())) } as const;
    await users.update(username, [operation], { ifVersion: stored.version });
  };
  return (user, name) => {
    const lastUsed = ownKeyDetails(user, name)?.last_used;
    const last = lastUsed ? Date.parse(lastUsed) : 0;
    if (now() - last < DAY || noted.has(user) || !user.is_active) return;
    // A failure is retried with the next state of the user, not with every request. Callers do not wait.
    noted.add(user);
    write(user.uname, name).catch((error: unknown) => {
      // The account changed meanwhile: the next use is stored.
      if (isConflict(error)) return;
      log.warn({ err: error, user: user.uname, keyName: name }, 'the use of an API key was not stored');
    });
  };
}
