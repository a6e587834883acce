import { base64url, type CryptoKey, EncryptJWT, exportSPKI, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { ServiceName } from '../../src/identity/actor.ts';
import {
  makeSigningKey,
  type SigningKey,
  signToken,
} from '../../src/testing/identity/identity-provider/signing-keys.ts';
import type { TestIdentityProvider } from '../../src/testing/identity/identity-provider.ts';

/**
 * The means of an attacker: tokens and public keys of the provider, providers and servers of their
 * own.
 */
export interface Forge {
  /** The provider that the installation trusts. */
  readonly provider: TestIdentityProvider;
  /** Another one that it trusts, for other audiences; its keys have the same identifiers. */
  readonly other: TestIdentityProvider;
  /** One that it does not know; its keys have the same identifiers. */
  readonly unknown: TestIdentityProvider;
  /** A server that counts who fetches keys from it. */
  readonly keyServer: string;
}

export interface ForgedToken {
  readonly what: string;
  /** Stable code of the refusal. Default `invalid_token`. */
  readonly code?: string;
  /**
   * The trusted provider whose signature is good, so that the audit log names it and the subject.
   * Default: none.
   */
  readonly signedBy?: 'main' | 'other';
  make(forge: Forge, service: ServiceName): Promise<string>;
}

/** A user with an account at the provider and none here. A token that works would create one. */
export const VICTIM = 'lovelace';
/** A key that belongs to no provider. */
const forgersKey = makeSigningKey('key-1');

const seconds = () => Math.floor(Date.now() / 1000);
const json = (value: unknown) => base64url.encode(JSON.stringify(value));
const victims = ({ provider }: Forge, service: ServiceName, more: Record<string, unknown> = {}): JWTPayload =>
  provider.claims(VICTIM, service, more);

/** Signed by the provider's own key: everything about it is right but these claims. */
const withClaims = (claims: (forge: Forge, service: ServiceName) => Record<string, unknown>): ForgedToken['make'] => {
  return (forge, service) => forge.provider.accessToken(VICTIM, service, claims(forge, service));
};

/**
 * Signed by the forger, with the key identifier of the provider's key and this beside it in the
 * header.
 */
const withHeader = (header: (forge: Forge, key: SigningKey) => Record<string, unknown>): ForgedToken['make'] => {
  return async (forge, service) => {
    const key = await forgersKey;
    return signToken(victims(forge, service), key, { kid: forge.provider.keys.current.keyId, ...header(forge, key) });
  };
};

/** HMAC with something public as the secret. */
const withPublicSecret = (secret: (key: SigningKey) => Promise<string> | string): ForgedToken['make'] => {
  return async (forge, service) => {
    const key = forge.provider.keys.current;
    return new SignJWT(victims(forge, service))
      .setProtectedHeader({ alg: 'HS256', kid: key.keyId, typ: 'at+jwt' })
      .sign(new TextEncoder().encode(await secret(key)));
  };
};

const changed = async (forge: Forge, service: ServiceName, change: (parts: [string, string, string]) => string[]) => {
  const [head = '', body = '', signature = ''] = (await forge.provider.accessToken(VICTIM, service)).split('.');
  return change([head, body, signature]).join('.');
};

export const FORGED_TOKENS: readonly ForgedToken[] = [
  // Signatures
  {
    what: 'alg none',
    make: async (forge, service) => new UnsecuredJWT(victims(forge, service)).encode(),
  },
  {
    what: 'alg none, with the key identifier of the provider',
    make: async (forge, service) =>
      `${json({ alg: 'none', typ: 'at+jwt', kid: forge.provider.keys.current.keyId })}.${json(victims(forge, service))}.`,
  },
  ...['None', 'NONE', 'nOnE', ''].map((alg) => ({
    what: `alg ${alg === '' ? 'empty' : alg}, signature kept`,
    make: (forge: Forge, service: ServiceName) =>
      changed(forge, service, ([, body, signature]) => [
        json({ alg, kid: forge.provider.keys.current.keyId }),
        body,
        signature,
      ]),
  })),
  { what: 'HS256 with the public key as PEM', make: withPublicSecret(({ publicKey }) => exportSPKI(publicKey)) },
  { what: 'HS256 with the public key as JWK', make: withPublicSecret(({ publicJwk }) => JSON.stringify(publicJwk)) },
  { what: 'HS256 with the modulus', make: withPublicSecret(({ publicJwk }) => publicJwk.n ?? '') },
  { what: 'HS256 with an empty text, as of a key that is not there', make: withPublicSecret(() => '\0') },
  { what: 'signed by another key under the right key identifier', make: withHeader(() => ({})) },
  {
    what: 'claims changed after signing',
    make: (forge, service) =>
      changed(forge, service, ([head, , signature]) => [
        head,
        json(victims(forge, service, { sub: 'admin', preferred_username: 'admin', email: 'admin@example.org' })),
        signature,
      ]),
  },
  { what: 'signature cut off', make: (forge, service) => changed(forge, service, ([head, body]) => [head, body, '']) },
  {
    what: 'encrypted for the public key instead of signed',
    make: async (forge, service) =>
      new EncryptJWT(victims(forge, service))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: forge.provider.keys.current.keyId })
        .encrypt(forge.provider.keys.current.publicJwk.n === undefined ? new Uint8Array() : await encryptionKey(forge)),
  },

  // Which key
  { what: 'unknown key identifier', make: withHeader(() => ({ kid: 'another' })) },
  { what: 'no key identifier', make: withHeader(() => ({ kid: undefined })) },
  { what: 'key identifier that is not a string', make: withHeader(() => ({ kid: ['key-1'] })) },
  { what: 'key identifier with a path', make: withHeader(() => ({ kid: '../../../../../../dev/null' })) },
  { what: 'key identifier with an absolute path', make: withHeader(() => ({ kid: '/etc/passwd' })) },
  { what: 'key identifier with an address', make: withHeader(({ keyServer }) => ({ kid: `${keyServer}/jwks` })) },
  { what: 'key identifier of a prototype', make: withHeader(() => ({ kid: '__proto__' })) },
  { what: 'key identifier with a query', make: withHeader(() => ({ kid: "x' OR '1'='1" })) },
  { what: 'key identifier of 10,000 characters', make: withHeader(() => ({ kid: 'k'.repeat(10_000) })) },
  { what: 'its own key in jwk', make: withHeader((_forge, { publicJwk }) => ({ jwk: publicJwk })) },
  {
    what: 'its own key in jwk, without a key identifier',
    make: withHeader((_forge, { publicJwk }) => ({ kid: undefined, jwk: publicJwk })),
  },
  { what: 'the address of its own keys in jku', make: withHeader(({ keyServer }) => ({ jku: `${keyServer}/jwks` })) },
  {
    what: 'the address of its own certificate in x5u',
    make: withHeader(({ keyServer }) => ({ x5u: `${keyServer}/cert.pem` })),
  },
  {
    what: 'its own certificate in x5c',
    make: withHeader(() => ({ x5c: [Buffer.from('certificate').toString('base64')] })),
  },
  {
    what: 'an extension that has to be understood',
    make: async (forge, service) => {
      const key = forge.provider.keys.current;
      return new SignJWT(victims(forge, service))
        .setProtectedHeader({ alg: 'RS256', kid: key.keyId, crit: ['urn:example:x'], 'urn:example:x': true })
        .sign(key.privateKey, { crit: { 'urn:example:x': true } });
    },
  },

  // Which provider
  {
    what: 'of another trusted provider, with its key of the same identifier, for our audience',
    signedBy: 'other',
    make: async ({ other, provider }, service) =>
      signToken(provider.claims(VICTIM, service, { iss: other.issuer }), other.keys.current),
  },
  {
    what: 'signed by another trusted provider in the name of this one',
    make: async (forge, service) => signToken(victims(forge, service), forge.other.keys.current),
  },
  {
    what: 'of an untrusted provider',
    make: ({ unknown }, service) => unknown.accessToken(VICTIM, service),
  },
  {
    what: 'signed by an untrusted provider in the name of this one',
    make: async (forge, service) => signToken(victims(forge, service), forge.unknown.keys.current),
  },
  { what: 'wrong issuer', make: withClaims(() => ({ iss: 'https://login.example.org' })) },
  {
    what: 'issuer with a path behind it',
    make: withClaims(({ provider }) => ({ iss: `${provider.issuer}/realms/other` })),
  },
  { what: 'issuer with a slash behind it', make: withClaims(({ provider }) => ({ iss: `${provider.issuer}/` })) },
  { what: 'a list of issuers', make: withClaims(({ provider }) => ({ iss: [provider.issuer] })) },
  { what: 'no issuer', make: withClaims(() => ({ iss: undefined })) },

  // For whom
  { what: 'wrong audience', signedBy: 'main', make: withClaims(() => ({ aud: 'somebody-else' })) },
  {
    what: 'audience of another of our services',
    signedBy: 'main',
    make: ({ provider }, service) => provider.accessToken(VICTIM, service === 'alerts' ? 'enrichment' : 'alerts'),
  },
  { what: 'audience list without us', signedBy: 'main', make: withClaims(() => ({ aud: ['one', 'two', 'three'] })) },
  { what: 'empty audience list', signedBy: 'main', make: withClaims(() => ({ aud: [] })) },
  {
    what: 'audience that begins like ours',
    signedBy: 'main',
    make: withClaims((_forge, service) => ({ aud: `${service}-api.example.org` })),
  },
  {
    what: 'audience in another case',
    signedBy: 'main',
    make: withClaims((_forge, service) => ({ aud: `${service}-API` })),
  },
  { what: 'no audience', signedBy: 'main', make: withClaims(() => ({ aud: undefined })) },

  // When
  {
    what: 'expired',
    code: 'token_expired',
    signedBy: 'main',
    make: withClaims(() => ({ exp: seconds() - 31, iat: seconds() - 600 })),
  },
  { what: 'expired long ago', code: 'token_expired', signedBy: 'main', make: withClaims(() => ({ exp: 1 })) },
  { what: 'no expiry', signedBy: 'main', make: withClaims(() => ({ exp: undefined })) },
  { what: 'expiry that is a string', signedBy: 'main', make: withClaims(() => ({ exp: '9999999999' })) },
  { what: 'not yet good', signedBy: 'main', make: withClaims(() => ({ nbf: seconds() + 60 })) },
  { what: 'not-before that is a string', signedBy: 'main', make: withClaims(() => ({ nbf: 'now' })) },

  { what: 'issued in the future', signedBy: 'main', make: withClaims(() => ({ iat: seconds() + 60 })) },
  { what: 'time of issue that is a string', signedBy: 'main', make: withClaims(() => ({ iat: '1' })) },

  // Whose
  { what: 'no subject', signedBy: 'main', make: withClaims(() => ({ sub: undefined })) },
  { what: 'empty subject', signedBy: 'main', make: withClaims(() => ({ sub: '' })) },
  { what: 'subject that is a list', signedBy: 'main', make: withClaims(() => ({ sub: ['lovelace'] })) },

  // What it is
  {
    what: 'identity token instead of access token',
    signedBy: 'main',
    make: withClaims(() => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA', typ: 'ID' })),
  },
  {
    what: 'identity token of a provider that hashes nothing into it',
    signedBy: 'main',
    make: withClaims(() => ({ nonce: 'n-0S6_WzA2Mj' })),
  },
  {
    what: 'identity token of a provider that names it so',
    signedBy: 'main',
    make: withClaims(() => ({ token_use: 'id' })),
  },
  {
    what: 'logout token',
    signedBy: 'main',
    make: withClaims(() => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, sid: 'x' })),
  },
  {
    what: 'token bound to a key of its holder',
    signedBy: 'main',
    make: withClaims(() => ({ cnf: { jkt: 'AAAAAAAAAAAAAAAAAAAAAA' } })),
  },
  {
    what: 'type of another token',
    make: async (forge, service) =>
      signToken(victims(forge, service), forge.provider.keys.current, { typ: 'logout+jwt' }),
  },
  { what: 'oversized', make: withClaims(() => ({ padding: 'p'.repeat(20_000) })) },
  {
    what: 'claims that are no object',
    make: (forge, service) =>
      changed(forge, service, ([head, , signature]) => [head, base64url.encode('"x"'), signature]),
  },
  {
    what: 'claims nested 10,000 deep',
    make: (forge, service) =>
      changed(forge, service, ([head, , signature]) => [
        head,
        base64url.encode(`{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`),
        signature,
      ]),
  },
  { what: 'five parts', make: (forge, service) => changed(forge, service, (parts) => [...parts, 'a', 'b']) },
  { what: 'dots alone', make: async () => '..' },
];

async function encryptionKey({ provider }: Forge): Promise<CryptoKey> {
  const { kty, n, e } = provider.keys.current.publicJwk;
  return crypto.subtle.importKey(
    'jwk',
    { kty: kty ?? '', n: n ?? '', e: e ?? '' },
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['encrypt'],
  );
}
