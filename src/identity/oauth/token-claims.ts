import { decodeJwt, decodeProtectedHeader } from 'jose';

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
