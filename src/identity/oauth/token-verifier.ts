import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { Unauthenticated } from '../../errors/errors.ts';
import type { ServiceName } from '../actor.ts';
import { attributed, type CredentialHolder } from '../audit/refusals.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { CredentialsOfKind, VerifiedCredentials } from '../verified-credentials.ts';
import { type IdentityProvider, LEEWAY } from './provider.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import { holderOfToken, type VerifiedToken } from './verified-token.ts';

export interface TokenVerifierDependencies {
  readonly registry: ProviderRegistry;
  readonly credentials: VerifiedCredentials;
  readonly log: IdentityLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Why a token was refused, for the log; what it says and should say besides. */
interface RefusedToken {
  readonly reason: string;
  readonly [more: string]: unknown;
}

/** A verified token with the key that it was signed with. */
interface KnownToken {
  readonly verified: VerifiedToken;
  readonly keyId: string;
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
  readonly #known: CredentialsOfKind<KnownToken>;

  constructor(dependencies: TokenVerifierDependencies) {
    this.#registry = dependencies.registry;
    this.#known = dependencies.credentials.ofKind('provider_token');
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
    const key = this.#known.keyOf(token, service);
    const known = this.#known.get(key);
    if (!known || (provider !== undefined && provider !== known.verified.provider)) return undefined;
    const expired = this.#now() >= known.verified.expires + LEEWAY * 1000;
    if (!expired && this.#registry.find(known.verified.provider)?.keys.has(known.keyId)) return known.verified;
    this.#known.delete(key);
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
        this.#known.set(this.#known.keyOf(token, service), { verified, keyId: read.keyId }, { size: token.length });
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

/** Longest token in characters; headers of a request hold no more than 16 KiB together anyway. */
export const MAX_TOKEN_LENGTH = 16_384;
const MAX_KEY_ID_LENGTH = 512;

/** Signatures that a published key can verify. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** What a token says of itself before anybody verified it: good for choosing the key, for nothing else. */
export interface UnverifiedToken {
  readonly keyId: string;
  readonly issuer: string | undefined;
}

/** Undefined with the reason when it cannot be a token of a provider, whoever signed it. */
export function readUnverified(token: string): UnverifiedToken | { readonly reason: string } {
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
  if (!SIGNATURE_ALGORITHMS.some((one) => one === alg)) return { reason: 'algorithm' };
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_KEY_ID_LENGTH) return { reason: 'key_identifier' };
  // RFC 8725 section 3.11: a token that says that it is something else is not taken for an access token.
  if (typ !== undefined && !(typeof typ === 'string' && ACCESS_TOKEN_TYPE.test(typ))) return { reason: 'type' };
  if (claims.iss !== undefined && typeof claims.iss !== 'string') return { reason: 'issuer' };
  return { keyId: kid, issuer: claims.iss };
}

const ACCESS_TOKEN_TYPE = /^(?:application\/)?(?:jwt|at\+jwt)$/i;

/**
 * Whether verified claims are those of something that is not to be sent as a bearer: an identity token, a refresh token, a logout token or another
 * security event (RFC 8417), or one that is bound to a key of its holder (RFC 9449 section 7.2). Where the audience is the client itself, their other
 * claims are those of an access token.
 */
export function isNoBearerToken(claims: Readonly<Record<string, unknown>>): boolean {
  const { typ, token_use, cnf, at_hash, c_hash, events, nonce, scope, scp } = claims;
  // Keycloak tells the kind of its tokens here, Cognito in `token_use`.
  const otherKind = typeof typ === 'string' && !['bearer', 'jwt', 'at+jwt'].includes(typ.toLowerCase());
  // Identity tokens repeat the nonce of the login; access tokens do so at some providers, and those have a scope.
  const isOfLogin = nonce !== undefined && scope === undefined && scp === undefined;
  const marks = [cnf, at_hash, c_hash, events];
  return otherKind || token_use === 'id' || isOfLogin || marks.some((mark) => mark !== undefined);
}
