import type { Role } from '../../../identity/actor.ts';
import type { HitLimit } from '../operation.ts';

/** Who may run what changes one thing of a few alerts. */
export const BASIC_ROLES: readonly Role[] = ['automation_basic', 'actionrunner_basic'];
export const LABEL_LIMIT: HitLimit = { basic: 20, advanced: 1000 };
export const BASIC_LIMIT: HitLimit = { basic: 10, advanced: 1000 };
