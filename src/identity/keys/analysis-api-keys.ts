import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles, rolesOfKey } from '../accounts/effective-roles.ts';
import type { AnalysisActor } from '../actor-factory.ts';
import type { AuditOrigin } from '../audit/audit-log.ts';
import { rejectDisabledKeys } from '../login-refusals.ts';
import { type AnalysisKeyInput, CUSTOM_PRIVILEGE, type KeyMaker, keyRights } from './analysis-key-rights.ts';
import { type ApiKeyDependencies, changeKey, readKeyExpiry, revokeKey } from './api-key-changes.ts';
import {
  type ApiKeyDetails,
  type ApiKeyRecord,
  expiryRecord,
  isKeyName,
  newKey,
  ownKey,
  ownKeyDetails,
  storedDate,
} from './api-key-records.ts';

/** A key as the analysis service shows it; never with its secret. */
export interface AnalysisKey {
  /** `<key name>+<user name>` */
  readonly id: string;
  readonly key_name: string;
  readonly uname: string;
  readonly acl: readonly string[];
  /** Roles of the owner that the key allows. */
  readonly roles: readonly AnalysisRole[];
  readonly creation_date: string | null;
  readonly expiry_ts: string | null;
  readonly last_used: string | null;
}

type Caller = KeyMaker & Pick<AnalysisActor, 'credentialEnds'>;

/**
 * Manages API keys by the rules of the analysis service; the alert service has the same keys. Users
 * manage their own, administrators all. Safe for concurrent use. Keys are revoked as `revokeKey` says.
 */
export class AnalysisApiKeys {
  readonly #dependencies: ApiKeyDependencies;

