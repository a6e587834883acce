import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type CborValue = Parameters<typeof isoCBOR.encode>[0];

/** Differences of an answer from the right one. */
export interface Tampering {
  /** Page that shows the answer. Default: that of the authenticator. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** Default: one more than at the last use. */
  readonly counter?: number;
  /** Default: the user was present. */
  readonly flags?: number;
  /** Form of the attestation with its statement. Default: `none`. */
  readonly attestation?: readonly [form: string, statement: ReadonlyMap<string, CborValue>];
  readonly signature?: Uint8Array;
}

const PRESENT = 0x01;
const WITH_CREDENTIAL = 0x40;

/**
 * A security key in software, with one credential (ES256), beside the browser that shows the page
 * `origin`. It answers like real ones (WebAuthn sections 6.1 and 6.5), and wrongly where tests say so.
 */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly origin: string;
  counter: number;
  readonly #counts: boolean;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** @param options.counts false: the counter stays 0, as that of passkeys */
  constructor({ origin = 'http://localhost:8080', counts = true } = {}) {
    this.origin = origin;
    this.counter = 0;
    this.#counts = counts;
  }

  /** Answers the challenge of a registration. */
  create(options: PublicKeyCredentialCreationOptionsJSON, tampering: Tampering = {}): RegistrationResponseJSON {
    const { rpId = options.rp.id ?? '', flags = PRESENT, attestation = ['none', new Map()] } = tampering;
    const idBytes = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(idBytes.length);
    const authData = Buffer.concat([
      this.#authenticatorData(rpId, flags | WITH_CREDENTIAL, tampering.counter),
      ...[Buffer.alloc(16), length, idBytes, this.#publicKey()],
    ]);
    const [form, statement] = attestation;
    const object = new Map<string, CborValue>([
      ['fmt', form],
      ['attStmt', new Map(statement)],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, tampering).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
        transports: ['usb'],
      },
    };
  }

  /** Answers the challenge of a login. */
  get(options: PublicKeyCredentialRequestOptionsJSON, tampering: Tampering = {}): AuthenticationResponseJSON {
    const { rpId = options.rpId ?? '', flags = PRESENT } = tampering;
    const authenticatorData = this.#authenticatorData(rpId, flags, tampering.counter);
    const clientData = this.#clientData('webauthn.get', options.challenge, tampering);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const signature = tampering.signature ?? sign('sha256', signed, this.#keys.privateKey);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: Buffer.from(signature).toString('base64url'),
      },
    };
  }

  #credential() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #authenticatorData(rpId: string, flags: number, counter = this.#counts ? this.counter + 1 : 0): Buffer {
    this.counter = Math.max(this.counter, counter);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  }

  #clientData(type: string, challenge: string, tampering: Tampering): Buffer {
    const { origin = this.origin, crossOrigin = false } = tampering;
    const data = { type: tampering.type ?? type, challenge: tampering.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data));
  }

  /** Returns the public key in the form of COSE (RFC 9053). */
  #publicKey(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, CborValue>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    return isoCBOR.encode(key as unknown as CborValue);
  }
}

/** Returns the form in which pages of the public system send an answer: CBOR as a list of bytes. */
export function asBytes(answer: AuthenticationResponseJSON | RegistrationResponseJSON): readonly number[] {
  const { id, response } = answer;
  const parts = 'signature' in response ? { credentialId: id, ...response } : response;
  const members = Object.entries(parts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, new Uint8Array(Buffer.from(value, 'base64url'))] as const] : [],
  );
  return [...isoCBOR.encode(new Map(members))];
}

/** Reads options as pages of the public system get them. */
export function optionsOfBytes<Options>(bytes: readonly number[]): Options {
  const decoded = isoCBOR.decodeFirst<CborValue>(Uint8Array.from(bytes));
  return (jsonOf(decoded) as { readonly publicKey: Options }).publicKey;
}

function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, member]) => [name, jsonOf(member)]));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
