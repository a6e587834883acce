import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { alsoIn } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { Conflict } from '../../errors/errors.ts';
import { effectiveRoles } from '../../identity/accounts/effective-roles.ts';
import type { UserAccounts } from '../../identity/accounts/user-accounts.ts';
import type { AuditOrigin } from '../../identity/audit/audit-log.ts';
import { NO_PASSWORD } from '../../identity/passwords/passwords.ts';
import { randomPassword } from '../../identity/passwords/random-password.ts';
import { type UserStore, userMissing } from '../../identity/user-store.ts';

export interface AccountDirectoryDependencies {
  readonly users: Pick<UserStore, 'get'>;
  readonly collection: Collection<User>;
  readonly accounts: Pick<UserAccounts, 'create' | 'change' | 'setPassword'>;
  readonly classification: ClassificationEngine;
  readonly passwords: { readonly min_length: number };
}

/** Fields of an account that administrators set; a missing one stays as it is. */
export interface AccountChange {
  readonly name?: string;
  /** Null: none. */
  readonly email?: string | null;
  readonly is_active?: boolean;
  readonly classification?: string;
  readonly groups?: readonly string[];
  /** User types of the alert service; `admin` and `user` count at all services. */
  readonly types?: readonly User['type'][number][];
  readonly analysis_types?: readonly NonNullable<User['analysis_types']>[number][];
  /** Roles at the analysis service; none: those of the types. */
  readonly roles?: readonly NonNullable<User['roles']>[number][];
}

export interface AccountPage {
  /** Lucene. */
  readonly query: string;
  readonly offset: number;
  readonly rows: number;
}

const ACCESS = unrestricted('administrators see every account');

/** Shows and changes accounts with what both services know of them. */
export class AccountDirectory {
  readonly #dependencies: AccountDirectoryDependencies;

  constructor(dependencies: AccountDirectoryDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a page of the accounts that a query finds, by name. @throws InvalidInput `invalid_query` */
  async list({ query, ...page }: AccountPage) {
    const compiled = alsoIn(compileQuery(query, userDocument), 'type', 'analysis_types');
    const sort = [{ field: 'uname', order: 'asc' } as const];
    const { items, total } = await this.#dependencies.collection.search({ query: compiled, ...page, sort }, ACCESS);
    return { users: items.map(({ document }) => accountOf(document)), total };
  }

  /** @throws NotFound `user_missing` */
  async get(username: string) {
    const user = await this.#dependencies.users.get(username);
    if (user === undefined) throw userMissing(username);
    return detailsOf(user);
  }

  /**
   * Creates an account with a random password, which is returned once.
   * @param options.password false: there is no login by password, as for users of a provider
   * @throws as `UserAccounts.create`
   */
  async create(
    username: string,
    fields: AccountChange,
    options: { readonly password: boolean; readonly origin: AuditOrigin },
  ) {
    const { accounts } = this.#dependencies;
    const password = options.password ? randomPassword(this.#dependencies.passwords) : undefined;
    const { name = '', ...more } = fields;
    await accounts.create(username, { name, new_pass: password }, options.origin, storedFields(more));
    return { password: password ?? null };
  }

  /**
   * Changes an account.
   * @throws Conflict `own_rights` when administrators would disable or demote themselves; as `UserAccounts.change`
   */
  async change(by: string, username: string, fields: AccountChange, origin: AuditOrigin) {
    const { accounts, classification } = this.#dependencies;
    const isDemoted = fields.types !== undefined && !fields.types.includes('admin');
    if (by === username && (fields.is_active === false || isDemoted)) {
      throw new Conflict(
        'own_rights',
        'Administrators cannot disable their own account or give up the type admin, so that one of them always remains. Have another administrator do it.',
        { at: isDemoted ? 'types' : 'is_active' },
      );
    }
    const changed = await accounts.change(username, origin, undefined, (stored) => {
      const { email: _removed, ...rest } = stored;
      const kept = fields.email === null ? rest : stored;
      const changes = storedFields(fields);
      return mergeDocument(userDocument, kept, changes, { replaceLists: true, classification });
    });
    return detailsOf(changed);
  }

  /** Sets a random password, returned once, and ends all sessions. @throws NotFound `user_missing` */
  async resetPassword(username: string, origin: AuditOrigin): Promise<string> {
    const password = randomPassword(this.#dependencies.passwords);
    await this.#dependencies.accounts.setPassword(username, password, origin);
    return password;
  }
}

/** Returns the fields as they are stored, without those that are missing or null. */
function storedFields({ types, ...fields }: AccountChange): Readonly<Partial<User>> {
  const named = { ...fields, type: types };
  const given = Object.entries(named).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Partial<User>;
}

/** Returns the members of an account that searches know. */
function accountOf(user: User) {
  return {
    username: user.uname,
    name: user.name,
    email: user.email ?? null,
    is_active: user.is_active,
    classification: user.classification,
    groups: user.groups,
    types: user.type,
    analysis_types: user.analysis_types ?? [],
    roles: user.roles ?? [],
  };
}

function detailsOf(user: User) {
  return {
    ...accountOf(user),
    effective_roles: effectiveRoles(user),
    has_password: user.password !== '' && user.password !== NO_PASSWORD,
    has_second_factor: Boolean(user.otp_sk) || Object.keys(user.security_tokens ?? {}).length > 0,
    has_identity: Boolean(user.identity_id) || (user.further_identities ?? []).length > 0,
    api_keys: Object.keys(user.apikeys ?? {}).length,
  };
}
