import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import { Forbidden, InvalidInput, isTriadError, Unauthenticated } from '../errors/errors.ts';
import { readAccessFor } from './accounts/read-access.ts';
import type { Actor, Privilege } from './actor.ts';
import { ActorFactory, type Grant } from './actor-factory.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { originAt, type RequestOrigin } from './audit/audit-origin.ts';
import { attributed, auditRefusal } from './audit/refusals.ts';
import { readBasic, splitAuthorization } from './credentials.ts';
import type { IdentityLog } from './identity-log.ts';
import { RecentFailures } from './limits/recent-failures.ts';
import { LoginThrottle } from './limits/throttle.ts';
import { accountDisabled, rejectDisabledKeys } from './login-refusals.ts';
import { networkOf } from './networks.ts';
import { type ProviderCallers, reportOnBehalfOfCall } from './oauth/provider-callers.ts';
import { holderOfUser } from './oauth/verified-token.ts';
import type { CredentialsOfKind, VerifiedCredentials } from './verified-credentials.ts';

export interface EnrichmentIdentityDependencies {
  readonly providerCallers: Pick<ProviderCallers, 'identify'>;
  readonly credentials: VerifiedCredentials;
  readonly coordination: Pick<Coordination, 'counters'>;
  readonly engine: ClassificationEngine;
  readonly settings: Pick<Settings, 'auth' | 'enrichment'>;
  readonly audit: AuditLog;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The user for whom a program with a configured key calls, by its own words. */
interface VouchedUser {
  /** Header X-USERID. */
  readonly userId: string | undefined;
  /** Header X-CLASSIFICATION. */
  readonly classification: string | undefined;
  /** Header X-USERNAME: the display name. */
  readonly name: string | undefined;
  /** Header X-EMAIL. */
  readonly email: string | undefined;
}

/** What the header `Authorization` of a request to the enrichment service says, not yet verified. */
type EnrichmentCredential =
  /** A configured key: its name, not that of a user. */
  | { readonly kind: 'service_key'; readonly name: string; readonly secret: string }
  | { readonly kind: 'access_token'; readonly token: string };

/** What a request to the enrichment service brings to say who is calling. */
export interface EnrichmentRequest extends VouchedUser, RequestOrigin {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
}

/** Characters of a header that names a user. */
const MAX_HEADER_LENGTH = 256;
/** Concurrent requests of a user without an account; as of one without a quota of their own. */
const QUOTA = 25;
/** Networks with recent failures; whether they had too many, in all processes, is asked only of these. */
const MAX_SUSPECT_NETWORKS = 10_000;
const NO_DIGEST = Buffer.alloc(32);
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
  /** Digests of the secrets of the configured keys (`enrichment.api_keys`), by name. */
  readonly #digests: Readonly<Record<string, Buffer>>;
  readonly #vouched: CredentialsOfKind<Actor>;
  readonly #actors: ActorFactory;
  readonly #throttle: LoginThrottle;
  readonly #suspects: RecentFailures<object>;

  constructor(dependencies: EnrichmentIdentityDependencies) {
    const { coordination, engine, settings, log } = dependencies;
    const { internal, users_without_access_control: usersWithoutAccessControl } = settings.auth;
    this.#dependencies = dependencies;
    const secrets = Object.entries(settings.enrichment.api_keys);
    this.#digests = Object.fromEntries(secrets.map(([name, secret]) => [name, digest(secret)]));
    this.#vouched = dependencies.credentials.ofKind('vouched_user');
    this.#actors = new ActorFactory({ engine, usersWithoutAccessControl, log });
    this.#throttle = new LoginThrottle({
      counters: coordination.counters,
      settings: internal,
      audit: dependencies.audit,
      service: 'enrichment',
    });
    this.#suspects = new RecentFailures({
      limit: MAX_SUSPECT_NETWORKS,
      lifetime: internal.failure_ttl * 1000,
      now: dependencies.now ?? Date.now,
    });
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
    const network = networkOf(address);
    if (this.#suspects.get(network)) await this.#throttle.checkAddress(address);
    const expected = Object.hasOwn(this.#digests, name) ? this.#digests[name] : undefined;
    // An unknown name takes the same time: its secret is compared with a digest that none has.
    if (!timingSafeEqual(digest(secret), expected ?? NO_DIGEST)) {
      this.#suspects.add(network, {});
      await this.#throttle.failed(address);
      if (expected === undefined) throw new Forbidden('unknown_service_key', 'API Key does not exist');
      throw new Forbidden('wrong_service_key', 'Invalid API key');
    }
    return this.#vouchedActor(name, user);
  }

  /**
   * Returns the actor for a user whom a program with a configured key vouches for. They need no account here, and their classification is the one
   * that was sent (contract/enrichment.md section 1.3): a program with such a key can see everything.
   * @throws Forbidden `caller_not_named`; InvalidInput `invalid_classification`, `invalid_caller`
   */
  #vouchedActor(keyName: string, { userId, classification, name, email }: VouchedUser): Actor {
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
    const clearance = this.#clearanceOf(classification);
    const access = readAccessFor(this.#dependencies.engine, clearance, userId);
    const actor: Actor = {
      username: userId,
      name: name || userId,
      email: email || undefined,
      roles: new Set(['user']),
      privileges: new Set(CALLER_PRIVILEGES),
      hasFullScope: false,
      isAdmin: false,
      groups: [],
      classification: clearance,
      searchAccess: access,
      readAccess: access,
      method: 'api_key',
      keyName,
      impersonator: keyName,
      quota: QUOTA,
    };
    this.#vouched.set(cacheKey, actor);
    return actor;
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

/**
 * Reads the header by contract/enrichment.md section 1.3.
 * @throws Unauthenticated `no_credentials`; InvalidInput `malformed_authorization`, `unknown_authorization_scheme`
 */
function readEnrichmentCredential(header: string | undefined): EnrichmentCredential {
  if (header === undefined || header === '') {
    throw new Unauthenticated('no_credentials', 'No Authorization header present');
  }
  const { scheme, data } = splitAuthorization(header);
  if (scheme === 'Basic') {
    const { username, rest } = readBasic(data);
    return { kind: 'service_key', name: username, secret: rest };
  }
  if (scheme !== 'Bearer') {
    throw new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.');
  }
  if (!data.includes('.')) {
    throw new InvalidInput('malformed_authorization', 'Internal bearer auth is not yet supported.');
  }
  return { kind: 'access_token', token: data };
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
