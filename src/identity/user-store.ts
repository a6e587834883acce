import type { Collection, Version, Versioned, WriteOptions } from '../datastore/collection.ts';
import { MATCH_ALL } from '../datastore/query-tree.ts';
import { unrestricted } from '../datastore/read-access.ts';
import type { UpdateOperation } from '../datastore/update-operations.ts';
import type { User } from '../documents/user.ts';

export interface UserStoreParts {
  readonly users: Collection<User>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** A user as read not long ago. Shared by requests: never changed. */
export type RecentUser = Readonly<User>;

interface Recent {
  readonly user: RecentUser;
  readonly version: Version;
  checkedAt: number;
}

/** A change by another process is seen after this time; one of this process at once. */
const RECENT_LIFETIME = 1000;
const MAX_RECENT = 10_000;
const ACCESS = unrestricted('users are read to establish who is calling');

/** Users by name. Every write of a user goes through here, so that what `recent` remembers is never older than it promises. */
export class UserStore {
  readonly #users: Collection<User>;
  readonly #now: () => number;
  readonly #recent = new Map<string, Recent>();
  readonly #loading = new Map<string, Promise<RecentUser | undefined>>();
  /** Changes with every write, so that a read that was under way before it is not remembered. */
  #writes = 0;

  constructor(parts: UserStoreParts) {
    this.#users = parts.users;
    this.#now = parts.now ?? Date.now;
  }

  /** A copy of the present state; undefined when there is no such user. */
  get(username: string): Promise<User | undefined> {
    return isPossibleName(username) ? this.#users.get(username, ACCESS) : Promise.resolve(undefined);
  }

  getVersioned(username: string): Promise<Versioned<User> | undefined> {
    return isPossibleName(username) ? this.#users.getVersioned(username, ACCESS) : Promise.resolve(undefined);
  }

  /**
   * The user as of at most a second ago. The same object as before while nothing changed, so that what is made from it can be
   * kept beside it.
   */
  async recent(username: string): Promise<RecentUser | undefined> {
    const known = this.#recent.get(username);
    if (known && this.#now() - known.checkedAt < RECENT_LIFETIME) return known.user;
    const loading = this.#loading.get(username);
    if (loading) return loading;
    const load = this.#load(username).finally(() => {
      if (this.#loading.get(username) === load) this.#loading.delete(username);
    });
    this.#loading.set(username, load);
    return load;
  }

  /** All users, by name. */
  async list(): Promise<readonly User[]> {
    const users: User[] = [];
    for await (const item of this.#users.stream({ query: MATCH_ALL }, ACCESS)) users.push(item.document);
    return users;
  }

  /** Whether there is no user at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.#users.count({ query: MATCH_ALL }, ACCESS)) === 0;
  }

  /** Creates or replaces. Conflicts are those of the collection. */
  async save(user: User, options: WriteOptions = {}): Promise<Version> {
    return this.#write(user.uname, () => this.#users.save(user.uname, user, { visible: 'now', ...options }));
  }

  /** Atomic changes. NotFound `document_missing`. */
  async update(username: string, operations: readonly UpdateOperation[], options: WriteOptions = {}): Promise<User> {
    const changed = await this.#write(username, () =>
      this.#users.update(username, operations, { visible: 'now', ...options }),
    );
    return changed.document;
  }

  /** Whether there was one. */
  async delete(username: string): Promise<boolean> {
    return this.#write(username, () => this.#users.delete(username, { visible: 'now' }));
  }

  addFavouriteView(username: string, viewId: string): Promise<User> {
    return this.update(username, [{ op: 'append_missing', path: 'favourite_views', value: viewId }]);
  }

  removeFavouriteView(username: string, viewId: string): Promise<User> {
    return this.update(username, [{ op: 'remove', path: 'favourite_views', value: viewId }]);
  }

  addFavouriteAnalytic(username: string, analyticId: string): Promise<User> {
    return this.update(username, [{ op: 'append_missing', path: 'favourite_analytics', value: analyticId }]);
  }

  removeFavouriteAnalytic(username: string, analyticId: string): Promise<User> {
    return this.update(username, [{ op: 'remove', path: 'favourite_analytics', value: analyticId }]);
  }

  async #load(username: string): Promise<RecentUser | undefined> {
    const writes = this.#writes;
    const checkedAt = this.#now();
    const found = await this.getVersioned(username);
    if (writes !== this.#writes) return found?.document;
    if (!found) {
      this.#recent.delete(username);
      return undefined;
    }
    const known = this.#recent.get(username);
    if (known?.version === found.version) {
      known.checkedAt = checkedAt;
      return known.user;
    }
    this.#recent.delete(username);
    if (this.#recent.size >= MAX_RECENT) {
      const oldest = this.#recent.keys().next();
      if (!oldest.done) this.#recent.delete(oldest.value);
    }
    this.#recent.set(username, { user: found.document, version: found.version, checkedAt });
    return found.document;
  }

  /** Forgets the user before and after the write: a read in between may have seen either state. */
  async #write<Result>(username: string, write: () => Promise<Result>): Promise<Result> {
    this.#forget(username);
    try {
      return await write();
    } finally {
      this.#forget(username);
    }
  }

  #forget(username: string): void {
    this.#writes += 1;
    this.#recent.delete(username);
    this.#loading.delete(username);
  }
}

/** Names come from request headers: what cannot be a name is not asked for. */
function isPossibleName(username: string): boolean {
  return username !== '' && username.length <= 256;
}
