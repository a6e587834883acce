import type { User } from '../../documents/kinds/user.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import { type Actor, PRIVILEGES, type Privilege } from '../actor.ts';
import { type AuditOrigin, LOCAL_ORIGIN } from '../audit/audit-log.ts';
import { rejectDisabledKeys } from '../login-refusals.ts';
import { userMissing } from '../user-store.ts';
import { type ApiKeyDependencies, assertNoneBeyond, changeKey, readKeyExpiry, revokeKey } from './api-key-changes.ts';
import { apiKeysOf, isKeyName, newKey, ownKey } from './api-key-records.ts';

/** The input for a new key; checked here, with the messages that clients know. */
export interface NewApiKey {
  readonly name?: unknown;
  /** Letters of `PRIVILEGES`, as a string or a list. */
  readonly priv?: unknown;
  /** ISO 8601; without a zone it is UTC. */
  readonly expiry_date?: unknown;
  /** Users who may impersonate the owner with it; for keys with I. */
  readonly agents?: unknown;
}

/** The caller who creates a key. */
type Owner = Pick<Actor, 'username' | 'privileges'> & Partial<Pick<Actor, 'keyName'>>;

/** Creates and revokes API keys by the rules of the alert service. */
export class AlertApiKeys {
  readonly #dependencies: ApiKeyDependencies;

  constructor(dependencies: ApiKeyDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a key of the caller, with at most the privileges of their credential, and I, which
   * identifies no caller. With `auth.oauth.strict_apikeys` it expires with the credential at the latest.
   * @param credentialEnds milliseconds at which the provider's token of the caller ends; undefined: it is none
   * @returns `<stored name>:<secret>`; the secret is not stored and cannot be shown again.
   * @throws InvalidInput with the messages that clients know; Forbidden `api_keys_disabled`, `privilege_not_held`
   */
  async create(
    owner: Owner,
    input: NewApiKey,
    origin: AuditOrigin = LOCAL_ORIGIN,
    credentialEnds?: number,
  ): Promise<string> {
    const dependencies = this.#dependencies;
    const strict = dependencies.settings.oauth.strict_apikeys;
    const endsBefore = strict ? (credentialEnds ?? (await this.#endOfKey(owner))) : undefined;
    const { name, secret } = await changeKey(dependencies, 'api_key_created', owner.username, origin, (user) => {
      rejectDisabledKeys(dependencies.settings);
      const { name } = input;
      if (typeof name !== 'string' || name === '') throw nameMissing();
      if (user === undefined) throw userMissing(owner.username);
      rejectTaken(user, name, name);
      const privileges = this.#readPrivileges(input.priv, owner.privileges);
      const expiry = readKeyExpiry(input.expiry_date, dependencies, 'expiry_date', endsBefore);
      const agents = readAgents(input.agents);
      if (!isKeyName(name)) throw new InvalidInput('invalid_api_key_name', `[]: Illegal key: ${name}`);
      const storedName = privileges.includes('I') ? `impersonate_${name}` : name;
      rejectTaken(user, storedName, name);
      return { ...newKey(privileges, expiry, agents), name: storedName, after: privileges };
    });
    return `${name}:${secret}`;
  }

  /** @throws NotFound `api_key_missing` */
  async delete(username: string, name: string, origin: AuditOrigin = LOCAL_ORIGIN): Promise<void> {
    if (await revokeKey(this.#dependencies, username, name, origin)) return;
    const message = 'Api key does not exist';
    // Clients of the public system read the text from the response.
    throw new NotFound('api_key_missing', message, { response: message });
  }

  /** Returns milliseconds. A key that expires must not create one that does not. */
  async #endOfKey({ username, keyName }: Owner): Promise<number | undefined> {
    const user = keyName === undefined ? undefined : await this.#dependencies.users.recent(username);
    const key = user && apiKeysOf(user).find(({ name }) => name === keyName);
    return key?.expires?.getTime();
  }

  #readPrivileges(priv: unknown, held: ReadonlySet<Privilege>): readonly Privilege[] {
    const letters: readonly unknown[] = typeof priv === 'string' ? [...priv] : Array.isArray(priv) ? priv : [];
    if (letters.length === 0) {
      throw invalidPrivileges(
        'The privileges of the API key are missing: send "priv" as a string or list of the letters R, W, E, I.',
      );
    }
    const privileges = new Set(
      letters.map((letter) => {
        const known = PRIVILEGES.find((one) => one === letter);
        if (known !== undefined) return known;
        throw invalidPrivileges(
          'APIKey contains permissions that do not exist. Please provide a subset of [R, W, E, I].',
        );
      }),
    );
    if (privileges.has('E') && !this.#dependencies.settings.allow_extended_apikeys) {
      throw invalidPrivileges('Extended permissions are disabled.');
    }
    if (privileges.has('E') && privileges.has('I')) {
      throw invalidPrivileges('Extended permission is not allowed on impersonation keys.');
    }
    assertNoneBeyond([...privileges].filter((privilege) => privilege !== 'I' && !held.has(privilege)));
    return [...privileges];
  }
}

function rejectTaken(user: User, storedName: string, name: string): void {
  if (ownKey(user, storedName) !== undefined) {
    throw new InvalidInput('api_key_exists', `APIKey '${name}' already exists`, { at: 'name' });
  }
}

function readAgents(agents: unknown): readonly string[] {
  if (agents === undefined || agents === null) return [];
  if (Array.isArray(agents) && agents.every((agent) => typeof agent === 'string' && agent !== '')) return agents;
  const message = 'The agents of an API key are a list of user names.';
  throw new InvalidInput('invalid_api_key_agents', message, { at: 'agents' });
}

function nameMissing(): InvalidInput {
  const message = 'The name of the API key is missing: send it as the text "name".';
  return new InvalidInput('invalid_api_key_name', message, { at: 'name' });
}

function invalidPrivileges(message: string): InvalidInput {
  return new InvalidInput('invalid_api_key_privileges', message, { at: 'priv' });
}
