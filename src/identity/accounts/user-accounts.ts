import { randomBytes } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { type User, userDocument } from '../../documents/kinds/user.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, isConflict, isTriadError } from '../../errors/errors.ts';
import { writeAccountEvents } from '../audit/account-events.ts';
import { type AuditLog, type AuditOrigin, LOCAL_ORIGIN } from '../audit/audit-log.ts';
import { type AccountEditor, assertMayChangeAccount } from '../credential-scope.ts';
import { checkPassword, hashPassword, NO_PASSWORD } from '../passwords/passwords.ts';
import type { AppTokens } from '../sessions/app-tokens.ts';
import { checkUsername } from '../user-names.ts';
import { type UserStore, userMissing } from '../user-store.ts';
import {
  assertFixedFields,
  changedAccount,
  readAccountFields,
  settableFields,
  withoutOutdatedFilter,
} from './account-fields.ts';
import { readAccessOfQuery } from './read-access.ts';

export interface UserAccountsDependencies {
  readonly users: UserStore;
  readonly appTokens: AppTokens;
  readonly engine: ClassificationEngine;
  readonly settings: Settings['auth'];
  readonly audit: AuditLog;
  /** Data by user name that ends with the account, as another user may get the name. Default: none. */
  readonly belongings?: readonly Belonging[];
}

export interface Belonging {
  /** Deletes the data of the user, if any, also from caches. */
  delete(username: string): Promise<void>;
}

/** Creates, changes, disables and deletes accounts by the rules that routes and commands share. */
export class UserAccounts {
  readonly #dependencies: UserAccountsDependencies;