  constructor(dependencies: ApiKeyDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a key. Returns it with `<key name>:<secret>`, which cannot be shown again.
   * @throws InvalidInput in the wording that clients know: `api_key_not_own`, `user_missing`, `invalid_api_key_name`,
   *   `api_key_exists`, `invalid_api_key_privileges`, `invalid_api_key_expiry`
   * @throws Forbidden `api_keys_disabled`; `privilege_not_held` when the key would exceed the credential of the caller
   */
  async create(
    caller: Caller,
    input: AnalysisKeyInput,
    origin: AuditOrigin,
  ): Promise<{ readonly key: AnalysisKey; readonly secret: string }> {
    const { settings, now = Date.now } = this.#dependencies;
    const { uname: username = caller.username, key_name: name = '' } = input;
    const { key, secret } = await changeKey(this.#dependencies, 'api_key_created', username, origin, (user) => {
      this.#assertMayChange(caller, username, 'None');
      if (!isKeyName(name)) {
        const message = `APIKey '${name}' contains forbidden characters.`;
        throw new InvalidInput('invalid_api_key_name', message, { at: 'key_name' });
      }
      if (user === undefined) throw ownerMissing();
      if (ownKey(user, name) !== undefined) {
        throw new InvalidInput('api_key_exists', `API Key '${name}' already exist.`, { at: 'key_name' });
      }
      const { acl, roles } = keyRights(caller, user, input, settings);
      const { secret, record } = newKey(acl, this.#expiryOf(caller, input));
      const details = { ...(roles && { roles }), creation_date: storedDate(new Date(now())) };
      return { name, record, details, after: roles ?? acl, key: shown(user, name, record, details), secret };
    });
    return { key, secret: `${name}:${secret}` };
  }

  /** Changes rights and expiry of the key `<name>+<user name>`, if it exists; throws as `create`. */
  async change(
    caller: Caller,
    id: string,
    input: AnalysisKeyInput,
    origin: AuditOrigin,
  ): Promise<AnalysisKey | undefined> {
    const { name, username } = splitId(id);
    const changed = await changeKey(this.#dependencies, 'api_key_changed', username, origin, (user) => {
      this.#assertMayChange(caller, username, id);
      if (user === undefined) throw ownerMissing();
      const before = ownKey(user, name);
      // Keys for impersonation have rules of their own at the alert service.
      if (before === undefined || before.acl.includes('I')) return undefined;
      const { acl, roles } = keyRights(caller, user, input, this.#dependencies.settings);
      const { expiry_date: _expiry, ...kept } = before;
      const { roles: _roles, ...known } = ownKeyDetails(user, name) ?? {};
      const record = { ...kept, acl, ...expiryRecord(this.#expiryOf(caller, input)) };
      const details = { ...known, ...(roles && { roles }) };
      return { name, record, details, after: roles ?? acl, key: shown(user, name, record, details) };
    });
    return changed?.key;
  }

  /** Returns the key `<key name>+<user name>`, if there is one. @throws Forbidden `api_key_not_own` */
  async find(caller: Caller, id: string): Promise<AnalysisKey | undefined> {
    const { name, username } = splitId(id);
    const user = await this.#dependencies.users.recent(username);
    const record = user && ownKey(user, name);
    if (user === undefined || record === undefined) return undefined;
    if (!mayManage(caller, username)) {
      throw new Forbidden('api_key_not_own', `You do not have access to the apikey (${id}).`);
    }
    return shown(user, name, record, ownKeyDetails(user, name));
  }

  /** Returns the keys of a user, in order of creation. @throws InvalidInput `api_key_not_own` */
  async ofUser(caller: Caller, username: string): Promise<readonly AnalysisKey[]> {
    if (!mayManage(caller, username)) throw notOwn(`fetch API Keys for user ${username}`);
    const user = await this.#dependencies.users.recent(username);
    return user === undefined ? [] : keysOf(user);
  }

  /** Returns the keys of all users; for administrators. */
  async all(): Promise<readonly AnalysisKey[]> {
    return (await this.#dependencies.users.list()).flatMap(keysOf);
  }

  /** Revokes a key. Returns false when there is no such key that the caller may revoke. */
  async revoke(caller: Caller, id: string, origin: AuditOrigin): Promise<boolean> {
    const { name, username } = splitId(id);
    return mayManage(caller, username) && revokeKey(this.#dependencies, username, name, origin);
  }

  #assertMayChange(caller: Caller, username: string, id: string): void {
    rejectDisabledKeys(this.#dependencies.settings, 'APIKey login is disabled');
    if (!mayManage(caller, username)) throw notOwn(`modify API Key with id ${id}`);
  }

  /** With `auth.oauth.strict_apikeys` a key expires with the credential that creates it at the latest. */
  #expiryOf({ credentialEnds }: Caller, { expiry_ts: value }: AnalysisKeyInput): Date | undefined {
    const endsBefore = this.#dependencies.settings.oauth.strict_apikeys ? credentialEnds : undefined;
    return readKeyExpiry(value, this.#dependencies, 'expiry_ts', endsBefore);
  }
}

function mayManage({ username, roles }: Caller, owner: string): boolean {
  return username === owner || roles.has('administration');
}

/** Splits `<key name>+<user name>`. Names of keys have no plus sign; those of users may. */
function splitId(id: string): { readonly name: string; readonly username: string } {
  const plus = id.indexOf('+');
  return plus === -1 ? { name: id, username: '' } : { name: id.slice(0, plus), username: id.slice(plus + 1) };
}

function keysOf(user: Readonly<User>): readonly AnalysisKey[] {
  return Object.entries(user.apikeys ?? {}).map(([name, record]) =>
    shown(user, name, record, ownKeyDetails(user, name)),
  );
}

function shown(
  user: Readonly<User>,
  name: string,
  record: ApiKeyRecord,
  details: ApiKeyDetails | undefined,
): AnalysisKey {
  const owned = effectiveRoles(user);
  const allowed = new Set(rolesOfKey({ acl: record.acl, roles: details?.roles }));
  return {
    id: `${name}+${user.uname}`,
    key_name: name,
    uname: user.uname,
    acl: record.acl.length === 0 ? [CUSTOM_PRIVILEGE] : [...record.acl],
    // Keys for impersonation identify no caller here.
    roles: record.acl.includes('I') ? [] : owned.filter((role) => allowed.has(role)),
    creation_date: details?.creation_date ?? null,
    expiry_ts: record.expiry_date ?? null,
    last_used: details?.last_used ?? null,
  };
}

function notOwn(what: string): InvalidInput {
  return new InvalidInput('api_key_not_own', `You do not have the permission to ${what}`);
}

function ownerMissing(): InvalidInput {
  return new InvalidInput('user_missing', 'Target user not found', { at: 'uname' });
}
