import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { attributed, type CredentialHolder } from '../audit/refusals.ts';
import type { IdentityLog } from '../identity-log.ts';
import { type IdentityProvider, LEEWAY } from './provider.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { TokenCache } from './token-cache.ts';
import {
  isNoBearerToken,
  MAX_TOKEN_LENGTH,
  readUnverified,
  SIGNATURE_ALGORITHMS,
  type UnverifiedToken,
} from './token-claims.ts';
import { holderOfToken, type VerifiedToken } from './verified-token.ts';

export interface TokenVerifierDependencies {
  readonly registry: ProviderRegistry;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Why a token was refused, for the log; what it says and should say besides. */
interface RefusedToken {
  readonly reason: string;
  readonly [more: string]: unknown;
}

/** Only this provider counts. */
export interface VerifyOptions {
  readonly provider?: string | undefined;
}

/**
 * Verifies access tokens of identity providers: signature by a key of the provider whose issuer the token names, by the algorithm of that key;
 * issuer, an audience of the service, subject, expiry, not-before and time of issue with 30 s leeway (RFC 7519, 8725, 9068). A token that was verified is known until
 * it expires, or until its provider withdraws the key. Safe for concurrent use.
 */
export class TokenVerifier {
  readonly #registry: ProviderRegistry;
  readonly #log: IdentityLog;
  readonly #now: () => number;
  readonly #known: Readonly<Record<ServiceName, TokenCache>> = {
    alerts: new TokenCache(),
    analysis: new TokenCache(),
    enrichment: new TokenCache(),
  };

  constructor(dependencies: TokenVerifierDependencies) {
    this.#registry = dependencies.registry;
    this.#log = dependencies.log;
    this.#now = dependencies.now ?? Date.now;
  }

  /**
   * @throws Unauthenticated `invalid_token`, whatever is wrong with it (the log says what); `token_expired`
   * @throws Unavailable `identity_provider_unavailable`, when the provider has to be asked and does not answer
   */
  async verify(token: string, service: ServiceName, options: VerifyOptions = {}): Promise<VerifiedToken> {
    return this.seen(token, service, options) ?? (await this.#verifyNew(token, service, options));
  }

  /** What is known of a token that was verified before; undefined when it has to be verified (again). Nothing is asked, nothing waits. */
  seen(token: string, service: ServiceName, { provider }: VerifyOptions = {}): VerifiedToken | undefined {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const known = this.#known[service].find(token);
    if (!known || (provider !== undefined && provider !== known.verified.provider)) return undefined;
    const expired = this.#now() >= known.verified.expires + LEEWAY * 1000;
    if (!expired && this.#registry.find(known.verified.provider)?.keys.has(known.keyId)) return known.verified;
    this.#known[service].forget(token);
    return undefined;
  }

  async #verifyNew(token: string, service: ServiceName, { provider }: VerifyOptions): Promise<VerifiedToken> {
    const read = readUnverified(token);
    if ('reason' in read) throw this.#refusal(service, { reason: read.reason });
    let refusal: unknown;
    for (const candidate of this.#candidates(read, provider)) {
      try {
        const verified = await this.#verifyBy(candidate, token, read.keyId, service);
        if (!verified) continue;
        this.#known[service].remember(token, { verified, keyId: read.keyId });
        return verified;
      } catch (error) {
        refusal ??= error;
      }
    }
    const { issuer, keyId } = read;
    throw refusal ?? this.#refusal(service, { reason: 'unknown_issuer_or_key', ...shortened({ issuer, keyId }) });
  }

  /** Providers that the token may be of: by its issuer; where that is not known of a provider, by its key. */
  #candidates({ issuer, keyId }: UnverifiedToken, name: string | undefined): readonly IdentityProvider[] {
    const named = issuer === undefined ? [] : this.#registry.withIssuer(issuer);
    const byKey = this.#registry.withoutIssuer();
    // Those that have the key come first: the others would have to be asked.
    const candidates =
      named.length > 0 ? named : byKey.toSorted((a, b) => Number(b.keys.has(keyId)) - Number(a.keys.has(keyId)));
    return name === undefined ? candidates : candidates.filter((provider) => provider.name === name);
  }

