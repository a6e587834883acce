import { SECRET_USER_FIELDS, type User, userDocument } from '../../documents/kinds/user.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { apiKeysOf } from '../../identity/keys/api-key-records.ts';
import type { RecentUser } from '../../identity/user-store.ts';
import type { OwnProfile } from './user-schemas.ts';

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

type Profile = Omit<OwnProfile, 'avatar'>;

/** Profiles by state of a user, as `UserStore.recent` returns it: the web UI asks repeatedly. */
const PROFILES = new WeakMap<RecentUser, Profile>();

/** Returns the own profile (`whoami`) with keys `[name, privileges, expiry as HTTP date or null]`. */
export function ownProfile(user: RecentUser, avatar: string | undefined): OwnProfile {
  const known = PROFILES.get(user);
  const profile = known ?? profileOf(user);
  if (!known) PROFILES.set(user, profile);
  return { ...profile, avatar: avatar ?? null };
}

function profileOf(user: RecentUser): Profile {
  const output = toOutput(userDocument, user);
  const shown = Object.fromEntries(SHOWN.map((key) => [key, output[key]])) as Pick<Profile, (typeof SHOWN)[number]>;
  return {
    ...shown,
    apikeys: apiKeysOf(user).map(({ name, privileges, expires }) => [
      name,
      [...privileges],
      expires?.toUTCString() ?? null,
    ]),
    is_admin: user.type.includes('admin'),
    roles: user.type,
    username: user.uname,
  };
}

/** Returns an account without secrets, for its owner and administrators. Keys are `[name, []]`. */
export function accountDetails(user: User, avatar?: { readonly picture: string | undefined }): Record<string, unknown> {
  const { apikeys, type, ...output } = toOutput(userDocument, user);
  const isSecret = (name: string) => SECRET_USER_FIELDS.some((secret) => secret === name);
  const shown = Object.entries(output).filter(([name]) => !isSecret(name));
  return {
    ...Object.fromEntries(shown),
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
