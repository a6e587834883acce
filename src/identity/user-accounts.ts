import { randomBytes } from 'node:crypto';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import { ABSENT } from '../datastore/collection.ts';
import { retryOnConflict } from '../datastore/retry-on-conflict.ts';
import { mergeDocument, readDocument } from '../documents/read-document.ts';
import { SECRET_USER_FIELDS, type User, userDocument } from '../documents/user.ts';
import { Forbidden, InvalidInput, isConflict, isTriadError, NotFound } from '../errors/errors.ts';
import type { Actor } from './actor.ts';
import type { AppTokens } from './alerts/app-tokens.ts';
import { writeAccountEvents } from './audit/account-events.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { type AuditOrigin, LOCAL_ORIGIN } from './audit/audit-origin.ts';
import { checkPassword, hashPassword, NO_PASSWORD } from './passwords.ts';
import { readAccessOfQuery } from './read-access.ts';
import type { UserStore } from './user-store.ts';

export interface UserAccountsParts {
  readonly users: UserStore;
  readonly appTokens: AppTokens;
  readonly engine: ClassificationEngine;
  readonly settings: Settings['auth'];
  readonly audit: AuditLog;
  /** What else is kept by the name of a user, and goes with the account: whoever gets the name later is somebody else. Default none. */
  readonly belongings?: readonly Belonging[];
}

export interface Belonging {
  /** Also from what is remembered of it. Nothing happens where there is none. */
  delete(username: string): Promise<void>;
}

/** Keys that callers send back as they got them and do not set: what has routes of its own, and what the analysis service alone gives out. */
const NOT_SETTABLE = [
  ...SECRET_USER_FIELDS,
  'analysis_types',
  'can_impersonate',
  'dn',
  'apikeys',
  'new_pass',
  'avatar',
  'has_password',
  'username',
  'is_admin',
  'roles',
  'id',
  'security_token_enabled',
];

/** What users who are not administrators may change of themselves. */
const OWN_FIELDS: readonly string[] = ['name', 'email', 'password', 'dashboard', 'refresh_rate'];

/** Accounts: made, changed, switched off, deleted. The rules that routes and commands share. */
export class UserAccounts {
  readonly #users: UserStore;
  readonly #appTokens: AppTokens;
  readonly #engine: ClassificationEngine;
  readonly #settings: Settings['auth'];
  readonly #audit: AuditLog;
  readonly #belongings: readonly Belonging[];

  constructor(parts: UserAccountsParts) {
    this.#users = parts.users;
    this.#appTokens = parts.appTokens;
    this.#engine = parts.engine;
    this.#settings = parts.settings;
    this.#audit = parts.audit;
    this.#belongings = parts.belongings ?? [];
  }

