import { ANALYSIS_ROLES, type AnalysisRole } from '../../documents/analysis-roles.ts';
import { ANALYSIS_USER_TYPES, type User } from '../../documents/user.ts';

/** Kinds of users of the analysis service, as its clients name them. */
export const ANALYSIS_TYPES = ['admin', 'user', ...ANALYSIS_USER_TYPES] as const;
export type AnalysisType = (typeof ANALYSIS_TYPES)[number];

/** Letters of the privileges of API keys: read, write, extended. `C` stands for roles that were chosen one by one. */
export const ANALYSIS_ACL = ['R', 'W', 'E', 'C'] as const;
export type AnalysisAcl = (typeof ANALYSIS_ACL)[number];

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

/** Roles of each privilege of an API key (contract/analysis.md section 2.2). */
export const ROLES_OF_ACL: Readonly<Record<AnalysisAcl, readonly AnalysisRole[]>> = {
  R: [
    'alert_view',
    'archive_download',
    'archive_view',
    'badlist_view',
    'bundle_download',
    'external_query',
    'file_detail',
    'file_download',
    'heuristic_view',
    'retrohunt_view',
    'safelist_view',
    'signature_download',
    'signature_view',
    'submission_view',
    'workflow_view',
  ],
  W: [
    'alert_manage',
    'archive_manage',
    'archive_trigger',
    'badlist_manage',
    'replay_trigger',
    'retrohunt_run',
    'safelist_manage',
    'submission_create',
    'submission_customize',
    'submission_delete',
    'submission_manage',
  ],
  E: [
    'administration',
    'apikey_access',
    'file_purge',
    'obo_access',
    'replay_system',
    'self_manage',
    'signature_import',
    'signature_manage',
    'workflow_manage',
  ],
  C: [],
};

type Kinds = Readonly<Pick<User, 'type' | 'analysis_types'>>;

/** Kinds of a user as the analysis service shows them; those that only the alert service knows are not among them. */
export function analysisTypesOf(user: Kinds): readonly AnalysisType[] {
  const own: readonly string[] = [...user.type, ...(user.analysis_types ?? [])];
  return ANALYSIS_TYPES.filter((type) => own.includes(type));
}

/** Roles of an account: those that it was given one by one, else those of all of its kinds. In the order of `ANALYSIS_ROLES`. */
export function effectiveRoles(user: Kinds & Readonly<Pick<User, 'roles'>>): readonly AnalysisRole[] {
  const chosen = user.roles ?? [];
  const held = new Set<AnalysisRole>(
    chosen.length > 0 ? chosen : analysisTypesOf(user).flatMap((type) => ROLES_OF_TYPE[type]),
  );
  return ANALYSIS_ROLES.filter((role) => held.has(role));
}

/** Roles that privileges of an API key stand for, whoever owns it. In the order of `ANALYSIS_ROLES`. */
export function rolesOfAcl(acl: readonly string[]): readonly AnalysisRole[] {
  const held = new Set(ANALYSIS_ACL.filter((letter) => acl.includes(letter)).flatMap((letter) => ROLES_OF_ACL[letter]));
  return ANALYSIS_ROLES.filter((role) => held.has(role));
}

/** What both lists have, in the order of the first; undefined stands for no limit. */
export function limitedRoles(
  roles: readonly AnalysisRole[],
  limit: readonly AnalysisRole[] | undefined,
): readonly AnalysisRole[] {
  return limit === undefined ? roles : roles.filter((role) => limit.includes(role));
}

function without(...roles: readonly AnalysisRole[]): readonly AnalysisRole[] {
  return ANALYSIS_ROLES.filter((role) => !roles.includes(role));
}
