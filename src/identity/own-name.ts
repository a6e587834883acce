import { Forbidden } from '../errors/errors.ts';
import type { Actor } from './actor.ts';

/**
 * Who may call in somebody's name for a while cannot make that last: neither with a key or a password of theirs, nor by passing it on.
 * @param what users alone do, as `change what they sign in with`
 * @throws Forbidden `not_in_own_name`
 */
export function refuseOthers({ impersonator }: Pick<Actor, 'impersonator'>, what: string): void {
  if (impersonator !== undefined) throw new Forbidden('not_in_own_name', `Only users themselves ${what}.`);
}
