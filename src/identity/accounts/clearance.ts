import type { ClassificationEngine } from '../../classification/classification.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { RecentUser } from '../user-store.ts';

/** What a user may see, with dynamic groups. A text that the definition does not know any more gives the lowest clearance. */
export function clearanceOf(user: RecentUser, engine: ClassificationEngine, log: IdentityLog): string {
  try {
    const own = engine.normalise(user.classification, { skipAutoSelect: true });
    return engine.withDynamicGroups(own, { email: user.email ?? undefined, groups: user.groups });
  } catch (error) {
    log.warn(
      { user: user.uname, classification: user.classification, err: error },
      `the classification of user ${user.uname} is not valid; until it is corrected they have the lowest clearance`,
    );
    return engine.unrestricted;
  }
}