  /** Undefined when the provider has no such key. */
  async #verifyBy(
    provider: IdentityProvider,
    token: string,
    keyId: string,
    service: ServiceName,
  ): Promise<VerifiedToken | undefined> {
    const keys = await provider.keys.setWith(keyId);
    if (!keys) return undefined;
    const { jwt_token_alg } = provider.settings;
    let claims: JWTPayload;
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: jwt_token_alg === null ? [...SIGNATURE_ALGORITHMS] : [jwt_token_alg],
        audience: [...provider.client(service).audiences],
        ...(provider.hasKnownIssuer ? { issuer: [...provider.issuers()] } : {}),
        requiredClaims: ['sub', 'exp', 'aud'],
        clockTolerance: LEEWAY,
        currentDate: new Date(this.#now()),
      });
      claims = payload;
    } catch (error) {
      const refusal =
        error instanceof errors.JWTExpired
          ? this.#expired(service, provider, error)
          : this.#refusal(service, { ...this.#explained(error, provider, service), provider: provider.name }, error);
      throw attributed(refusal, verifiedHolder(error, provider.name));
    }
    const { sub, exp, iat } = claims;
    const { name } = provider;
    const verified = { provider: name, claims, token, expires: (exp ?? 0) * 1000 };
    const refuse = (entry: RefusedToken) =>
      attributed(this.#refusal(service, { ...entry, provider: name }), holderOfToken(verified));
    if (typeof sub !== 'string' || sub === '' || exp === undefined) throw refuse({ reason: 'sub' });
    if (isNoBearerToken(claims)) throw refuse({ reason: 'kind' });
    const now = Math.floor(this.#now() / 1000);
    // Accounts remember the time of issue, so one of the future would keep later claims out.
    if (iat !== undefined && !(typeof iat === 'number' && iat <= now + LEEWAY))
      throw refuse({ reason: 'iat', ...shortened({ iat }), now });
    return verified;
  }

  /** Callers learn that it is no good; operators learn why. */
  #refusal(service: ServiceName, entry: RefusedToken, cause: unknown = new Error(entry.reason)): Unauthenticated {
    this.#log.info({ service, ...entry }, `a token was refused: ${entry.reason}`);
    return new Unauthenticated('invalid_token', 'Something went wrong when decoding your key. Please reauthenticate.', {
      cause,
    });
  }

  /** What the token says where it should say something else. */
  #explained(error: unknown, provider: IdentityProvider, service: ServiceName): RefusedToken {
    const reason = reasonOf(error);
    if (!(error instanceof errors.JWTClaimValidationFailed)) return { reason };
    const { aud, iss, nbf } = error.payload;
    if (reason === 'aud') return { reason, ...shortened({ aud }), accepted: provider.client(service).audiences };
    if (reason === 'iss') return { reason, ...shortened({ iss }), accepted: provider.issuers() };
    return reason === 'nbf' ? { reason, nbf, now: Math.floor(this.#now() / 1000) } : { reason };
  }

  #expired(service: ServiceName, provider: IdentityProvider, cause: unknown): Unauthenticated {
    this.#log.info({ service, reason: 'expired', provider: provider.name }, 'a token was refused: expired');
    return new Unauthenticated('token_expired', 'Token Expired', { cause });
  }
}

/** The library checks claims after the signature, and gives the errors of claims what it verified. */
function verifiedHolder(error: unknown, provider: string): CredentialHolder {
  const isOfClaims = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
  return isOfClaims ? holderOfToken({ provider, claims: error.payload }) : {};
}

/** Whoever makes a token can write anything into it. */
function shortened(entry: object): object {
  const shown = Object.entries(entry).map(([key, value]) => [key, JSON.stringify(value)?.slice(0, 300)]);
  return Object.fromEntries(shown);
}

/** `aud`, `nbf`, ... or the code of the library. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  return error instanceof errors.JOSEError ? error.code.toLowerCase().replace(/^err_/, '') : 'unreadable';
}
