import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { Version } from '../../datastore/port/versions.ts';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput } from '../../errors/errors.ts';
import { effectiveRoles, rolesOfKey } from '../accounts/effective-roles.ts';
import type { AnalysisActor } from '../analysis-actors.ts';
import type { AuditOrigin } from '../audit/audit-origin.ts';
import { tellingRefusedKey } from '../audit/refusals.ts';
import { rejectDisabledKeys } from '../login-refusals.ts';
import { CUSTOM_PRIVILEGE, type KeyMaker, keyRights } from './analysis-key-rights.ts';
import { readKeyExpiry, storedDate } from './api-key-expiry.ts';
import {
  type ApiKeyDetails,
  type ApiKeyMakerDependencies,
  type ApiKeyRecord,
  expiryRecord,
  isKeyName,
  newKey,
  ownKey,
  ownKeyDetails,
  revokeKey,
} from './api-key-records.ts';

/** What a caller sends to make or change a key, by the names of contract/analysis.md section 2.2; its values are checked here. */
export interface AnalysisKeyInput {
  readonly key_name?: string;
  /** `R`, `RW`, `W`, `E`, or `C` for the roles below; as a string or a list of letters. */
  readonly priv?: string | readonly string[];
  readonly roles?: readonly string[];
  /** ISO 8601; null: never. */
  readonly expiry_ts?: string | null;
  /** Default: the caller. */
  readonly uname?: string;
}

/** A key as the analysis service shows it; never with its secret. */
export interface AnalysisKey {
  /** `<key name>+<user name>` */
  readonly id: string;
  readonly key_name: string;
  readonly uname: string;
  readonly acl: readonly string[];
  /** What the key allows of what its owner may do. */
  readonly roles: readonly AnalysisRole[];
  readonly creation_date: string | null;
  readonly expiry_ts: string | null;
  readonly last_used: string | null;
}

/** A key that was made, and `<key name>:<secret>`. */
interface MadeKey {
  readonly key: AnalysisKey;
  readonly secret: string;
}

const DISABLED = 'APIKey login is disabled';

type Caller = KeyMaker & Pick<AnalysisActor, 'credentialEnds'>;

/**
 * API keys of users, by the rules of the analysis service; they are the keys of the alert service too. Everybody manages their own,
 * administrators those of all. Safe for concurrent use. A revoked key is void at once in this process, within a second in others.
 */
export class AnalysisApiKeys {
  readonly #dependencies: ApiKeyMakerDependencies;

