import type { ClassificationEngine } from '../../classification/classification.ts';
import { SECRET_USER_FIELDS, type User, userDocument } from '../../documents/kinds/user.ts';
import { isObject, isSameJson } from '../../documents/schema/plain-objects.ts';
import { mergeDocument } from '../../documents/schema/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../actor.ts';
import { assertMayAdministerField } from '../credential-scope.ts';
import { readAccessOfQuery } from './read-access.ts';

/** Unchecked fields of an account. */
export type AccountFields = Readonly<Record<string, unknown>>;

/** Fields that are left as they are: they have routes of their own, or the analysis service sets them. */
const NOT_SETTABLE = [
  ...SECRET_USER_FIELDS,
  'analysis_types',
  'can_impersonate',
  'dn',
  'apikeys',
  'new_pass',
  'avatar',
  'has_password',
  'username',
  'is_admin',
  'roles',
  'id',
  'security_token_enabled',
];

/** Fields that users may change of themselves. */
const OWN_FIELDS: readonly string[] = ['name', 'email', 'password', 'dashboard', 'refresh_rate'];

/** @throws InvalidInput `invalid_user`, when it is not an object */
export function readAccountFields(input: unknown): AccountFields {
  if (!isObject(input)) {
    throw new InvalidInput('invalid_user', 'Invalid data format');
  }
  return { ...input };
}

/** Returns the fields that callers may set, without the password. */
export function settableFields(fields: AccountFields): AccountFields {
  return withoutKeys(fields, NOT_SETTABLE);
}

/**
 * Returns the changed account: users change a few own fields, administrators all but name and address.
 * @throws Forbidden as `assertMayAdministerField`; InvalidInput `invalid_user`, `invalid_document`, `invalid_classification`, `invalid_query`
 */
export function changedAccount(
  engine: ClassificationEngine,
  stored: User,
  fields: AccountFields,
  actor: Pick<Actor, 'isAdmin' | 'hasFullScope'>,
): User {
  assertFixedFields(stored, fields);
  const settable = withoutKeys(settableFields(fields), actor.isAdmin ? [] : ['api_quota']);
  const known = Object.entries(settable).filter(([key]) => Object.hasOwn(userDocument.root.fields, key));
  const merged = mergeDocument(userDocument, stored, Object.fromEntries(known), {
    replaceLists: true,
    classification: engine,
  });
  // A field that was unset is missing from the merged account: taking a limit away is a change, too.
  const names = new Set([...Object.keys(merged), ...known.map(([key]) => key)]) as ReadonlySet<keyof User>;
  const foreign = [...names].find((key) => !OWN_FIELDS.includes(key) && !isSameJson(merged[key], stored[key]));
  if (foreign !== undefined) assertMayAdministerField(actor, foreign);
  if (merged.access_control) readAccessOfQuery(merged.access_control);
  return merged;
}

/** Rejects an empty name, another address or user name. @throws InvalidInput `invalid_user` */
export function assertFixedFields(stored: User, fields: AccountFields): void {
  if (fields.name === '' || fields.name === null) {
    throw new InvalidInput('invalid_user', 'Full name of the user cannot be empty', { at: 'name' });
  }
  if ('email' in fields && (fields.email ?? undefined) !== (stored.email ?? undefined)) {
    throw new InvalidInput('invalid_user', "Cannot update user's email", { at: 'email' });
  }
  if ('uname' in fields && fields.uname !== stored.uname) {
    throw new InvalidInput('invalid_user', "Cannot update user's username", { at: 'uname' });
  }
}

/** Removes a stored filter of another classification, address or groups, so that it is computed. */
export function withoutOutdatedFilter(before: User, after: User): User {
  const sources = ['classification', 'email', 'groups'] as const;
  if (sources.every((name) => isSameJson(before[name], after[name]))) return after;
  if (!isSameJson(before.access_control, after.access_control)) return after;
  const { access_control: _outdated, ...user } = after;
  return user;
}

function withoutKeys(fields: AccountFields, keys: readonly string[]): AccountFields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}
