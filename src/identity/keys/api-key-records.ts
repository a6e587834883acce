import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { verify as bcryptVerify } from '@node-rs/bcrypt';
import { generateSecret } from 'otplib';
import type { User } from '../../documents/kinds/user.ts';
import { isReservedKey } from '../../documents/schema/plain-objects.ts';
import type { Privilege } from '../actor.ts';
import type { RecentUser } from '../user-store.ts';

/** An API key as it is stored with its owner. */
export type ApiKeyRecord = NonNullable<RecentUser['apikeys']>[string];

/** The facts about a key that only the analysis service knows. */
export type ApiKeyDetails = NonNullable<RecentUser['key_details']>[string];

/** A key as callers send it: `<name>:<secret>`. */
export interface SplitKey {
  readonly name: string;
  readonly secret: string;
}

/** Splits a key at the first colon; undefined when there is none. */
export function splitKey(text: string): SplitKey | undefined {
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Returns the key of this name, valid or not; names come from callers. */
export function ownKey(user: RecentUser, name: string): ApiKeyRecord | undefined {
  const keys = user.apikeys ?? {};
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

/** Returns undefined for keys that the analysis service has neither created nor seen. */
export function ownKeyDetails(user: RecentUser, name: string): ApiKeyDetails | undefined {
  const details = user.key_details ?? {};
  return Object.hasOwn(details, name) ? details[name] : undefined;
}

/** Returns whether a key can have this name. The public alert service accepts no other names. */
export function isKeyName(name: string): boolean {
  return /^[A-Za-z0-9_ -]+$/.test(name) && !isReservedKey(name);
}

/**
 * Identifies the key, or the password of the person, that a session or token was given for, without
 * revealing it. A key that replaces a revoked one of the same name has another fingerprint, as has a replaced account.
 */
export function credentialFingerprint(user: RecentUser, keyName: string | undefined): string {
  const { password, identity_id, email } = user;
  const marked = keyName === undefined ? [password, identity_id ?? email] : [ownKey(user, keyName)?.password];
  return hash('sha256', JSON.stringify(marked), 'base64url');
}

/** Creates a secret of 400 random bits in base32, and the record of its key. Undefined expiry: never. */
export function newKey(
  acl: readonly Privilege[],
  expiry: Date | undefined,
  agents: readonly string[] = [],
): { readonly secret: string; readonly record: ApiKeyRecord } {
  const secret = generateSecret({ length: 50 });
  return {
    secret,
    record: { acl: [...acl], ...expiryRecord(expiry), agents: [...agents], password: hashApiKeySecret(secret) },
  };
}

/** Returns the expiry in the form of a record. @param expiry undefined: never */
export function expiryRecord(expiry: Date | undefined): Pick<ApiKeyRecord, 'expiry_date'> {
  return expiry === undefined ? {} : { expiry_date: storedDate(expiry) };
}

/** Formats a date with six digits of a second, as records have it. */
export function storedDate(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

const PREFIX = 'hmac-sha256';

/** Hashes a random secret as `hmac-sha256:<salt>:<digest>`: fast, because every request presents it. */
export function hashApiKeySecret(secret: string): string {
  const salt = randomBytes(32);
  return `${PREFIX}:${salt.toString('base64url')}:${digest(salt, secret).toString('base64url')}`;
}

/** Compares in constant time. Records of the public system have bcrypt hashes. */
export async function verifyApiKeySecret(secret: string, stored: string): Promise<boolean> {
  const [prefix, salt, expected] = stored.split(':');
  if (prefix === PREFIX && salt !== undefined && expected !== undefined) {
    const wanted = Buffer.from(expected, 'base64url');
    const given = digest(Buffer.from(salt, 'base64url'), secret);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
  if (!stored.startsWith('$2')) return false;
  try {
    return await bcryptVerify(secret, stored);
  } catch {
    return false;
  }
}

function digest(salt: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', salt).update(secret).digest();
}

/** Returns the keys of a user without their secrets, in the order in which they were created. */
export function apiKeysOf(user: Readonly<Pick<User, 'apikeys'>>) {
  return Object.entries(user.apikeys ?? {}).map(([name, key]) => ({
    name,
    privileges: key.acl,
    agents: key.agents ?? [],
    expires: key.expiry_date ? new Date(key.expiry_date) : undefined,
  }));
}
