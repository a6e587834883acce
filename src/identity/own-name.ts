import { Forbidden } from '../errors/errors.ts';
import { type Actor, PASSWORD_PRIVILEGES, type Privilege } from './actor.ts';

/**
 * Who may call in somebody's name for a while cannot make that last: neither with a key or a password of theirs, nor by passing it on.
 * @param what users alone do, as `change what they sign in with`
 * @throws Forbidden `not_in_own_name`
 */
export function refuseOthers({ impersonator }: Pick<Actor, 'impersonator'>, what: string): void {
  if (impersonator !== undefined) throw new Forbidden('not_in_own_name', `Only users themselves ${what}.`);
}

/**
 * A password opens all that the account may, at every service: nobody sets their own with a credential that opens less.
 * @param held privileges of the credential
 * @throws Forbidden `privilege_not_held`
 */
export function refuseOwnPasswordFrom(held: ReadonlySet<Privilege>): void {
  const lacking = PASSWORD_PRIVILEGES.filter((privilege) => !held.has(privilege));
  if (lacking.length === 0) return;
  throw new Forbidden(
    'privilege_not_held',
    `The credential that you use does not have ${lacking.join(', ')} itself, so it cannot set a password, which has.`,
  );
}
