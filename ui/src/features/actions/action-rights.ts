import type { Action } from './action-api.ts';

const EDITORS = ['admin', 'automation_basic', 'automation_advanced'];
const RUNNERS = [...EDITORS, 'actionrunner_basic', 'actionrunner_advanced'];

/** The person as their rights are decided by. */
export interface Person {
  readonly username: string;
  readonly roles: readonly string[];
}

/** The rights of a person on actions, and on the one at hand. */
export interface ActionRights {
  readonly mayRun: boolean;
  readonly mayCreate: boolean;
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  /** True: may let it run by itself. */
  readonly mayTrigger: boolean;
}

/** Returns the rights of a person. The server decides; this hides what it would refuse. */
export function rightsOf(
  { username, roles }: Person,
  action: Pick<Action, 'owner' | 'admins'> | undefined,
): ActionRights {
  const hasOne = (wanted: readonly string[]) => wanted.some((role) => roles.includes(role));
  const isAdministrator = roles.includes('admin');
  const mayCreate = hasOne(EDITORS);
  const owns = action === undefined || isAdministrator || action.owner === username;
  return {
    mayRun: hasOne(RUNNERS),
    mayCreate,
    mayChange: mayCreate && (owns || action.admins.includes(username)),
    mayDelete: mayCreate && owns,
    mayTrigger: roles.includes('automation_advanced'),
  };
}
