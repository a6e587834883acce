import type { User } from '../../documents/kinds/user.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import type { AuditEvent, AuditLog } from './audit-log.ts';
import type { AuditOrigin } from './audit-origin.ts';

type Account = Readonly<Partial<User>> & Readonly<Pick<User, 'uname'>>;

/** What decides what a user may do, on either service. */
const ROLE_FIELDS = ['type', 'analysis_types', 'roles'] as const;
/** Told by events of their own, or by whoever changes them. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  ...ROLE_FIELDS,
  'is_active',
  'password',
  'apikeys',
  'key_details',
  'apps',
  'synchronised_at',
]);

/**
 * Writes what happened to an account: `user_created`, `user_deleted`, or every difference between the two states (`user_disabled`,
 * `user_enabled`, `roles_changed` with the user types and roles before and after, `password_changed`, `user_changed` with the names
 * of the other fields). API keys and clients that may call for the user have events of their own. Two equal states write nothing.
 * @param before undefined: the account is new
 * @param after undefined: it is deleted
 */
export function writeAccountEvents(
  audit: AuditLog,
  origin: AuditOrigin,
  before: Account | undefined,
  after: Account | undefined,
): void {
  for (const event of accountEvents(before, after)) audit.write({ ...origin, ...event });
}

function accountEvents(before: Account | undefined, after: Account | undefined): Omit<AuditEvent, 'service'>[] {
  if (after === undefined) return before === undefined ? [] : [{ event: 'user_deleted', user: before.uname }];
  const user = after.uname;
  if (before === undefined) return [{ event: 'user_created', user, after: rolesOf(after) }];
  const events: Omit<AuditEvent, 'service'>[] = [];
  const roles = { before: rolesOf(before), after: rolesOf(after) };
  if (!isSameJson(roles.before, roles.after)) events.push({ event: 'roles_changed', user, ...roles });
  if (before.password !== after.password) events.push({ event: 'password_changed', user });
  const fields = changedFields(before, after);
  if (fields.length > 0) events.push({ event: 'user_changed', user, fields });
  if (isActive(before) !== isActive(after)) {
    events.push({ event: isActive(after) ? 'user_enabled' : 'user_disabled', user });
  }
  return events;
}

function rolesOf(account: Account): readonly string[] {
  return ROLE_FIELDS.flatMap((field) => account[field] ?? []);
}

function isActive({ is_active: active }: Account): boolean {
  return active !== false;
}

function changedFields(before: Account, after: Account): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as ReadonlySet<keyof User>;
  return [...names].filter((name) => !TOLD_OTHERWISE.has(name) && !isSameJson(before[name], after[name])).sort();
}
