import { hash } from 'node:crypto';
import type { User } from '../../documents/kinds/user.ts';
import { isReservedKey } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { RecentUser } from '../user-store.ts';

/** Facts about a security key that the public system does not store. */
export type SecurityKeyDetails = NonNullable<User['security_token_details']>[string];

/** A registered security key of a user. */
export interface SecurityKey {
  readonly name: string;
  /** Identifier of the credential, in base64url. */
  readonly id: string;
  /** Public key in the form of COSE. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** Undefined: the public system registered it. */
  readonly details: SecurityKeyDetails | undefined;
}

/** Longest identifier of a credential (WebAuthn section 4), and length of what precedes it. */
const MAX_ID = 1023;
const AAGUID = 16;
const MAX_NAME = 64;

/** Returns the security keys of a user. A damaged record is no key. */
export function securityKeysOf(
  user: Pick<RecentUser, 'security_tokens' | 'security_token_details'>,
): readonly SecurityKey[] {
  const { security_tokens: tokens, security_token_details: details } = user;
  return Object.entries(tokens ?? {}).flatMap(([name, token]) => {
    const credential = readStoredToken(token);
    return credential === undefined ? [] : [{ name, ...credential, details: details?.[detailsKey(credential.id)] }];
  });
}

/** Returns the name under which the details of a credential are stored: keys may be renamed. */
export function detailsKey(id: string): string {
  return hash('sha256', id, 'base64url');
}

/**
 * Encodes a credential as the public system stores it: attested credential data of WebAuthn (section
 * 6.5.1), which are AAGUID, length of the identifier, identifier and public key, in base64url.
 */
export function storedToken(id: string, publicKey: Uint8Array): string {
  const credentialId = Buffer.from(id, 'base64url');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  return Buffer.concat([Buffer.alloc(AAGUID), length, credentialId, publicKey]).toString('base64url');
}

function readStoredToken(token: string): Pick<SecurityKey, 'id' | 'publicKey'> | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length < AAGUID + 2) return undefined;
  const length = bytes.readUInt16BE(AAGUID);
  const end = AAGUID + 2 + length;
  if (length === 0 || length > MAX_ID || end >= bytes.length) return undefined;
  return { id: bytes.subarray(AAGUID + 2, end).toString('base64url'), publicKey: new Uint8Array(bytes.subarray(end)) };
}

/** @throws InvalidInput `invalid_key_name` */
export function assertSecurityKeyName(name: string): void {
  if (name.length <= MAX_NAME && /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_ -]*$/u.test(name) && !isReservedKey(name)) return;
  throw new InvalidInput(
    'invalid_key_name',
    `${JSON.stringify(name.slice(0, MAX_NAME))} cannot name a security key. Use up to ${MAX_NAME} letters, digits, blanks, "_" and "-", with a letter or digit first.`,
    { at: 'name' },
  );
}