  constructor(dependencies: UserAccountsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an account.
   * @param input fields of a user; `name` is required, if empty the user name; without `new_pass` there is no login by password
   * @param more fields beside those of `input` that callers of the alert service do not set
   * @throws InvalidInput `invalid_user`, `invalid_username`, `user_exists`, `weak_password`, `invalid_classification`, `invalid_document`
   */
  async create(
    username: string,
    input: unknown,
    origin: AuditOrigin = LOCAL_ORIGIN,
    more: Readonly<Partial<User>> = {},
  ): Promise<User> {
    const fields = readAccountFields(input);
    checkUsername(username);
    if (await this.#dependencies.users.get(username)) throw taken();
    const password = await this.#passwordOf(fields.new_pass);
    if (typeof fields.name !== 'string') {
      throw new InvalidInput('invalid_user', 'The name of the user is missing: send it as the text "name".', {
        at: 'name',
      });
    }
    const settable = settableFields(fields);
    const { document } = readDocument(
      userDocument,
      { ...settable, uname: username, name: fields.name || username, password: password ?? NO_PASSWORD, ...more },
      { unknown: 'drop', classification: this.#dependencies.engine },
    );
    if (document.access_control) readAccessOfQuery(document.access_control);
    try {
      await this.#dependencies.users.create(document);
    } catch (error) {
      if (isConflict(error)) throw taken(error.at);
      throw error;
    }
    writeAccountEvents(this.#dependencies.audit, origin, undefined, document);
    return document;
  }

  /**
   * Changes an account as `actor`: users a few own fields, administrators all but name and address.
   * @throws NotFound `user_missing`; Forbidden `not_own_account`, `not_own_field`, and as `assertMayChangeAccount`; InvalidInput as `create`
   */
  async update(
    actor: AccountEditor,
    username: string,
    input: unknown,
    origin: AuditOrigin = LOCAL_ORIGIN,
  ): Promise<User> {
    const fields = readAccountFields(input);
    const stored = await this.#dependencies.users.get(username);
    if (!stored) throw userMissing(username);
    // In the order of the public system, whose clients show the message.
    assertFixedFields(stored, fields);
    if (actor.username !== username && !actor.isAdmin) {
      throw new Forbidden('not_own_account', 'You are not allowed to change another user than yourself.');
    }
    assertMayChangeAccount(actor, username, Boolean(fields.new_pass));
    return this.change(username, origin, fields.new_pass, (stored) =>
      changedAccount(this.#dependencies.engine, stored, fields, actor),
    );
  }

  /**
   * Changes an account by the rules of the service. A new password, and disabling, end its app tokens.
   * @param change the new state from the stored one; called again when the account changed meanwhile
   * @throws NotFound `user_missing`; InvalidInput `weak_password`, `invalid_user`; what `change` throws
   */
  async change(
    username: string,
    origin: AuditOrigin,
    newPassword: unknown,
    change: (stored: User) => User,
  ): Promise<User> {
    const password = await this.#passwordOf(newPassword);
    const saved = await retryOnConflict(async () => {
      const stored = await this.#dependencies.users.getVersioned(username);
      if (!stored) throw userMissing(username);
      const user = withoutOutdatedFilter(stored.document, change(stored.document));
      const complete = password === undefined ? user : { ...user, password };
      await this.#dependencies.users.save(complete, { ifVersion: stored.version });
      writeAccountEvents(this.#dependencies.audit, origin, stored.document, complete);
      return complete;
    });
    if (password !== undefined || !saved.is_active) await this.#dependencies.appTokens.revokeAll(username);
    return saved;
  }

  /** Deletes an account with its data and ends its sessions. @throws NotFound `user_missing` */
  async delete(username: string, origin: AuditOrigin = LOCAL_ORIGIN): Promise<void> {
    if (!(await this.#dependencies.users.delete(username))) throw userMissing(username);
    this.#dependencies.audit.write({ ...origin, event: 'user_deleted', user: username });
    for (const one of this.#dependencies.belongings ?? []) await one.delete(username);
    await this.#dependencies.appTokens.revokeAll(username);
  }

  /** Sets a password and ends the sessions. @throws NotFound `user_missing`; InvalidInput `weak_password` */
  async setPassword(username: string, password: string, origin: AuditOrigin = LOCAL_ORIGIN): Promise<void> {
    checkPassword(password, this.#dependencies.settings.internal.password_requirements);
    const hash = await hashPassword(password);
    await this.#set(username, 'password', hash);
    this.#dependencies.audit.write({ ...origin, event: 'password_changed', user: username });
    await this.#dependencies.appTokens.revokeAll(username);
  }

  /** Disables or enables an account; disabling ends its sessions. @throws NotFound `user_missing` */
  async setActive(username: string, active: boolean): Promise<void> {
    await this.#set(username, 'is_active', active);
    this.#dependencies.audit.write({
      ...LOCAL_ORIGIN,
      event: active ? 'user_enabled' : 'user_disabled',
      user: username,
    });
    if (!active) await this.#dependencies.appTokens.revokeAll(username);
  }

  /** Returns all users, by name. */
  list(): Promise<readonly User[]> {
    return this.#dependencies.users.list();
  }

  /** Creates an administrator with a random password, which is returned, when there are no users. */
  async createFirstAdministrator(): Promise<{ readonly username: string; readonly password: string } | undefined> {
    if (!(await this.#dependencies.users.isEmpty())) return undefined;
    const username = 'admin';
    const password = randomBytes(18).toString('base64url');
    const engine = this.#dependencies.engine;
    const hash = await hashPassword(password);
    const fields: Partial<User> = { password: hash, type: ['admin', 'user'], classification: engine.restricted };
    try {
      await this.create(username, { name: 'Administrator' }, LOCAL_ORIGIN, fields);
      return { username, password };
    } catch (error) {
      // Another process created the first one meanwhile.
      if (isTriadError(error) && error.code === 'user_exists') return undefined;
      throw error;
    }
  }

  async #set(username: string, path: string, value: unknown): Promise<void> {
    try {
      await this.#dependencies.users.update(username, [{ op: 'set', path, value }]);
    } catch (error) {
      if (isTriadError(error) && error.code === 'document_missing') throw userMissing(username);
      throw error;
    }
  }

  /** Returns the hash of a new password; undefined when none is given. */
  async #passwordOf(password: unknown): Promise<string | undefined> {
    if (password === undefined || password === null || password === '') return undefined;
    if (typeof password !== 'string') {
      throw new InvalidInput('invalid_user', 'The password must be a string.', { at: 'new_pass' });
    }
    checkPassword(password, this.#dependencies.settings.internal.password_requirements);
    return hashPassword(password);
  }
}

/** @param similar name of the account, when it is in another case */
function taken(similar?: string | number): InvalidInput {
  const written = similar === undefined ? '' : ` It is written "${similar}".`;
  return new InvalidInput('user_exists', `The username you are trying to add already exists.${written}`);
}
