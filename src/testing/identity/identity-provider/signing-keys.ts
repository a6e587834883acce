import { constants, createHmac, KeyObject, sign, type webcrypto } from 'node:crypto';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** A key of its own for each call. */
export async function makeSigningKey(
  keyId: string,
  alg: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA' = 'RS256',
): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const marks = { kid: keyId, use: 'sig', alg };
  return {
    keyId,
    privateKey,
    publicKey,
    privateJwk: { ...(await exportJWK(privateKey)), ...marks },
    publicJwk: { ...(await exportJWK(publicKey)), ...marks },
  };
}

/** The keys of a provider for tests; the first one signs. */
export class SigningKeys {
  #keys: readonly SigningKey[];
  #made = 1;
  readonly #name: string;

  private constructor(name: string, keys: readonly SigningKey[]) {
    this.#name = name;
    this.#keys = keys;
  }

  static async make(name: string): Promise<SigningKeys> {
    return new SigningKeys(name, [await makeSigningKey(`${name}-1`)]);
  }

  get current(): SigningKey {
    const [first] = this.#keys;
    if (!first) throw new Error('there is always a key');
    return first;
  }

  /** With the private halves. */
  all(): readonly SigningKey[] {
    return this.#keys;
  }

  published(): JSONWebKeySet {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) } as JSONWebKeySet;
  }

  async rotate({ keepOld = false }: { readonly keepOld?: boolean } = {}): Promise<void> {
    this.#made += 1;
    const next = await makeSigningKey(`${this.#name}-${this.#made}`);
    this.#keys = [next, ...(keepOld ? this.#keys : [])];
  }
}

/** A token with exactly these claims and this header, also such as no library would sign. */
export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  key: Pick<SigningKey, 'privateKey' | 'keyId' | 'publicJwk'>,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const whole = { alg: key.publicJwk.alg ?? 'RS256', kid: key.keyId, typ: 'at+jwt', ...header };
  const content = `${encoded(whole)}.${encoded(claims)}`;
  const size = /(256|384|512)$/.exec(String(whole.alg))?.[1] ?? '256';
  const isEdwards = key.publicJwk.kty === 'OKP';
  const signature = sign(isEdwards ? null : `sha${size}`, Buffer.from(content), {
    key: KeyObject.from(key.privateKey as webcrypto.CryptoKey),
    dsaEncoding: 'ieee-p1363',
    ...(whole.alg.startsWith('PS') ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: Number(size) / 8 } : {}),
  });
  return `${content}.${signature.toString('base64url')}`;
}

/** A token whose signature is made of the published key as if that were a secret. */
export async function signWithPublicKey(
  claims: Readonly<Record<string, unknown>>,
  key: SigningKey,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const content = `${encoded({ alg: 'HS256', kid: key.keyId, typ: 'at+jwt', ...header })}.${encoded(claims)}`;
  const signature = createHmac('sha256', await exportSPKI(key.publicKey))
    .update(content)
    .digest('base64url');
  return `${content}.${signature}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
