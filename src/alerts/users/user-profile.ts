import { toOutput } from '../../documents/output.ts';
import { type User, userDocument } from '../../documents/user.ts';
import type { ListedApiKey } from '../../identity/api-keys.ts';

/** Members of a user that `whoami` shows as they are. */
const SHOWN = [
  'api_quota',
  'classification',
  'dashboard',
  'email',
  'favourite_analytics',
  'favourite_views',
  'groups',
  'is_active',
  'name',
  'refresh_rate',
] as const satisfies readonly (keyof User)[];

/** What somebody is told about themselves (`whoami`). Keys come as `[name, privileges, expiry as HTTP date or null]`. */
export function ownProfile(
  user: User,
  keys: readonly ListedApiKey[],
  avatar: string | undefined,
): Record<string, unknown> {
  const output = toOutput(userDocument, user);
  return {
    ...Object.fromEntries(SHOWN.map((key) => [key, output[key]])),
    apikeys: keys.map(({ name, privileges, expires }) => [name, privileges, expires?.toUTCString() ?? null]),
    avatar: avatar ?? null,
    is_admin: user.type.includes('admin'),
    roles: user.type,
    username: user.uname,
  };
}

/** An account as its owner and administrators see it: everything but secrets. Keys come as `[name, []]`. */
export function accountDetails(user: User, avatar?: { readonly picture: string | undefined }): Record<string, unknown> {
  const { password: _secret, apikeys, type, ...output } = toOutput(userDocument, user);
  return {
    ...output,
    apikeys: Object.keys(apikeys ?? {}).map((name) => [name, []]),
    has_password: true,
    roles: type,
    username: user.uname,
    ...(avatar ? { avatar: avatar.picture ?? null } : {}),
  };
}

/** Groups with names for people: `night_shift` → `Night Shift`. */
export function namedGroups(groups: readonly string[]): { readonly id: string; readonly name: string }[] {
  return groups.map((id) => ({
    id,
    name: id.replaceAll(/[-_]/g, ' ').replaceAll(/(^| )\p{L}/gu, (start) => start.toUpperCase()),
  }));
}
