import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
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
import type { VerifiedToken } from './verified-token.ts';

export interface TokenVerifierParts {
  readonly registry: ProviderRegistry;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Only this provider counts. */
export interface VerifyOptions {
  readonly provider?: string | undefined;
}

/**
 * Verifies access tokens of identity providers: signature by a key of the provider whose issuer the token names, by the algorithm of that key;
 * issuer, an audience of the service, subject, expiry and not-before with 30 s leeway (RFC 7519, 8725, 9068). A token that was verified is known until
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

  constructor(parts: TokenVerifierParts) {
    this.#registry = parts.registry;
    this.#log = parts.log;
    this.#now = parts.now ?? Date.now;
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
    if ('reason' in read) throw this.#refusal(service, read.reason);
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
    throw refusal ?? this.#refusal(service, 'unknown_issuer_or_key');
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
      if (error instanceof errors.JWTExpired) throw this.#expired(service, provider, error);
      throw this.#refusal(service, reasonOf(error), provider, error);
    }
    const { sub, exp } = claims;
    if (typeof sub !== 'string' || sub === '' || exp === undefined) throw this.#refusal(service, 'sub', provider);
    if (isNoBearerToken(claims)) throw this.#refusal(service, 'kind', provider);
    return { provider: provider.name, claims, token, expires: exp * 1000 };
  }

  /** Callers learn that it is no good; operators learn why. */
  #refusal(service: ServiceName, reason: string, provider?: IdentityProvider, cause?: unknown): Unauthenticated {
    this.#log.info({ service, reason, provider: provider?.name }, `a token was refused: ${reason}`);
    return new Unauthenticated('invalid_token', 'Something went wrong when decoding your key. Please reauthenticate.', {
      cause,
    });
  }

  #expired(service: ServiceName, provider: IdentityProvider, cause: unknown): Unauthenticated {
    this.#log.info({ service, reason: 'expired', provider: provider.name }, 'a token was refused: expired');
    return new Unauthenticated('token_expired', 'Token Expired', { cause });
  }
}

/** `aud`, `nbf`, ... or the code of the library. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  return error instanceof errors.JOSEError ? error.code.toLowerCase().replace(/^err_/, '') : 'unreadable';
}
