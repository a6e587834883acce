import { isTriadError, Unauthenticated } from '../errors/errors.ts';
import { effectiveRoles, rolesOfKey } from './accounts/effective-roles.ts';
import type { Caller } from './authenticator.ts';
import { type ApiKeyRecord, ownKeyDetails } from './keys/api-key-records.ts';
import type { KeyLogin } from './keys/key-login.ts';
import { DerivedFromUser, type RecentUser } from './user-store.ts';

export interface AnalysisKeyLoginDependencies {
  readonly keys: Pick<KeyLogin, 'verifyUsable' | 'livingKey'>;
}

/** The role that the owner of a key needs (contract/analysis.md section 2.2). */
const OWNER_ROLE = 'apikey_access';

/** Verifies API keys by the rules and in the wording of the analysis service. */
export class AnalysisKeyLogin {
  readonly #dependencies: AnalysisKeyLoginDependencies;
  readonly #derived = new DerivedFromUser();

  constructor(dependencies: AnalysisKeyLoginDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the owner of a key.
   * @param apikey `<key name>:<secret>`
   * @param counts the counts that a wrong key increments: see `KeyLogin.verifyUsable`
   * @throws Unauthenticated `invalid_login`, `locked_out`, `api_keys_disabled`, `api_key_owner_inactive`, `api_keys_not_allowed`
   */
  async verify(username: string, apikey: string, address: string, counts: 'of_user' | 'of_address'): Promise<Caller> {
    const { keys } = this.#dependencies;
    const { user, name, key } = await keys.verifyUsable(username, apikey, address, counts).catch(inWordsOfService);
    if (!user.is_active) {
      throw new Unauthenticated('api_key_owner_inactive', 'This owner of this API Key is not active.');
    }
    const caller = this.#callerOf(user, 'api_key', name, key);
    if (caller === undefined) {
      throw new Unauthenticated('api_keys_not_allowed', 'This user is not allowed to use API Keys');
    }
    return caller;
  }

  /** Returns the holder of a session that the key opened; undefined when the key is not valid any more. */
  bySession(user: RecentUser, name: string): Caller | undefined {
    const key = this.#dependencies.keys.livingKey(user, name);
    return key && this.#callerOf(user, 'session', name, key);
  }

  /** Returns undefined when the user may not use keys. The same object until the user changes. */
  #callerOf(user: RecentUser, method: 'api_key' | 'session', keyName: string, key: ApiKeyRecord): Caller | undefined {
    return this.#derived.getOrMake(user, `${method} ${keyName}`, () => {
      if (!effectiveRoles(user).includes(OWNER_ROLE)) return undefined;
      const { acl, expiry_date: expiry } = key;
      return {
        ...{ user, method, privileges: acl, keyName },
        rolesLimit: new Set(rolesOfKey({ acl, roles: ownKeyDetails(user, keyName)?.roles })),
        credentialEnds: expiry ? Date.parse(expiry) : undefined,
      };
    });
  }
}

function inWordsOfService(error: unknown): never {
  if (isTriadError(error) && error.code === 'invalid_login') {
    throw new Unauthenticated('invalid_login', 'Invalid user or APIKey', { cause: error });
  }
  if (isTriadError(error) && error.code === 'api_keys_disabled') {
    throw new Unauthenticated('api_keys_disabled', 'APIKey login is disabled', { cause: error });
  }
  throw error;
}
