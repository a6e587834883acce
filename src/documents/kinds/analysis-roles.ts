/** Roles by the privilege of keys that stands for each, if any (contract/analysis.md 2.2, 2.3). */
const PRIVILEGE_OF_ROLE = {
  alert_manage: 'W',
  alert_view: 'R',
  apikey_access: 'E',
  bundle_download: 'R',
  file_detail: 'R',
  file_download: 'R',
  file_purge: 'E',
  heuristic_view: 'R',
  obo_access: 'E',
  replay_trigger: 'W',
  safelist_view: 'R',
  safelist_manage: 'W',
  signature_download: 'R',
  signature_view: 'R',
  submission_create: 'W',
  submission_delete: 'W',
  submission_manage: 'W',
  submission_view: 'R',
  workflow_manage: 'E',
  workflow_view: 'R',
  administration: 'E',
  replay_system: 'E',
  signature_import: 'E',
  signature_manage: 'E',
  archive_view: 'R',
  archive_manage: 'W',
  archive_trigger: 'W',
  archive_download: 'R',
  self_manage: 'E',
  retrohunt_view: 'R',
  retrohunt_run: 'W',
  external_query: 'R',
  badlist_view: 'R',
  badlist_manage: 'W',
  archive_comment: undefined,
  assistant_use: undefined,
  submission_customize: 'W',
} as const;
export type AnalysisRole = keyof typeof PRIVILEGE_OF_ROLE;
export const ANALYSIS_ROLES = Object.keys(PRIVILEGE_OF_ROLE) as readonly AnalysisRole[];

/** Roles that each privilege of an API key stands for. */
export const ANALYSIS_ROLES_OF_PRIVILEGES = { R: rolesOf('R'), W: rolesOf('W'), E: rolesOf('E') } as const;

function rolesOf(privilege: 'R' | 'W' | 'E'): readonly AnalysisRole[] {
  return ANALYSIS_ROLES.filter((role) => PRIVILEGE_OF_ROLE[role] === privilege);
}
