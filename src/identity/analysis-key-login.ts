import { isConflict, isTriadError, Unauthenticated } from '../errors/errors.ts';
import type { AuthenticationMethod } from './actor.ts';
import type { AnalysisActors, AnalysisCaller } from './analysis-actors.ts';
import type { BasicLogin } from './basic-login.ts';
import type { IdentityLog } from './identity-log.ts';
import { storedDate } from './keys/api-key-expiry.ts';
import { ownKey, ownKeyDetails } from './keys/api-key-records.ts';
import type { RecentUser, UserStore } from './user-store.ts';

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

export interface KeyUsesDependencies {
  readonly users: Pick<UserStore, 'getVersioned' | 'update'>;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const DAY = 86_400_000;

/** Notes with the keys themselves when they were last used, to the day: a key that nobody uses can be revoked. Callers never wait. */
export class KeyUses {
  readonly #dependencies: KeyUsesDependencies;
  /** Being noted, or not to be noted now. */
  readonly #underWay = new WeakSet<RecentUser>();

  constructor(dependencies: KeyUsesDependencies) {
    this.#dependencies = dependencies;
  }

  note(user: RecentUser, name: string): void {
    const lastUsed = ownKeyDetails(user, name)?.last_used;
    const last = lastUsed ? Date.parse(lastUsed) : 0;
    if (this.#dependencies.now() - last < DAY || this.#underWay.has(user)) return;
    // What fails is tried again with the next state of the user, not with every request.
    this.#underWay.add(user);
    this.#write(user.uname, name).catch((error: unknown) => {
      // Somebody changed the account meanwhile: the next use notes it.
      if (isConflict(error)) return;
      this.#dependencies.log.warn(
        { err: error, user: user.uname, keyName: name },
        'the use of an API key was not noted',
      );
    });
  }

  async #write(username: string, name: string): Promise<void> {
    const stored = await this.#dependencies.users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return;
    const value = storedDate(new Date(this.#dependencies.now()));
    await this.#dependencies.users.update(username, [{ op: 'set', path: `key_details.${name}.last_used`, value }], {
      ifVersion: stored.version,
    });
  }
}
