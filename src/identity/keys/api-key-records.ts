import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { verify as bcryptVerify } from '@node-rs/bcrypt';
import type { Settings } from '../../config/config-schema.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { User } from '../../documents/kinds/user.ts';
import { isReservedKey } from '../../documents/schema/plain-objects.ts';
import type { Privilege } from '../actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditOrigin } from '../audit/audit-origin.ts';
import type { RecentUser, UserStore } from '../user-store.ts';
import { storedDate } from './api-key-expiry.ts';

/** An API key as it is stored with its owner. */
export type ApiKeyRecord = NonNullable<RecentUser['apikeys']>[string];

/** What the analysis service alone knows of a key. */
export type ApiKeyDetails = NonNullable<RecentUser['key_details']>[string];

/** What a caller sends for a key: `<name>:<secret>`. */
export interface SplitKey {
  readonly name: string;
  readonly secret: string;
}

/** Undefined when it has no colon. */
export function splitKey(text: string): SplitKey | undefined {
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** The key of this name, good or not; names come from callers. */
export function ownKey(user: RecentUser, name: string): ApiKeyRecord | undefined {
  const keys = user.apikeys ?? {};
  return Object.hasOwn(keys, name) ? keys[name] : undefined;
}

/** Undefined for keys that the analysis service has neither made nor seen. */
export function ownKeyDetails(user: RecentUser, name: string): ApiKeyDetails | undefined {
  const details = user.key_details ?? {};
  return Object.hasOwn(details, name) ? details[name] : undefined;
}

/** Returns whether a key can have this name: users have their keys by name, and the public alert service takes no other names. */
export function isKeyName(name: string): boolean {
  return /^[A-Za-z0-9_ -]+$/.test(name) && !isReservedKey(name);
}

/** Removes a key with everything that is known of it. */
export function keyRemoval(name: string): readonly UpdateOperation[] {
  return ['apikeys', 'key_details'].map((path) => ({ op: 'remove_at', path, key: name }));
}

/**
 * Stands for what a session or a token was given for, without telling anything of it: this very key, else this very password of this very
 * person. A key that is made anew under the name of one that was revoked has another mark, and so has an account that is made anew.
 * @param keyName of a key of the user; undefined: they signed in without one
 */
export function credentialFingerprint(user: RecentUser, keyName: string | undefined): string {
  const { password, identity_id, email } = user;
  const marked = keyName === undefined ? [password, identity_id ?? email] : [ownKey(user, keyName)?.password];
  return hash('sha256', JSON.stringify(marked), 'base64url');
}

/** What makes API keys, at whichever service. */
export interface ApiKeyMakerDependencies {
  readonly users: UserStore;
  readonly settings: Settings['auth'];
  readonly audit: AuditLog;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** A secret that nobody had before, and what is stored of a key that has it. @param expiry undefined: never */
export function newKey(
  acl: readonly Privilege[],
  expiry: Date | undefined,
  agents: readonly string[] = [],
): { readonly secret: string; readonly record: ApiKeyRecord } {
  const secret = newApiKeySecret();
  return {
    secret,
    record: { acl: [...acl], ...expiryRecord(expiry), agents: [...agents], password: hashApiKeySecret(secret) },
  };
}

/** As it stands in the record of a key. @param expiry undefined: never */
export function expiryRecord(expiry: Date | undefined): Pick<ApiKeyRecord, 'expiry_date'> {
  return expiry === undefined ? {} : { expiry_date: storedDate(expiry) };
}

const PREFIX = 'hmac-sha256';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 400 random bits as 80 base32 characters (RFC 4648). */
export function newApiKeySecret(): string {
  return base32(randomBytes(50));
}

/** RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/**
 * What is stored of a secret: `hmac-sha256:<salt>:<digest>`. Fast on purpose: the secret is random and long, nobody can guess it,
 * and every request of a program brings it.
 */
export function hashApiKeySecret(secret: string): string {
  const salt = randomBytes(32);
  return `${PREFIX}:${salt.toString('base64url')}:${digest(salt, secret).toString('base64url')}`;
}

/** Constant time over the digest. Records of the public system have bcrypt. */
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

export interface KeyRevocationDependencies {
  readonly users: Pick<UserStore, 'getVersioned' | 'update'>;
  readonly audit: AuditLog;
}

/** Revokes an API key: it is void at once in this process, within a second in others. False: there was none of this name. */
export function revokeKey(
  { users, audit }: KeyRevocationDependencies,
  username: string,
  name: string,
  origin: AuditOrigin,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const stored = await users.getVersioned(username);
    if (stored === undefined || ownKey(stored.document, name) === undefined) return false;
    await users.update(username, keyRemoval(name), { ifVersion: stored.version });
    audit.write({ ...origin, event: 'api_key_revoked', user: username, key: name });
    return true;
  });
}

/** A key as its owner sees it. */
export interface ListedApiKey {
  readonly name: string;
  readonly privileges: readonly string[];
  readonly agents: readonly string[];
  /** Undefined: never. */
  readonly expires: Date | undefined;
}

/** A user's keys without their secrets, in the order in which they were made. */
export function apiKeysOf(user: Readonly<Pick<User, 'apikeys'>>): readonly ListedApiKey[] {
  return Object.entries(user.apikeys ?? {}).map(([name, key]) => ({
    name,
    privileges: key.acl,
    agents: key.agents ?? [],
    expires: key.expiry_date ? new Date(key.expiry_date) : undefined,
  }));
}
