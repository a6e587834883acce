import type { RecentUser } from './user-store.ts';

/** An API key as it is stored with its owner. */
export type ApiKeyRecord = NonNullable<RecentUser['apikeys']>[string];

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
