import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { attributed, type CredentialHolder } from '../audit/audit-log.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { CredentialsOfKind, VerifiedCredentials } from '../verified-credentials.ts';
import { type IdentityProvider, LEEWAY } from './provider.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { holderOfToken, type VerifiedToken } from './verified-token.ts';

interface TokenVerifierDependencies {
  readonly registry: ProviderRegistry;
  readonly credentials: VerifiedCredentials;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

const EXPIRED = 'expired';

/** The reason of a refusal for the log, with the found and the accepted values. */
interface RefusedToken {
  readonly reason: string;
  readonly [more: string]: unknown;
}

/**
 * Verifies access tokens of providers: the signature with a key of the provider of their issuer and
 * the algorithm of that key; issuer, audience, subject, expiry, not-before and time of issue with 30 s leeway (RFC 7519, 8725,
 * 9068). Caches a token until it expires or its provider withdraws the key. Safe for concurrent use.
 */
export class TokenVerifier {
  readonly #registry: ProviderRegistry;
  readonly #log: IdentityLog;
  readonly #now: () => number;
  readonly #known: CredentialsOfKind<{ readonly verified: VerifiedToken; readonly keyId: string }>;

  constructor(dependencies: TokenVerifierDependencies) {
    this.#registry = dependencies.registry;
    this.#known = dependencies.credentials.ofKind('provider_token');
    this.#log = dependencies.log;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Verifies a token; throws `token_expired`, `invalid_token` (the log says why), Unavailable. */
  async verify(token: string, service: ServiceName, provider?: string): Promise<VerifiedToken> {
    return this.seen(token, service, provider) ?? (await this.#verifyNew(token, service, provider));
  }

  /** Returns a cached token without waiting; undefined when it has to be verified. */
  seen(token: string, service: ServiceName, provider?: string): VerifiedToken | undefined {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const key = this.#known.keyOf(token, service);
    const known = this.#known.get(key);
    if (!known || (provider !== undefined && provider !== known.verified.provider)) return undefined;
    const expired = this.#now() >= known.verified.expires + LEEWAY * 1000;
    if (!expired && this.#registry.find(known.verified.provider)?.keys.has(known.keyId)) return known.verified;
    this.#known.delete(key);
    return undefined;
  }

  async #verifyNew(token: string, service: ServiceName, provider?: string): Promise<VerifiedToken> {
    const read = readUnverified(token);
    if ('reason' in read) throw this.#refusal(service, { reason: read.reason });
    let refusal: unknown;
    for (const candidate of this.#candidates(read.issuer, read.keyId, provider)) {
      try {
        const verified = await this.#verifyBy(candidate, token, read.keyId, service);
        if (!verified) continue;
        this.#known.set(this.#known.keyOf(token, service), { verified, keyId: read.keyId }, { size: token.length });
        return verified;
      } catch (error) {
        refusal ??= error;
      }
    }
    const { issuer, keyId } = read;
    throw refusal ?? this.#refusal(service, { reason: 'unknown_issuer_or_key', ...shortened({ issuer, keyId }) });
  }

  /** Returns the providers of the issuer of a token, else those with an unknown issuer. */
  #candidates(issuer: string | undefined, keyId: string, name: string | undefined): readonly IdentityProvider[] {
    const named = issuer === undefined ? [] : this.#registry.withIssuer(issuer);
    const byKey = this.#registry.withoutIssuer();
    // Providers with the key are first: the others require a request.
    const candidates =
      named.length > 0 ? named : byKey.toSorted((a, b) => Number(b.keys.has(keyId)) - Number(a.keys.has(keyId)));
    return name === undefined ? candidates : candidates.filter((provider) => provider.name === name);
  }

  /** Returns undefined when the provider has no such key. */
  async #verifyBy(
    provider: IdentityProvider,
    token: string,
    keyId: string,
    service: ServiceName,
  ): Promise<VerifiedToken | undefined> {
    const keys = await provider.keys.setWith(keyId);
    if (!keys) return undefined;
    const { name, settings } = provider;
    const { jwt_token_alg } = settings;
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
      const entry = { ...this.#explained(error, provider, service), provider: name };
      throw attributed(this.#refusal(service, entry, error), verifiedHolder(error, name));
    }
    const { sub, exp, iat } = claims;
    const verified = { provider: name, claims, token, expires: (exp ?? 0) * 1000 };
    const refuse = (entry: RefusedToken) =>
      attributed(this.#refusal(service, { ...entry, provider: name }), holderOfToken(verified));
    if (typeof sub !== 'string' || sub === '' || exp === undefined) throw refuse({ reason: 'sub' });
    if (isNoBearerToken(claims)) throw refuse({ reason: 'kind' });
    const now = Math.floor(this.#now() / 1000);
    // Accounts store the time of issue: with one in the future, they would ignore later claims.
    if (iat !== undefined && !(typeof iat === 'number' && iat <= now + LEEWAY))
      throw refuse({ reason: 'iat', ...shortened({ iat }), now });
    return verified;
  }

  /** Logs the reason of a refusal, which callers do not learn. */
  #refusal(service: ServiceName, entry: RefusedToken, cause: unknown = new Error(entry.reason)): Unauthenticated {
    this.#log.info({ service, ...entry }, `a token was refused: ${entry.reason}`);
    if (entry.reason === EXPIRED) return new Unauthenticated('token_expired', 'Token Expired', { cause });
    return new Unauthenticated('invalid_token', 'Something went wrong when decoding your key. Please reauthenticate.', {
      cause,
    });
  }

  /** Adds the found and the accepted values to the reason. */
  #explained(error: unknown, provider: IdentityProvider, service: ServiceName): RefusedToken {
    if (error instanceof errors.JWTExpired) return { reason: EXPIRED };
    const reason = reasonOf(error);
    if (!(error instanceof errors.JWTClaimValidationFailed)) return { reason };
    const { aud, iss, nbf } = error.payload;
    if (reason === 'aud') return { reason, ...shortened({ aud }), accepted: provider.client(service).audiences };
    if (reason === 'iss') return { reason, ...shortened({ iss }), accepted: provider.issuers() };
    return reason === 'nbf' ? { reason, nbf, now: Math.floor(this.#now() / 1000) } : { reason };
  }
}

/** Returns the holder of a token whose claims failed, after its signature was verified. */
function verifiedHolder(error: unknown, provider: string): CredentialHolder {
  const isOfClaims = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
  return isOfClaims ? holderOfToken({ provider, claims: error.payload }) : {};
}

/** Shortens the values of a token, which anyone can write. */
function shortened(entry: object): object {
  const shown = Object.entries(entry).map(([key, value]) => [key, JSON.stringify(value)?.slice(0, 300)]);
  return Object.fromEntries(shown);
}

/** Returns the failing claim, such as `aud`, or the error code of the library. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim;
  return error instanceof errors.JOSEError ? error.code.toLowerCase().replace(/^err_/, '') : 'unreadable';
}

/** Maximum length of a token in characters. */
export const MAX_TOKEN_LENGTH = 16_384;
const MAX_KEY_ID_LENGTH = 512;

/** Algorithms of published keys. */
const SIGNATURE_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** Returns the unverified key and issuer, or the reason why it cannot be a token of a provider. */
function readUnverified(token: string) {
  if (token.length > MAX_TOKEN_LENGTH) return { reason: 'too_long' };
  let header: ReturnType<typeof decodeProtectedHeader>;
  let claims: ReturnType<typeof decodeJwt>;
  try {
    header = decodeProtectedHeader(token);
    claims = decodeJwt(token);
  } catch {
    return { reason: 'malformed' };
  }
  const { kid, alg, typ } = header;
  if (!SIGNATURE_ALGORITHMS.includes(alg ?? '')) return { reason: 'algorithm' };
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KEY_ID_LENGTH) return { reason: 'key_identifier' };
  // RFC 8725 section 3.11: a token of another type is not accepted as an access token.
  if (typ !== undefined && !(typeof typ === 'string' && ACCESS_TOKEN_TYPE.test(typ))) return { reason: 'type' };
  if (claims.iss !== undefined && typeof claims.iss !== 'string') return { reason: 'issuer' };
  return { keyId: kid, issuer: claims.iss };
}

const ACCESS_TOKEN_TYPE = /^(?:application\/)?(?:jwt|at\+jwt)$/i;

/**
 * Returns whether verified claims belong to another kind of token: an identity, refresh or logout
 * token, a security event (RFC 8417), or one that is bound to a key of its holder (RFC 9449 section 7.2). If the
 * audience is the client itself, their other claims are those of an access token.
 */
function isNoBearerToken(claims: Readonly<Record<string, unknown>>): boolean {
  const { typ, token_use, cnf, at_hash, c_hash, events, nonce, scope, scp } = claims;
  // The kind of token of Keycloak; that of Cognito is in `token_use`.
  const otherKind = typeof typ === 'string' && !['bearer', 'jwt', 'at+jwt'].includes(typ.toLowerCase());
  // Identity tokens contain the nonce of the login. Some providers add it to access tokens, which have a scope.
  const isOfLogin = nonce !== undefined && scope === undefined && scp === undefined;
  const marks = [cnf, at_hash, c_hash, events];
  return otherKind || token_use === 'id' || isOfLogin || marks.some((mark) => mark !== undefined);
}
