import type { Collection, Versioned, WriteOptions } from '../datastore/port/collection.ts';
import { anyOf, MATCH_ALL, type QueryNode } from '../datastore/port/query-tree.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { RecentDocuments } from '../datastore/port/recent-documents.ts';
import type { UpdateOperation } from '../datastore/port/update-operations.ts';
import { ABSENT, type Version } from '../datastore/port/versions.ts';
import type { User } from '../documents/kinds/user.ts';
import { Conflict, NotFound } from '../errors/errors.ts';
import { isSimilarName, MAX_USERNAME, similarNames } from './user-names.ts';

/** A user as read not long ago. Shared by requests: never changed. */
export type RecentUser = Readonly<User>;

type FavouriteField = 'favourite_views' | 'favourite_analytics';

/** Values of one user that are kept; of the sessions of one user, for example. */
const MAX_DERIVED = 100;

/** Keeps what is made of a user beside the user object, until the user changes. */
export class DerivedFromUser {
  readonly #values = new WeakMap<RecentUser, Map<string, unknown>>();

  /** @param key tells which value it is; the caller asks for one type of each */
  getOrMake<T>(user: RecentUser, key: string, make: () => T): T {
    let values = this.#values.get(user);
    const known = values?.get(key);
    if (known !== undefined) return known as T;
    if (values === undefined || values.size >= MAX_DERIVED) {
      values = new Map();
      this.#values.set(user, values);
    }
    const value = make();
    values.set(key, value);
    return value;
  }
}

/** Similar names that an installation has from earlier versions, or from a public system. */
const MAX_SIMILAR = 100;
const ACCESS = unrestricted('users are read to establish who is calling');

/** Stores users by name. All writes of users go through here, which `recent` relies on. */
export class UserStore {
  readonly #users: Collection<User>;
  readonly #recent: RecentDocuments<User>;

  /** @param parts.now milliseconds; for tests */
  constructor({ users, now }: { readonly users: Collection<User>; readonly now?: () => number }) {
    this.#users = users;
    this.#recent = new RecentDocuments({ collection: users, access: ACCESS, now });
  }

  /** Returns a copy of the present state; undefined when there is no such user. */
  get(username: string): Promise<User | undefined> {
    return isPossibleName(username) ? this.#users.get(username, ACCESS) : Promise.resolve(undefined);
  }

  getVersioned(username: string): Promise<Versioned<User> | undefined> {
    return isPossibleName(username) ? this.#users.getVersioned(username, ACCESS) : Promise.resolve(undefined);
  }

  /** Returns the user as of at most a second ago: the same object until it changes (`DerivedFromUser`). */
  async recent(username: string): Promise<RecentUser | undefined> {
    return isPossibleName(username) ? this.#recent.get(username) : undefined;
  }

  /** Finds the account with this address, in lower case; of several the first by name. */
  findByEmail(email: string): Promise<User | undefined> {
    return this.#find({ kind: 'term', field: 'email', value: email });
  }

  /** Finds the account with this identity at a provider; of several the first by name. */
  findByIdentity(identity: string): Promise<User | undefined> {
    const fields: readonly (keyof User)[] = ['identity_id', 'further_identities'];
    return this.#find(anyOf(...fields.map((field) => ({ kind: 'term', field, value: identity }) as const)));
  }

  /** Returns all users, by name. */
  async list(): Promise<readonly User[]> {
    return Array.fromAsync(this.each());
  }

  /** Yields all users, by name. */
  async *each(): AsyncIterable<User> {
    for await (const item of this.#users.stream({ query: MATCH_ALL }, ACCESS)) yield item.document;
  }

  count(): Promise<number> {
    return this.#users.count({ query: MATCH_ALL }, ACCESS);
  }

  /** Returns whether there are no users. */
  async isEmpty(): Promise<boolean> {
    return (await this.count()) === 0;
  }

  /** Stores a new account; of several with similar names, in any case, at most one: `already_exists`. */
  async create(user: User): Promise<void> {
    const { uname } = user;
    await this.#assertNoSimilarName(uname);
    await this.save(user, { ifVersion: ABSENT });
    try {
      // Another process may have stored one meanwhile: at least one of both finds the other.
      await this.#assertNoSimilarName(uname);
    } catch (error) {
      await this.delete(uname);
      throw error;
    }
  }

  /** Creates or replaces. Conflicts are those of the collection. */
  async save(user: User, options: WriteOptions = {}): Promise<Version> {
    return this.#recent.writing(user.uname, () => this.#users.save(user.uname, user, { visible: 'now', ...options }));
  }

  /** Atomic changes. NotFound `document_missing`. */
  async update(username: string, operations: readonly UpdateOperation[], options: WriteOptions = {}): Promise<User> {
    const changed = await this.#recent.writing(username, () =>
      this.#users.update(username, operations, { visible: 'now', ...options }),
    );
    return changed.document;
  }

  /** Returns whether there was such a user. */
  async delete(username: string): Promise<boolean> {
    return this.#recent.writing(username, () => this.#users.delete(username, { visible: 'now' }));
  }

  addFavourite(username: string, path: FavouriteField, value: string): Promise<User> {
    return this.update(username, [{ op: 'append_missing', path, value }]);
  }

  removeFavourite(username: string, path: FavouriteField, value: string): Promise<User> {
    return this.update(username, [{ op: 'remove', path, value }]);
  }

  async #assertNoSimilarName(username: string): Promise<void> {
    const query = similarNames('uname', username);
    const { items } = await this.#users.search({ query, rows: MAX_SIMILAR }, ACCESS);
    const similar = items.find(({ id }) => id !== username && isSimilarName(id, username));
    if (similar) throw new Conflict('already_exists', `There is an account "${similar.id}".`, { at: similar.id });
  }

  async #find(query: QueryNode): Promise<User | undefined> {
    const { items } = await this.#users.search({ query, rows: 1, sort: [{ field: 'uname', order: 'asc' }] }, ACCESS);
    const found = items[0];
    // Searches do not return all fields of a user; reads by name do.
    return found && this.#users.get(found.id, ACCESS);
  }
}

/** Names come from request headers: what cannot be a name is not asked for. */
function isPossibleName(username: string): boolean {
  return username !== '' && username.length <= MAX_USERNAME;
}

/** Returns the refusal of a user name without an account, as clients of the alert service know it. */
export function userMissing(username: string): NotFound {
  return new NotFound('user_missing', `User ${username} does not exist`);
}
