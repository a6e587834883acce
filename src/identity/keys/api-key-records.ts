import { hash } from 'node:crypto';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { isReservedKey } from '../../documents/schema/plain-objects.ts';
import type { RecentUser } from '../user-store.ts';

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
