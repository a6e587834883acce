import {
  ANALYSIS_ROLES,
  ANALYSIS_ROLES_OF_PRIVILEGES,
  type AnalysisRole,
} from '../../documents/kinds/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, type User } from '../../documents/kinds/user.ts';

/** Kinds of users of the analysis service, as its clients name them. */
export const ANALYSIS_TYPES = ['admin', 'user', ...ANALYSIS_USER_TYPES] as const;
export type AnalysisType = (typeof ANALYSIS_TYPES)[number];

const BASIC: readonly AnalysisRole[] = without(
  'administration',
  'assistant_use',
  'file_purge',
  'replay_system',
  'signature_import',
  'signature_manage',
);

/** Roles of each kind of user (contract/analysis.md section 2.3). */
export const ROLES_OF_TYPE: Readonly<Record<AnalysisType, readonly AnalysisRole[]>> = {
  admin: ANALYSIS_ROLES,
  user: BASIC,
  signature_manager: [...BASIC, 'signature_manage'],
  signature_importer: [
    'badlist_manage',
    'safelist_manage',
    'self_manage',
    'signature_download',
    'signature_import',
    'signature_view',
  ],
  viewer: [
    'alert_view',
    'apikey_access',
    'badlist_view',
    'file_detail',
    'heuristic_view',
    'obo_access',
    'safelist_view',
    'self_manage',
    'signature_view',
    'submission_view',
    'workflow_view',
  ],
  submitter: ['apikey_access', 'obo_access', 'replay_trigger', 'retrohunt_run', 'self_manage', 'submission_create'],
  custom: [],
};

type Kinds = Readonly<Pick<User, 'type' | 'analysis_types'>>;

/** Returns the types of a user that the analysis service knows. */
export function analysisTypesOf(user: Kinds): readonly AnalysisType[] {
  const own: readonly string[] = [...user.type, ...(user.analysis_types ?? [])];
  return ANALYSIS_TYPES.filter((type) => own.includes(type));
}

/** Returns the roles of an account: its own, else those of its types. In the order of `ANALYSIS_ROLES`. */
export function effectiveRoles(user: Kinds & Readonly<Pick<User, 'roles'>>): readonly AnalysisRole[] {
  const chosen = user.roles ?? [];
  const held = new Set<AnalysisRole>(
    chosen.length > 0 ? chosen : analysisTypesOf(user).flatMap((type) => ROLES_OF_TYPE[type]),
  );
  return ANALYSIS_ROLES.filter((role) => held.has(role));
}

/** Returns the roles that privileges of a key represent, in the order of `ANALYSIS_ROLES`. */
export function rolesOfPrivileges(privileges: readonly string[]): readonly AnalysisRole[] {
  const held = new Set<AnalysisRole>();
  for (const [privilege, roles] of Object.entries(ANALYSIS_ROLES_OF_PRIVILEGES)) {
    if (privileges.includes(privilege)) for (const role of roles) held.add(role);
  }
  return ANALYSIS_ROLES.filter((role) => held.has(role));
}

/** Returns the roles of a key: those of its privileges, else its own. Its owner may have fewer. */
export function rolesOfKey({
  acl,
  roles,
}: {
  readonly acl: readonly string[];
  readonly roles?: readonly string[] | null | undefined;
}): readonly AnalysisRole[] {
  return acl.length > 0 ? rolesOfPrivileges(acl) : ANALYSIS_ROLES.filter((role) => roles?.includes(role));
}

function without(...roles: readonly AnalysisRole[]): readonly AnalysisRole[] {
  return ANALYSIS_ROLES.filter((role) => !roles.includes(role));
}
