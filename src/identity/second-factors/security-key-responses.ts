import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { webauthnHelpers } from './webauthn-library.ts';

/** Bytes of an answer of an authenticator, and characters of a part of it. Real ones have 2,000. */
const MAX_RESPONSE = 16 * 1024;
/** Position of the identifier in authenticator data, after hash, flags, counter, AAGUID and length. */
const ID_AT = 32 + 1 + 4 + 16 + 2;

const ASSERTION = ['clientDataJSON', 'authenticatorData', 'signature'] as const;
const ATTESTATION = ['clientDataJSON', 'attestationObject'] as const;
/** Kinds of connections, which browsers use to ask for the right key. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

type Parts<Name extends string> = Readonly<Record<Name, string>>;
/** Reads a member that holds bytes, as base64url. */
type ByteReader = (name: string) => string | undefined;

/**
 * Reads the answer to the challenge of a login: JSON as `navigator.credentials` gives it, or CBOR as a
 * list of bytes, which clients of the public system send. Returns undefined for anything else.
 */
export async function readAssertion(given: unknown): Promise<AuthenticationResponseJSON | undefined> {
  const members = await readMembers(given);
  const parts = members && readParts(members.bytesOf, ASSERTION);
  if (members?.id === undefined || parts === undefined) return undefined;
  return { ...credential(members.id), response: parts };
}

/** Reads the answer to the challenge of a registration, as `readAssertion`. */
export async function readAttestation(given: unknown): Promise<RegistrationResponseJSON | undefined> {
  const members = await readMembers(given);
  const parts = members && readParts(members.bytesOf, ATTESTATION);
  if (members === undefined || parts === undefined) return undefined;
  // The public form does not repeat the identifier, which the authenticator has signed.
  const id = members.id ?? (await attestedId(parts.attestationObject));
  return id === undefined ? undefined : { ...credential(id), response: { ...parts, ...transportsOf(given) } };
}

/** Returns the facts that a page has signed with its answer; undefined when they are not usable. */
export function readClientData(
  clientDataJSON: string,
): { readonly challenge: string; readonly origin: string } | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    if (!isObject(data)) return undefined;
    const { challenge, origin, crossOrigin, topOrigin } = data;
    if (typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
    // Keys are not used from frames: no page may show this installation in one.
    return crossOrigin === true || topOrigin !== undefined ? undefined : { challenge, origin };
  } catch {
    return undefined;
  }
}

async function readMembers(given: unknown): Promise<{ id: string | undefined; bytesOf: ByteReader } | undefined> {
  if (Array.isArray(given)) {
    if (given.length > MAX_RESPONSE || !given.every(isByte)) return undefined;
    const map = await readMap(Uint8Array.from(given));
    const bytesOf = (name: string) => bytesAt(map, name);
    return { id: bytesOf('credentialId'), bytesOf };
  }
  if (!isObject(given) || !isBase64(given.id) || !isObject(given.response)) return undefined;
  const { id, response } = given;
  return { id, bytesOf: (name) => (isBase64(response[name]) ? response[name] : undefined) };
}

/** Returns an empty map for anything but a map. */
async function readMap(bytes: Uint8Array<ArrayBuffer>): Promise<ReadonlyMap<unknown, unknown>> {
  const { isoCBOR } = await webauthnHelpers();
  try {
    const decoded: unknown = isoCBOR.decodeFirst(bytes);
    return decoded instanceof Map ? decoded : new Map();
  } catch {
    // Malformed, or nested deeper than the stack.
    return new Map();
  }
}

function bytesAt(map: ReadonlyMap<unknown, unknown>, name: string): string | undefined {
  const value = map.get(name);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined;
}

function readParts<Name extends string>(bytesOf: ByteReader, names: readonly Name[]): Parts<Name> | undefined {
  const found = names.map((name) => [name, bytesOf(name)] as const);
  return found.every(([, bytes]) => bytes !== undefined) ? (Object.fromEntries(found) as Parts<Name>) : undefined;
}

async function attestedId(attestationObject: string): Promise<string | undefined> {
  const map = await readMap(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const data = Buffer.from(bytesAt(map, 'authData') ?? '', 'base64url');
  if (data.length < ID_AT) return undefined;
  return data.subarray(ID_AT, ID_AT + data.readUInt16BE(ID_AT - 2)).toString('base64url') || undefined;
}

function transportsOf(given: unknown): { readonly transports?: (typeof TRANSPORTS)[number][] } {
  const named = isObject(given) && isObject(given.response) ? given.response.transports : undefined;
  return Array.isArray(named) ? { transports: TRANSPORTS.filter((one) => named.includes(one)) } : {};
}

function credential(given: string) {
  const id = given.replace(/=+$/, '');
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_RESPONSE && /^[A-Za-z0-9_-]+=*$/.test(value);
}
