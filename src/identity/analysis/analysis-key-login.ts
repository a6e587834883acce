import { isTriadError, Unauthenticated } from '../../errors/errors.ts';
import type { AuthenticationMethod } from '../actor.ts';
import type { AnalysisCaller } from '../analysis-caller.ts';
import type { BasicLogin } from '../basic-login.ts';
import type { KeyUses } from '../keys/key-uses.ts';
import type { RecentUser } from '../user-store.ts';
import type { AnalysisActors } from './analysis-actors.ts';

export interface AnalysisKeyLoginDependencies {
  readonly basic: Pick<BasicLogin, 'verifyUsableKey' | 'livingKey'>;
  readonly actors: AnalysisActors;
  readonly uses: Pick<KeyUses, 'note'>;
}

export interface PresentedKey {
  readonly username: string;
  /** `<key name>:<secret>` */
  readonly apikey: string;
  readonly address: string;
}

/** The owner of a key needs this role, whatever the key allows (contract/analysis.md section 2.2). */
const OWNER_ROLE = 'apikey_access';

/** API keys at the analysis service: the same keys as at the others, by the rules and in the words of this one. */
export class AnalysisKeyLogin {
  readonly #dependencies: AnalysisKeyLoginDependencies;

  constructor(dependencies: AnalysisKeyLoginDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Who brings this key.
   * @param counts what a wrong key counts towards: see `BasicLogin.verifyUsableKey`
   * @throws Unauthenticated `invalid_login`, `locked_out`, `api_keys_disabled`, `api_key_owner_inactive`, `api_keys_not_allowed`
   */
  async verify(presented: PresentedKey, counts: 'of_user' | 'of_address'): Promise<AnalysisCaller> {
    const { username, apikey, address } = presented;
    const { user, name, key } = await this.#dependencies.basic
      .verifyUsableKey(username, apikey, address, counts)
      .catch(inWordsOfService);
    this.#rejectOwner(user);
    this.#dependencies.uses.note(user, name);
    return this.#dependencies.actors.byKey(user, 'api_key', name, key);
  }

  /** Who has a session that this key opened. Undefined: the key is gone, has expired or may not be used any more. */
  bySession(user: RecentUser, keyName: string): AnalysisCaller | undefined {
    const { basic, actors } = this.#dependencies;
    const key = basic.livingKey(user, keyName);
    if (key === undefined || !actors.hasRole(user, OWNER_ROLE)) return undefined;
    return actors.byKey(user, SESSION, keyName, key);
  }

  #rejectOwner(user: RecentUser): void {
    if (!user.is_active) {
      throw new Unauthenticated('api_key_owner_inactive', 'This owner of this API Key is not active.');
    }
    if (!this.#dependencies.actors.hasRole(user, OWNER_ROLE)) {
      throw new Unauthenticated('api_keys_not_allowed', 'This user is not allowed to use API Keys');
    }
  }
}

const SESSION: AuthenticationMethod = 'session';

function inWordsOfService(error: unknown): never {
  if (isTriadError(error) && error.code === 'invalid_login') {
    throw new Unauthenticated('invalid_login', 'Invalid user or APIKey', { cause: error });
  }
  if (isTriadError(error) && error.code === 'api_keys_disabled') {
    throw new Unauthenticated('api_keys_disabled', 'APIKey login is disabled', { cause: error });
  }
  throw error;
}
