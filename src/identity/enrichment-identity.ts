import { createHash, timingSafeEqual } from 'node:crypto';
import { type User, userDocument } from '../documents/kinds/user.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { Forbidden, InvalidInput, isTriadError } from '../errors/errors.ts';
import type { Actor, Privilege } from './actor.ts';
import { privilegedActors } from './actor-factory.ts';
import {
  Authenticator,
  type Caller,
  type CredentialRow,
  credentialRow,
  type PresentedCredentials,
} from './authenticator.ts';
import {
  appTokenRow,
  type BasicCredential,
  keyHeadersRow,
  missingAuthorization,
  providerTokenRow,
  readBasic,
} from './credential-rows.ts';
import { installationTokenRow } from './installation-tokens/installation-token-row.ts';
import type { InstallationTokens } from './installation-tokens/installation-tokens.ts';
import { callerOfKey } from './keys/key-login.ts';
import { RecentFailures } from './limits/recent-failures.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { accountDisabled, rejectDisabledKeys } from './login-refusals.ts';
import { type IdentityDependencies, loginVerifiers } from './login-verifiers.ts';
import { networkOf } from './networks.ts';
import type { ProviderCallers } from './oauth/provider-callers.ts';
import { NO_PASSWORD } from './passwords/passwords.ts';
import { AppTokens } from './sessions/app-tokens.ts';
import type { CredentialsOfKind } from './verified-credentials.ts';
import { webSessionRow } from './web-session-row.ts';

export interface EnrichmentIdentityDependencies extends IdentityDependencies {
  readonly providerCallers: Pick<ProviderCallers, 'identify'>;
  readonly installationTokens: Pick<InstallationTokens, 'verify'>;
}

/** Characters of a header that names a user. */
const MAX_HEADER_LENGTH = 256;
/** Networks with recent failures; whether they had too many, in all processes, is asked only of these. */
const MAX_SUSPECT_NETWORKS = 10_000;
const NO_DIGEST = Buffer.alloc(32);
const CALLER_PRIVILEGES: readonly Privilege[] = ['R', 'W'];

/**
 * Identifies the callers of the enrichment service, who present an access token of a provider, a
 * configured API key on behalf of a user (contract/enrichment.md section 1.3), or an API key or app token of an account. Safe
 * for concurrent use.
 *
 * `authenticate` throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme`, `invalid_classification`,
 * `invalid_caller`, `repeated_header`; Unauthenticated `no_credentials`, `invalid_login`, `invalid_token`, `token_expired`; Forbidden
 * `api_keys_disabled`, `malformed_api_key`, `unknown_service_key`, `wrong_service_key`, `caller_not_named`, `account_disabled`, and
 * as `ProviderCallers.identify`; TooManyRequests `too_many_failed_logins`; Unavailable `identity_provider_unavailable`,
 * `app_tokens_unavailable`.
 */
export class EnrichmentIdentity extends Authenticator<Actor> {
  constructor(dependencies: EnrichmentIdentityDependencies) {
    const service = 'enrichment';
    const keys = new ServiceKeys(dependencies);
    const { users, webSessions, coordination, settings } = dependencies;
    const { keys: accountKeys } = loginVerifiers(service, dependencies);
    const byKey = async (username: string, apikey: string, address: string): Promise<Caller> => {
      const { user, name, key } = await accountKeys.verifyUsable(username, apikey, address, 'of_address');
      return callerOfKey(user, name, key);
    };
    const rows = [
      webSessionRow({ users, webSessions, keys: accountKeys }),
      accountKeyRow(byKey, settings.enrichment.api_keys),
      keys.row(),
      appTokenRow({ appTokens: new AppTokens(coordination), users, keys: accountKeys }),
      installationTokenRow(dependencies.installationTokens, service),
      providerTokenRow(dependencies.providerCallers, service, CALLER_PRIVILEGES),
      withoutAuthorization(keyHeadersRow(byKey)),
    ];
    const missing = missingAuthorization('Internal bearer auth is not yet supported.');
    const actors = privilegedActors(dependencies);
    super({ service, rows, missing, disabled: accountDisabled, actors }, dependencies);
  }
}

type KeyVerifier = (username: string, apikey: string, address: string) => Promise<Caller>;

/**
 * Returns the row of `Basic <user>:<key name>:<secret>`.
 * Secrets of configured keys may contain colons, so what begins with the name of one is never the key of an account.
 */
function accountKeyRow(verify: KeyVerifier, configured: Readonly<Record<string, string>>): CredentialRow {
  return credentialRow<BasicCredential>({
    read: (presented) => {
      const basic = readBasic(presented.header('authorization'));
      return basic?.rest.includes(':') && !Object.hasOwn(configured, basic.username) ? basic : undefined;
    },
    claim: ({ username }) => ({ user: username, method: 'api_key' }),
    verify: async ({ username, rest }, { address }) => {
      try {
        return await verify(username, rest, address);
      } catch (error) {
        // The answer to every name that is neither configured nor of an account, in the words of the public system.
        if (isTriadError(error) && error.code === 'invalid_login') throw unknownServiceKey(error);
        throw error;
      }
    },
  });
}

