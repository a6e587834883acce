import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { webauthnHelpers } from './webauthn-library.ts';

type Options = PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON;
type Helpers = Awaited<ReturnType<typeof webauthnHelpers>>;
type CborValue = Parameters<Helpers['isoCBOR']['encode']>[0];

/** Members that are bytes: challenge, identifiers of credentials and of the user. */
const BINARY: ReadonlySet<string> = new Set(['challenge', 'id']);

/**
 * Encodes options for `navigator.credentials` as the public system sends them: CBOR of
 * `{publicKey: options}`, in which challenge and identifiers are byte strings, as a list of bytes.
 */
export async function optionsAsBytes(options: Options): Promise<readonly number[]> {
  const { isoCBOR } = await webauthnHelpers();
  return [...isoCBOR.encode(new Map<string, CborValue>([['publicKey', cborOf(options, '')]]))];
}

function cborOf(value: unknown, path: string): CborValue {
  if (Array.isArray(value)) return value.map((item) => cborOf(item, path));
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return new Map(members.map(([name, member]) => [name, memberOf(path, name, member)]));
  }
  return value as string | number | boolean | null;
}

function memberOf(path: string, name: string, value: unknown): CborValue {
  // The identifier of the relying party is a host name.
  const isBinary = BINARY.has(name) && path !== 'rp' && typeof value === 'string';
  return isBinary ? Uint8Array.from(Buffer.from(value, 'base64url')) : cborOf(value, name);
}
