import type { User } from '../../documents/kinds/user.ts';
import { isSameJson } from '../../documents/schema/plain-objects.ts';
import type { AuditEvent, AuditLog, AuditOrigin } from './audit-log.ts';

type Account = Readonly<Partial<User>> & Readonly<Pick<User, 'uname'>>;

/** Fields that decide what a user may do, on every service. */
const ROLE_FIELDS = ['type', 'analysis_types', 'roles'] as const;
/** Fields with events of their own, or whose changes another component reports. */
const REPORTED_OTHERWISE: ReadonlySet<string> = new Set([
  ...ROLE_FIELDS,
  'is_active',
  'password',
  'apikeys',
  'key_details',
  'apps',
  'synchronised_at',
]);

/** Writes the events of a change of an account; undefined: none. Keys and clients have their own. */
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
  return [...names].filter((name) => !REPORTED_OTHERWISE.has(name) && !isSameJson(before[name], after[name])).sort();
}
