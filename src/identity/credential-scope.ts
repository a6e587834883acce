import { Forbidden } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES } from './actor.ts';

/**
 * Rejects callers in another user's name: what they may do for a while must not become permanent.
 * @param what users alone do, as `change what they sign in with` @throws Forbidden `not_in_own_name`
 */
export function assertSelf({ impersonator }: Pick<Actor, 'impersonator'>, what: string): void {
  if (impersonator !== undefined) throw new Forbidden('not_in_own_name', `Only users themselves ${what}.`);
}

/**
 * Rejects a credential with fewer rights than its account: what it creates could exceed its own.
 * @param what the caller wants to do, as `create accounts` @throws Forbidden `privilege_not_held`
 */
export function assertFullScope({ hasFullScope }: Pick<Actor, 'hasFullScope'>, what: string): void {
  if (hasFullScope) return;
  throw new Forbidden(
    'privilege_not_held',
    `The credential that you use has fewer rights than your account, so it cannot ${what}. Sign in, or use a key with all privileges.`,
  );
}

/** The properties of a caller that decide about changes of accounts. */
export type AccountEditor = Pick<Actor, 'username' | 'isAdmin' | 'impersonator' | 'privileges' | 'hasFullScope'>;

/**
 * Rejects changes of an account that exceed the credential: those of others need its full scope. A
 * password opens all that the account may do, so setting the own one needs all privileges of a password.
 * @throws Forbidden `not_in_own_name`, `privilege_not_held`
 */
export function assertMayChangeAccount(actor: AccountEditor, username: string, setsPassword: boolean): void {
  if (actor.username !== username) assertFullScope(actor, 'change the accounts of others');
  if (actor.username !== username || !setsPassword) return;
  assertSelf(actor, 'change what they sign in with');
  const lacking = PASSWORD_PRIVILEGES.filter((privilege) => !actor.privileges.has(privilege));
  if (lacking.length === 0) return;
  throw new Forbidden(
    'privilege_not_held',
    `The credential that you use does not have ${lacking.join(', ')} itself, so it cannot set a password, which has.`,
  );
}

/** Admits only administrators of full scope; throws `not_own_field`, `privilege_not_held`. */
export function assertMayAdministerField(actor: Pick<Actor, 'isAdmin' | 'hasFullScope'>, field: string): void {
  if (!actor.isAdmin) {
    throw new Forbidden('not_own_field', `Only Administrators can change the value of the field [${field}].`);
  }
  assertFullScope(actor, `change the value of the field [${field}]`);
}
