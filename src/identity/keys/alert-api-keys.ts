import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { User } from '../../documents/kinds/user.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { type Actor, PRIVILEGES, type Privilege } from '../actor.ts';
import { type AuditOrigin, LOCAL_ORIGIN } from '../audit/audit-origin.ts';
import { tellingRefusedKey } from '../audit/refusals.ts';
import { rejectDisabledKeys } from '../login-refusals.ts';
import { userMissing } from '../user-store.ts';
import { readKeyExpiry } from './api-key-expiry.ts';
import {
  type ApiKeyMakerDependencies,
  apiKeysOf,
  isKeyName,
  keyRemoval,
  type ListedApiKey,
  newKey,
  ownKey,
  revokeKey,
} from './api-key-records.ts';

/** What a caller sends to make a key; checked here. */
export interface NewApiKey {
  readonly name?: unknown;
  /** Letters of `PRIVILEGES`, as a string or a list. */
  readonly priv?: unknown;
  /** ISO 8601; without a zone it is UTC. */
  readonly expiry_date?: unknown;
  /** Users who may impersonate the owner with it; for keys with I. */
  readonly agents?: unknown;
}

/** API keys of users: made, listed, revoked. A revoked key is void at once in this process, within a second in others. */
export class AlertApiKeys {
  readonly #users: ApiKeyMakerDependencies['users'];
  readonly #settings: ApiKeyMakerDependencies['settings'];
  readonly #audit: ApiKeyMakerDependencies['audit'];
  readonly #now: () => number;

  constructor(dependencies: ApiKeyMakerDependencies) {
    this.#users = dependencies.users;
    this.#settings = dependencies.settings;
    this.#audit = dependencies.audit;
    this.#now = dependencies.now ?? Date.now;
  }

  /**
   * Makes a key of the caller's own, with at most the privileges of the credential that they use (I excepted, which nobody logs in
   * with). With `auth.oauth.strict_apikeys` it ends with the credential that makes it at the latest.
   * @param credentialEnds milliseconds at which the token ends that the caller uses; undefined: it is not a token of a provider
   * @returns `<stored name>:<secret>`; the secret is not kept and cannot be shown again.
   * @throws InvalidInput with the texts that clients know; Forbidden `api_keys_disabled`, `privilege_not_held`
   */
  async create(
    actor: Pick<Actor, 'username' | 'privileges'> & Partial<Pick<Actor, 'keyName'>>,
    input: NewApiKey,
    origin: AuditOrigin = LOCAL_ORIGIN,
    credentialEnds?: number,
  ): Promise<string> {
    const strict = this.#settings.oauth.strict_apikeys;
    const endsBefore = strict ? (credentialEnds ?? (await this.#endOfKey(actor))) : undefined;
    return tellingRefusedKey(this.#audit, origin, actor.username, () =>
      this.createFor(actor.username, input, actor.privileges, origin, endsBefore),
    );
  }

  /**
   * Makes a key of any user, for operators.
   * @param held the most that the key may be allowed; default everything.
   * @param endsBefore milliseconds at which it has to have ended; undefined: as the settings say.
   */
  async createFor(
    username: string,
    input: NewApiKey,
    held: ReadonlySet<Privilege> = new Set(PRIVILEGES),
    origin: AuditOrigin = LOCAL_ORIGIN,
    endsBefore?: number,
  ): Promise<string> {
    rejectDisabledKeys(this.#settings);
    const name = this.#readName(input.name);
    return retryOnConflict(async () => {
      const stored = await this.#users.getVersioned(username);
      if (!stored) throw userMissing(username);
      rejectTaken(stored.document, name, name);
      const privileges = this.#readPrivileges(input.priv, held);
      const expiry = readKeyExpiry(input.expiry_date, this.#settings, this.#now(), 'expiry_date', endsBefore);
      const agents = readAgents(input.agents);
      if (!isKeyName(name)) {
        throw new InvalidInput('invalid_api_key_name', `[]: Illegal key: ${name}`);
      }
      const storedName = privileges.includes('I') ? `impersonate_${name}` : name;
      rejectTaken(stored.document, storedName, name);
      const { secret, record } = newKey(privileges, expiry, agents);
      const operations: readonly UpdateOperation[] = [
        // What is left of an older key of this name, which the public alert service removed, is not this one's.
        ...keyRemoval(storedName),
        { op: 'set', path: `apikeys.${storedName}`, value: record },
      ];
      await this.#users.update(username, operations, { ifVersion: stored.version });
      this.#audit.write({ ...origin, event: 'api_key_created', user: username, key: storedName, after: privileges });
      return `${storedName}:${secret}`;
    });
  }

  /** Keys without their secrets, in the order in which they were made. */
  async list(username: string): Promise<readonly ListedApiKey[]> {
    const user = await this.#users.recent(username);
    return user ? apiKeysOf(user) : [];
  }

  /** @throws NotFound `api_key_missing` */
  async delete(username: string, name: string, origin: AuditOrigin = LOCAL_ORIGIN): Promise<void> {
    if (await revokeKey({ users: this.#users, audit: this.#audit }, username, name, origin)) return;
    const message = 'Api key does not exist';
    // Clients of the public system read the text from the response.
    throw new NotFound('api_key_missing', message, { response: message });
  }

  /** Milliseconds; a key that ends must not make one that does not. */
  async #endOfKey({ username, keyName }: Partial<Actor> & Pick<Actor, 'username'>): Promise<number | undefined> {
    const user = keyName === undefined ? undefined : await this.#users.recent(username);
    const key = user && apiKeysOf(user).find(({ name }) => name === keyName);
    return key?.expires?.getTime();
  }

  #readName(name: unknown): string {
    if (typeof name === 'string' && name !== '') return name;
    throw new InvalidInput('invalid_api_key_name', 'The name of the API key is missing: send it as the text "name".', {
      at: 'name',
    });
  }

  #readPrivileges(priv: unknown, held: ReadonlySet<Privilege>): readonly Privilege[] {
    const letters: readonly unknown[] = typeof priv === 'string' ? [...priv] : Array.isArray(priv) ? priv : [];
    if (letters.length === 0) {
      throw new InvalidInput(
        'invalid_api_key_privileges',
        'The privileges of the API key are missing: send "priv" as a string or list of the letters R, W, E, I.',
        { at: 'priv' },
      );
    }
    const privileges = new Set(
      letters.map((letter) => {
        const known = PRIVILEGES.find((one) => one === letter);
        if (known !== undefined) return known;
        throw new InvalidInput(
          'invalid_api_key_privileges',
          'APIKey contains permissions that do not exist. Please provide a subset of [R, W, E, I].',
          { at: 'priv' },
        );
      }),
    );
    if (privileges.has('E') && !this.#settings.allow_extended_apikeys) {
      throw new InvalidInput('invalid_api_key_privileges', 'Extended permissions are disabled.', { at: 'priv' });
    }
    if (privileges.has('E') && privileges.has('I')) {
      throw new InvalidInput(
        'invalid_api_key_privileges',
        'Extended permission is not allowed on impersonation keys.',
        { at: 'priv' },
      );
    }
    const beyond = [...privileges].filter((privilege) => privilege !== 'I' && !held.has(privilege));
    if (beyond.length > 0) {
      throw new Forbidden(
        'privilege_not_held',
        `The credential that you use does not have ${beyond.join(', ')} itself, so it cannot make a key that has.`,
      );
    }
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
  throw new InvalidInput('invalid_api_key_agents', 'The agents of an API key are a list of user names.', {
    at: 'agents',
  });
}
