import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { Forbidden, isTriadError } from '../../errors/errors.ts';
import type { Actor, Privilege } from '../actor.ts';
import { ActorFactory, type Grant } from '../actor-factory.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { originAt, type RequestOrigin } from '../audit/audit-origin.ts';
import { attributed, auditRefusal } from '../audit/refusals.ts';
import type { IdentityLog } from '../identity-log.ts';
import { ServiceKeys } from '../keys/service-keys.ts';
import { SuspectAddresses } from '../limits/suspect-addresses.ts';
import { LoginThrottle } from '../limits/throttle.ts';
import { accountDisabled, rejectDisabledKeys } from '../login-refusals.ts';
import { type ProviderCallers, reportOnBehalfOfCall } from '../oauth/provider-callers.ts';
import { holderOfUser } from '../oauth/verified-token.ts';
import { type EnrichmentCredential, readEnrichmentCredential } from './enrichment-credential.ts';
import { KeyCallers, type VouchedUser } from './key-callers.ts';

export interface EnrichmentIdentityDependencies {
  readonly providerCallers: Pick<ProviderCallers, 'identify'>;
  readonly coordination: Pick<Coordination, 'counters'>;
  readonly engine: ClassificationEngine;
  readonly settings: Pick<Settings, 'auth' | 'enrichment'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** What a request to the enrichment service brings to say who is calling. */
export interface EnrichmentRequest extends VouchedUser, RequestOrigin {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

const CALLER_PRIVILEGES: readonly Privilege[] = ['R', 'W'];
const TOKEN_GRANT: Grant = {
  method: 'oauth',
  privileges: CALLER_PRIVILEGES,
  keyName: undefined,
  impersonator: undefined,
};

/**
 * Establishes who calls the enrichment service: with an access token of a provider, or with a configured API key in the name of a
 * user (contract/enrichment.md section 1.3). Safe for concurrent use.
 */
export class EnrichmentIdentity {
  readonly #dependencies: EnrichmentIdentityDependencies;
  readonly #keys: ServiceKeys;
  readonly #keyCallers: KeyCallers;
  readonly #actors: ActorFactory;
  readonly #throttle: LoginThrottle;
  readonly #suspects: SuspectAddresses;

  constructor(dependencies: EnrichmentIdentityDependencies) {
    const { coordination, engine, settings, log } = dependencies;
    const { internal, users_without_access_control: usersWithoutAccessControl } = settings.auth;
    this.#dependencies = dependencies;
    this.#keys = new ServiceKeys(settings.enrichment.api_keys);
    this.#keyCallers = new KeyCallers({ engine });
    this.#actors = new ActorFactory({ engine, usersWithoutAccessControl, log });
    this.#throttle = new LoginThrottle({
      counters: coordination.counters,
      settings: internal,
      audit: dependencies.audit,
      service: 'enrichment',
    });
    this.#suspects = new SuspectAddresses({ lifetime: internal.failure_ttl, now: dependencies.now ?? Date.now });
  }

  /**
   * Who sends these headers.
   * @throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme`, `invalid_classification`, `invalid_caller`
   * @throws Unauthenticated `no_credentials`, and what is wrong with the token
   * @throws Forbidden `api_keys_disabled`, `malformed_api_key`, `unknown_service_key`, `wrong_service_key`, `caller_not_named`,
   *   `account_disabled`, and why the provider's user gets no account
   * @throws TooManyRequests `too_many_failed_logins`
   * @throws Unavailable while the keys of the provider cannot be had
   */
  async identify(request: EnrichmentRequest): Promise<Actor> {
    let credential: EnrichmentCredential | undefined;
    try {
      credential = readEnrichmentCredential(request.authorization);
      return credential.kind === 'access_token'
        ? await this.#byToken(credential.token, request)
        : await this.#byKey(credential.name, credential.secret, request);
    } catch (error) {
      this.#auditRefusal(error, credential, request);
      throw error;
    }
  }

  async #byToken(token: string, request: EnrichmentRequest): Promise<Actor> {
    const { providerCallers, audit } = this.#dependencies;
    const caller = await providerCallers.identify(token, 'enrichment', request);
    const { user, method, impersonator, verified } = caller;
    if (!user.is_active) throw attributed(accountDisabled(user.uname), holderOfUser(user, verified));
    if (method === 'oauth') return this.#actors.actorOf(user, TOKEN_GRANT);
    reportOnBehalfOfCall(audit, 'enrichment', request, caller);
    return this.#actors.actorOf(user, { ...TOKEN_GRANT, method, impersonator });
  }

  async #byKey(name: string, secret: string, { address, ...user }: EnrichmentRequest): Promise<Actor> {
    rejectDisabledKeys(this.#dependencies.settings.auth);
    if (name === '' || secret === '') {
      throw new Forbidden(
        'malformed_api_key',
        'You must provide your API key in the proper format in the Authorization header.',
      );
    }
    if (this.#suspects.has(address)) await this.#throttle.checkAddress(address);
    const verdict = this.#keys.verify(name, secret);
    if (verdict !== 'right') {
      this.#suspects.add(address);
      await this.#throttle.failed(address);
      if (verdict === 'unknown') throw new Forbidden('unknown_service_key', 'API Key does not exist');
      throw new Forbidden('wrong_service_key', 'Invalid API key');
    }
    return this.#keyCallers.actorOf(name, user);
  }

  #auditRefusal(error: unknown, credential: EnrichmentCredential | undefined, request: EnrichmentRequest): void {
    // Callers without any credential are in the request log; here they would bury what matters.
    if (isTriadError(error) && error.code === 'no_credentials') return;
    const key = credential?.kind === 'service_key' ? credential.name : undefined;
    const method = credential && (key === undefined ? 'oauth' : 'api_key');
    // Only a key vouches for users by header.
    const who = { user: key === undefined ? undefined : request.userId, method, key };
    auditRefusal(this.#dependencies, error, {
      event: 'credential_refused',
      ...originAt('enrichment', request),
      ...who,
    });
  }
}