/** Restricts a row to requests without `Authorization`, which otherwise decides alone. */
function withoutAuthorization(row: CredentialRow): CredentialRow {
  return {
    ...row,
    read: (presented) => (presented.header('authorization') ? undefined : row.read(presented)),
  };
}

function unknownServiceKey(cause?: unknown): Forbidden {
  return new Forbidden('unknown_service_key', 'API Key does not exist', { cause });
}

/** Verifies the configured keys (`enrichment.api_keys`), whose programs name a user in headers. */
class ServiceKeys {
  readonly #dependencies: EnrichmentIdentityDependencies;
  /** Digests of their secrets, by name. */
  readonly #digests: Readonly<Record<string, Buffer>>;
  readonly #vouched: CredentialsOfKind<Caller>;
  readonly #throttle: LoginThrottle;
  readonly #suspects: RecentFailures<object>;

  constructor(dependencies: EnrichmentIdentityDependencies) {
    const { coordination, settings, audit, now = Date.now } = dependencies;
    const { internal } = settings.auth;
    this.#dependencies = dependencies;
    const secrets = Object.entries(settings.enrichment.api_keys);
    this.#digests = Object.fromEntries(secrets.map(([name, secret]) => [name, digest(secret)]));
    this.#vouched = dependencies.credentials.ofKind('vouched_user');
    const { counters } = coordination;
    this.#throttle = new LoginThrottle({ counters, settings: internal, audit, service: 'enrichment' });
    const lifetime = internal.failure_ttl * 1000;
    this.#suspects = new RecentFailures({ limit: MAX_SUSPECT_NETWORKS, lifetime, now });
  }

  row(): CredentialRow {
    return credentialRow<BasicCredential>({
      read: (presented) => readBasic(presented.header('authorization')),
      claim: ({ username: key }, presented) => ({ user: presented.header('x-userid'), method: 'api_key', key }),
      verify: async (credential, presented) => {
        await this.#verifyServiceKey(credential, presented.address);
        return this.#vouchedCaller(credential.username, presented);
      },
    });
  }

  async #verifyServiceKey({ username: name, rest: secret }: BasicCredential, address: string): Promise<void> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    if (name === '' || secret === '') {
      throw new Forbidden(
        'malformed_api_key',
        'You must provide your API key in the proper format in the Authorization header.',
      );
    }
    const network = networkOf(address);
    if (this.#suspects.get(network)) await this.#throttle.checkAddress(address);
    const expected = Object.hasOwn(this.#digests, name) ? this.#digests[name] : undefined;
    // An unknown name takes the same time: its secret is compared with a digest that no secret has.
    if (timingSafeEqual(digest(secret), expected ?? NO_DIGEST)) return;
    this.#suspects.add(network, {});
    await this.#throttle.failed(address);
    if (expected === undefined) throw unknownServiceKey();
    throw new Forbidden('wrong_service_key', 'Invalid API key');
  }

  /**
   * Returns the caller for whom a program with a configured key vouches. They need no account here, and
   * their classification is the one that was sent (contract/enrichment.md section 1.3): a program with
   * such a key can see everything.
   * @throws Forbidden `caller_not_named`; InvalidInput `invalid_classification`, `invalid_caller`
   */
  #vouchedCaller(keyName: string, presented: PresentedCredentials): Caller {
    const [userId, classification, name, email] = ['x-userid', 'x-classification', 'x-username', 'x-email'].map((one) =>
      presented.singleHeader(one),
    );
    if (!userId || !classification) {
      throw new Forbidden(
        'caller_not_named',
        // The slip of the pen is the public system's: clients compare the text.
        'You must also provide X-USERID and X-CLASSIFICATION headers along with you API key.',
      );
    }
    const sent = [keyName, userId, classification, name ?? '', email ?? ''];
    const cacheKey = this.#vouched.keyOf(JSON.stringify(sent));
    const known = this.#vouched.get(cacheKey);
    if (known) return known;
    if (sent.some((one) => one.length > MAX_HEADER_LENGTH)) {
      throw new InvalidInput(
        'invalid_caller',
        `Headers that name a user have at most ${MAX_HEADER_LENGTH} characters.`,
      );
    }
    const user = this.#accountOf(userId, name || userId, email || undefined, this.#clearanceOf(classification));
    const grant = { method: 'api_key', privileges: CALLER_PRIVILEGES, keyName, impersonator: keyName } as const;
    const caller: Caller = { user, ...grant, isVouched: true };
    this.#vouched.set(cacheKey, caller);
    return caller;
  }

  /** Returns an account of a user that has none. */
  #accountOf(uname: string, name: string, email: string | undefined, classification: string): User {
    const fields = { uname, name, classification, password: NO_PASSWORD, type: ['user'], groups: [] };
    const { document } = readDocument(userDocument, fields, {
      unknown: 'refuse',
      classification: this.#dependencies.engine,
    });
    // Programs send what they call an address; an account accepts only those with a domain.
    return { ...document, email };
  }

  #clearanceOf(text: string): string {
    try {
      return this.#dependencies.engine.normalise(text, { skipAutoSelect: true });
    } catch (cause) {
      throw new InvalidInput('invalid_classification', 'The header X-CLASSIFICATION holds no valid classification.', {
        cause,
        at: 'X-CLASSIFICATION',
      });
    }
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
