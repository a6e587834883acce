import type { Actor, Role } from '../../identity/actor.ts';
import type { HitSelection } from './hit-selection.ts';
import { type HitLimit, type Outcome, refused } from './operation.ts';

const ADVANCED_ROLES: readonly Role[] = ['automation_advanced', 'actionrunner_advanced', 'admin'];

export function limitOf(actor: Actor, limit: HitLimit): number {
  return ADVANCED_ROLES.some((role) => actor.roles.has(role)) ? limit.advanced : limit.basic;
}

/** The refusal of a selection that is too large for the actor; undefined when it is not. */
export async function rejectAboveLimit(
  actor: Actor,
  selection: HitSelection,
  limit: HitLimit,
): Promise<Outcome | undefined> {
  const most = limitOf(actor, limit);
  const count = await selection.count();
  if (count <= most) return undefined;
  return refused(
    selection.query,
    'Hit limit exceeded',
    `This action affects ${count} hits, but you can only process ${most} at a time. Contact an administrator for bulk operations.`,
  );
}