  /**
   * Makes an account.
   * @param input fields of a user; `name` is required and may be empty (then the user name stands for it); `new_pass` is the
   *   password, without it nobody can log in by password.
   * @param origin who makes it; default: a command of the operator
   * @param more fields beside those of `input` that callers of the alert service do not set
   * @throws InvalidInput `invalid_user`, `invalid_username`, `user_exists`, `weak_password`, `invalid_classification`,
   *   `invalid_document`
   */
  async create(
    username: string,
    input: unknown,
    origin: AuditOrigin = LOCAL_ORIGIN,
    more: Readonly<Partial<User>> = {},
  ): Promise<User> {
    const fields = readFields(input);
    checkUsername(username);
    if (await this.#users.get(username)) throw taken();
    const password = await this.#passwordOf(fields.new_pass);
    if (typeof fields.name !== 'string') {
      throw new InvalidInput('invalid_user', 'The name of the user is missing: send it as the text "name".', {
        at: 'name',
      });
    }
    const settable = withoutKeys(fields, NOT_SETTABLE);
    const { document } = readDocument(
      userDocument,
      { ...settable, uname: username, name: fields.name || username, password: password ?? NO_PASSWORD, ...more },
      { unknown: 'drop', classification: this.#engine },
    );
    if (document.access_control) readAccessOfQuery(document.access_control);
    try {
      await this.#users.save(document, { ifVersion: ABSENT });
    } catch (error) {
      if (isConflict(error)) throw taken();
      throw error;
    }
    writeAccountEvents(this.#audit, origin, undefined, document);
    return document;
  }

  /**
   * Changes an account as `actor`: users a few things of themselves, administrators everything but name and address. Other keys are ignored.
   * @throws NotFound `user_missing`; Forbidden `not_own_account`, `not_own_field`; InvalidInput as `create`
   */
  async update(
    actor: Pick<Actor, 'username' | 'isAdmin'>,
    username: string,
    input: unknown,
    origin: AuditOrigin = LOCAL_ORIGIN,
  ): Promise<User> {
    const fields = readFields(input);
    if (actor.username !== username && !actor.isAdmin) {
      throw new Forbidden('not_own_account', 'You are not allowed to change another user than yourself.');
    }
    return this.change(username, origin, fields.new_pass, (stored) => this.#changed(stored, fields, actor.isAdmin));
  }

  /**
   * Changes an account by the rules of whoever calls. A new password, and switching off, end its app tokens.
   * @param newPassword undefined, null or '': the password stays
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
      const stored = await this.#users.getVersioned(username);
      if (!stored) throw missing(username);
      const user = withoutOutdatedFilter(stored.document, change(stored.document));
      const complete = password === undefined ? user : { ...user, password };
      await this.#users.save(complete, { ifVersion: stored.version });
      writeAccountEvents(this.#audit, origin, stored.document, complete);
      return complete;
    });
    if (password !== undefined || !saved.is_active) await this.#appTokens.revokeAll(username);
    return saved;
  }

  /** Deletes an account with all that belongs to it, and ends its sessions. @throws NotFound `user_missing` */
  async delete(username: string, origin: AuditOrigin = LOCAL_ORIGIN): Promise<void> {
    if (!(await this.#users.delete(username))) throw missing(username);
    this.#audit.write({ ...origin, event: 'user_deleted', user: username });
    for (const one of this.#belongings) await one.delete(username);
    await this.#appTokens.revokeAll(username);
  }

  /** Sets a password and ends the sessions. @throws NotFound `user_missing`; InvalidInput `weak_password` */
  async setPassword(username: string, password: string): Promise<void> {
    checkPassword(password, this.#settings.internal.password_requirements);
    const hash = await hashPassword(password);
    await this.#set(username, 'password', hash);
    this.#audit.write({ ...LOCAL_ORIGIN, event: 'password_changed', user: username });
    await this.#appTokens.revokeAll(username);
  }

  /** Switches an account off or on; off ends its sessions. @throws NotFound `user_missing` */
  async setActive(username: string, active: boolean): Promise<void> {
    await this.#set(username, 'is_active', active);
    this.#audit.write({ ...LOCAL_ORIGIN, event: active ? 'user_enabled' : 'user_disabled', user: username });
    if (!active) await this.#appTokens.revokeAll(username);
  }

  /** By name. */
  list(): Promise<readonly User[]> {
    return this.#users.list();
  }

  /**
   * The first start of an installation: without any user, an administrator `admin` is made with a random password.
   * @returns the password, which is kept nowhere, or undefined when there are users (or another process was faster).
   */
  async createFirstAdministrator(): Promise<{ readonly username: string; readonly password: string } | undefined> {
    if (!(await this.#users.isEmpty())) return undefined;
    const username = 'admin';
    const password = randomBytes(18).toString('base64url');
    const { document } = readDocument(
      userDocument,
      {
        uname: username,
        name: 'Administrator',
        password: await hashPassword(password),
        type: ['admin', 'user'],
        classification: this.#engine.restricted,
      },
      { unknown: 'refuse', classification: this.#engine },
    );
    try {
      await this.#users.save(document, { ifVersion: ABSENT });
    } catch (error) {
      if (isConflict(error)) return undefined;
      throw error;
    }
    writeAccountEvents(this.#audit, LOCAL_ORIGIN, undefined, document);
    return { username, password };
  }

  async #set(username: string, path: string, value: unknown): Promise<void> {
    try {
      await this.#users.update(username, [{ op: 'set', path, value }]);
    } catch (error) {
      if (isTriadError(error) && error.code === 'document_missing') throw missing(username);
      throw error;
    }
  }

  /** The hash of a new password; undefined when none is given. */
  async #passwordOf(password: unknown): Promise<string | undefined> {
    if (password === undefined || password === null || password === '') return undefined;
    if (typeof password !== 'string') {
      throw new InvalidInput('invalid_user', 'The password must be a text.', { at: 'new_pass' });
    }
    checkPassword(password, this.#settings.internal.password_requirements);
    return hashPassword(password);
  }

  #changed(stored: User, fields: Record<string, unknown>, isAdmin: boolean): User {
    if (fields.name === '' || fields.name === null) {
      throw new InvalidInput('invalid_user', 'Full name of the user cannot be empty', { at: 'name' });
    }
    if ('email' in fields && (fields.email ?? undefined) !== (stored.email ?? undefined)) {
      throw new InvalidInput('invalid_user', "Cannot update user's email", { at: 'email' });
    }
    if ('uname' in fields && fields.uname !== stored.uname) {
      throw new InvalidInput('invalid_user', "Cannot update user's username", { at: 'uname' });
    }
    const settable = withoutKeys(fields, isAdmin ? NOT_SETTABLE : [...NOT_SETTABLE, 'api_quota']);
    const known = Object.entries(settable).filter(([key]) => userDocument.root.fields[key] !== undefined);
    const merged = mergeDocument(userDocument, stored, Object.fromEntries(known), {
      replaceLists: true,
      classification: this.#engine,
    });
    const changes = Object.keys(merged).filter((key) => !isSame(merged[key as keyof User], stored[key as keyof User]));
    const foreign = isAdmin ? undefined : changes.find((key) => !OWN_FIELDS.includes(key));
    if (foreign !== undefined) {
      throw new Forbidden('not_own_field', `Only Administrators can change the value of the field [${foreign}].`);
    }
    if (merged.access_control) readAccessOfQuery(merged.access_control);
    return merged;
  }
}

/** A stored filter says what the old classification admits; without it the filter is computed from the new one. */
function withoutOutdatedFilter(before: User, after: User): User {
  if (isSame(before.classification, after.classification)) return after;
  if (!isSame(before.access_control, after.access_control)) return after;
  const { access_control: _outdated, ...user } = after;
  return user;
}

function readFields(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new InvalidInput('invalid_user', 'Invalid data format');
  }
  return { ...input };
}

function withoutKeys(fields: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

/** Basic authentication splits at a colon; control characters and slashes do not survive headers and paths. */
function checkUsername(username: string): void {
  if (/[{}]/.test(username)) throw new InvalidInput('invalid_username', "You can't use '{}' in the username");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (username === '' || username.length > 256 || /[:/\s\u0000-\u001f\u007f]/.test(username)) {
    throw new InvalidInput(
      'invalid_username',
      'A user name has 1 to 256 characters, without colon, slash, blank and control characters.',
    );
  }
  if (/^__.*__$/.test(username)) {
    throw new InvalidInput(
      'invalid_username',
      'Names between two underscores on each side stand for everybody or for nobody, and cannot be the name of a user.',
    );
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

function taken(): InvalidInput {
  return new InvalidInput('user_exists', 'The username you are trying to add already exists.');
}

function missing(username: string): NotFound {
  return new NotFound('user_missing', `User ${username} does not exist`);
}
