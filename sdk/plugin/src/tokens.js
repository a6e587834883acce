import { createPublicKey, verify } from 'node:crypto';
import { AuthenticationFailed } from './errors.js';

const ALGORITHMS = {
  RS256: { kty: 'RSA', hash: 'sha256' },
  RS384: { kty: 'RSA', hash: 'sha384' },
  RS512: { kty: 'RSA', hash: 'sha512' },
  ES256: { kty: 'EC', crv: 'P-256', hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  ES384: { kty: 'EC', crv: 'P-384', hash: 'sha384', dsaEncoding: 'ieee-p1363' },
  EdDSA: { kty: 'OKP', hash: null },
};
const LIFETIME = 12 * 3_600_000;
const REFRESH_PAUSE = 30_000;
/** Seconds by which clocks may differ. */
const LEEWAY = 30;

/** Returns a `validateToken` that checks tokens with the keys of a JWKS address. */
export function jwksTokens({ url, audience, issuer, now = Date.now, fetch: ask = fetch }) {
  if (!url || !audience) throw new TypeError('jwksTokens needs url and audience.');
  const audiences = [audience].flat();
  let loaded;
  const keysOf = async (isForced) => {
    const age = loaded === undefined ? Number.POSITIVE_INFINITY : now() - loaded.at;
    if (age > (isForced ? REFRESH_PAUSE : LIFETIME)) {
      const answer = await ask(url, { signal: AbortSignal.timeout(10_000), redirect: 'error' });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
      const { keys } = await answer.json();
      loaded = { at: now(), keys };
    }
    return loaded.keys;
  };
  return async (token) => {
    const parts = token.split('.');
    const [header, claims] = parts.length === 3 ? parts.slice(0, 2).map(decodePart) : [];
    if (header === undefined || claims === undefined) throw new AuthenticationFailed('The token is not a JWT.');
    const algorithm = Object.hasOwn(ALGORITHMS, header.alg) ? ALGORITHMS[header.alg] : undefined;
    if (algorithm === undefined) throw new AuthenticationFailed('The algorithm of the token is not accepted.');
    const fits = (key) =>
      key.kid === header.kid && key.kty === algorithm.kty && (algorithm.crv === undefined || key.crv === algorithm.crv);
    const key = (await keysOf(false)).find(fits) ?? (await keysOf(true)).find(fits);
    if (key === undefined) throw new AuthenticationFailed('The key of the token is not known.');
    const isSigned = verify(
      algorithm.hash,
      Buffer.from(`${parts[0]}.${parts[1]}`),
      {
        key: createPublicKey({ key, format: 'jwk' }),
        ...(algorithm.dsaEncoding ? { dsaEncoding: algorithm.dsaEncoding } : {}),
      },
      Buffer.from(parts[2], 'base64url'),
    );
    if (!isSigned) throw new AuthenticationFailed('The signature of the token is not valid.');
    const seconds = now() / 1000;
    if (!(claims.exp > seconds - LEEWAY)) throw new AuthenticationFailed('Token Expired');
    if (claims.nbf > seconds + LEEWAY) throw new AuthenticationFailed('The token is not valid yet.');
    if (![claims.aud].flat().some((one) => audiences.includes(one))) {
      throw new AuthenticationFailed('The token is for another audience.');
    }
    if (issuer !== undefined && claims.iss !== issuer)
      throw new AuthenticationFailed('The token is of another issuer.');
    return { user: userOf(claims), claims };
  };
}

/** Returns the name of the user that claims are about. */
export function userOf(claims) {
  const { email, upn, unique_name: unique, preferred_username: preferred, name, sub } = claims;
  return email ?? upn ?? unique ?? preferred ?? name?.replaceAll(/[^\w-]/g, '') ?? sub;
}

function decodePart(part) {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