  constructor(dependencies: ApiKeyMakerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes a key.
   * @returns the key, and `<key name>:<secret>`, which cannot be shown again.
   * @throws InvalidInput in the words that clients know: `api_key_not_own`, `user_missing`, `invalid_api_key_name`, `api_key_exists`,
   *   `invalid_api_key_privileges`, `invalid_api_key_expiry`
   * @throws Forbidden `api_keys_disabled`; `privilege_not_held` when the key would allow more than the credential that asks for it
   */
  async create(caller: Caller, input: AnalysisKeyInput, origin: AuditOrigin): Promise<MadeKey> {
    const username = input.uname ?? caller.username;
    return tellingRefusedKey(this.#dependencies.audit, origin, username, () =>
      this.#make(caller, username, input, origin),
    );
  }

  /**
   * Changes privileges and expiry of a key; its secret stays. Undefined when there is no such key.
   * @param id `<key name>+<user name>`
   * @throws as `create`
   */
  async change(
    caller: Caller,
    id: string,
    input: AnalysisKeyInput,
    origin: AuditOrigin,
  ): Promise<AnalysisKey | undefined> {
    const { username } = splitId(id);
    return tellingRefusedKey(this.#dependencies.audit, origin, username, () => this.#change(caller, id, input, origin));
  }

  /**
   * Undefined when there is no such key.
   * @param id `<key name>+<user name>`
   * @throws Forbidden `api_key_not_own`
   */
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

  /** Keys of a user, in the order in which they were made; none when there is no such user. @throws InvalidInput `api_key_not_own` */
  async ofUser(caller: Caller, username: string): Promise<readonly AnalysisKey[]> {
    if (!mayManage(caller, username)) throw notOwn(`fetch API Keys for user ${username}`);
    const user = await this.#dependencies.users.recent(username);
    return user === undefined ? [] : keysOf(user);
  }

  /** Keys of everybody, by user; for administrators. */
  async all(): Promise<readonly AnalysisKey[]> {
    return (await this.#dependencies.users.list()).flatMap(keysOf);
  }

  /** Whether there was such a key that the caller may revoke. */
  async revoke(caller: Caller, id: string, origin: AuditOrigin): Promise<boolean> {
    const { name, username } = splitId(id);
    if (!mayManage(caller, username)) return false;
    return revokeKey(this.#dependencies, username, name, origin);
  }

  async #make(caller: Caller, username: string, input: AnalysisKeyInput, origin: AuditOrigin): Promise<MadeKey> {
    rejectDisabledKeys(this.#dependencies.settings, DISABLED);
    if (!mayManage(caller, username)) throw notOwn('modify API Key with id None');
    const name = input.key_name ?? '';
    if (!isKeyName(name)) {
      throw new InvalidInput('invalid_api_key_name', `APIKey '${name}' contains forbidden characters.`, {
        at: 'key_name',
      });
    }
    return retryOnConflict(async () => {
      const { document: user, version } = await this.#ownerOf(username);
      if (ownKey(user, name) !== undefined) {
        throw new InvalidInput('api_key_exists', `API Key '${name}' already exist.`, { at: 'key_name' });
      }
      const { acl, roles } = keyRights(caller, user, input, this.#dependencies.settings);
      const { secret, record } = newKey(acl, this.#expiryOf(caller, input));
      const details = { ...(roles && { roles }), creation_date: storedDate(new Date(this.#now())) };
      await this.#store(user.uname, name, { record, details }, version);
      this.#tell('api_key_created', user, name, roles ?? acl, origin);
      return { key: shown(user, name, record, details), secret: `${name}:${secret}` };
    });
  }

  async #change(
    caller: Caller,
    id: string,
    input: AnalysisKeyInput,
    origin: AuditOrigin,
  ): Promise<AnalysisKey | undefined> {
    rejectDisabledKeys(this.#dependencies.settings, DISABLED);
    const { name, username } = splitId(id);
    if (!mayManage(caller, username)) throw notOwn(`modify API Key with id ${id}`);
    return retryOnConflict(async () => {
      const { document: user, version } = await this.#ownerOf(username);
      const before = ownKey(user, name);
      // Keys for impersonation have rules of their own at the alert service.
      if (before === undefined || before.acl.includes('I')) return undefined;
      const { acl, roles } = keyRights(caller, user, input, this.#dependencies.settings);
      const { expiry_date: _expiry, ...kept } = before;
      const { roles: _roles, ...known } = ownKeyDetails(user, name) ?? {};
      const record = { ...kept, acl, ...expiryRecord(this.#expiryOf(caller, input)) };
      const details = { ...known, ...(roles && { roles }) };
      await this.#store(user.uname, name, { record, details }, version);
      this.#tell('api_key_changed', user, name, roles ?? acl, origin);
      return shown(user, name, record, details);
    });
  }

  async #ownerOf(username: string) {
    const stored = await this.#dependencies.users.getVersioned(username);
    if (stored === undefined) throw new InvalidInput('user_missing', 'Target user not found', { at: 'uname' });
    return stored;
  }

  async #store(
    username: string,
    name: string,
    { record, details }: { readonly record: ApiKeyRecord; readonly details: ApiKeyDetails },
    version: Version,
  ): Promise<void> {
    const operations: readonly UpdateOperation[] = [
      { op: 'set', path: `apikeys.${name}`, value: record },
      { op: 'set', path: `key_details.${name}`, value: details },
    ];
    await this.#dependencies.users.update(username, operations, { ifVersion: version });
  }

  /** With `auth.oauth.strict_apikeys` a key ends with the credential that makes it at the latest. */
  #expiryOf(caller: Caller, { expiry_ts: value }: AnalysisKeyInput): Date | undefined {
    const { settings } = this.#dependencies;
    const endsBefore = settings.oauth.strict_apikeys ? caller.credentialEnds : undefined;
    return readKeyExpiry(value, settings, this.#now(), 'expiry_ts', endsBefore);
  }

  #tell(
    event: 'api_key_created' | 'api_key_changed',
    { uname: user }: User,
    key: string,
    after: readonly string[],
    origin: AuditOrigin,
  ): void {
    this.#dependencies.audit.write({ ...origin, event, user, key, after });
  }

  #now(): number {
    return (this.#dependencies.now ?? Date.now)();
  }
}

function mayManage({ username, roles }: Caller, owner: string): boolean {
  return username === owner || roles.has('administration');
}

/** Names of keys have no plus sign; those of users may. */
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
    // Nobody signs in here with a key for impersonation.
    roles: record.acl.includes('I') ? [] : owned.filter((role) => allowed.has(role)),
    creation_date: details?.creation_date ?? null,
    expiry_ts: record.expiry_date ?? null,
    last_used: details?.last_used ?? null,
  };
}

function notOwn(what: string): InvalidInput {
  return new InvalidInput('api_key_not_own', `You do not have the permission to ${what}`);
}
