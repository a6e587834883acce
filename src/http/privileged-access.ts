import { Forbidden } from '../errors/errors.ts';
import type { Actor } from '../identity/actor.ts';
import { holdsAny } from './guard.ts';
import type { GuardedAccess } from './route-access.ts';

/**
 * Whether a caller whose credential has privileges may call a route (alert and enrichment service): privilege, then role; any of each is enough.
 * @throws Forbidden `missing_privilege`, `missing_role`
 */
export function checkPrivilegedAccess({ privileges, roles }: GuardedAccess, actor: Actor, path: string): void {
  // Credentials of these services carry privileges, so a route that leaves them out is closed to everybody.
  if (privileges === 'by_roles' || !holdsAny(privileges, actor.privileges)) {
    throw new Forbidden('missing_privilege', 'You do not have access to this API.');
  }
  if (roles !== 'any' && !holdsAny(roles, actor.roles)) {
    throw new Forbidden('missing_role', `${path} requires one of the following user types: ${roles.join(', ')}`);
  }
}
