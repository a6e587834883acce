import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** `ROLES_OF_TYPE` (a test compares) without `custom`, in the public order, which clients compare. */
export const LISTED_ROLES_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  admin: list(`
    safelist_manage retrohunt_run signature_download badlist_view submission_create signature_manage file_purge
    self_manage replay_trigger archive_comment submission_manage archive_manage bundle_download submission_customize
    workflow_view alert_manage submission_view archive_download replay_system submission_delete file_download
    safelist_view archive_view signature_view alert_view file_detail badlist_manage administration apikey_access
    external_query archive_trigger heuristic_view retrohunt_view assistant_use obo_access workflow_manage
    signature_import`),
  user: list(`
    safelist_manage retrohunt_run badlist_view submission_manage bundle_download workflow_view submission_delete
    safelist_view alert_view archive_trigger signature_download submission_create self_manage replay_trigger
    archive_comment archive_manage submission_customize alert_manage submission_view archive_download file_download
    archive_view signature_view file_detail badlist_manage apikey_access external_query heuristic_view
    retrohunt_view obo_access workflow_manage`),
  signature_manager: list(`
    safelist_manage retrohunt_run signature_download badlist_view submission_create signature_manage self_manage
    replay_trigger archive_comment submission_manage archive_manage bundle_download submission_customize
    workflow_view alert_manage submission_view archive_download submission_delete file_download safelist_view
    archive_view signature_view alert_view file_detail badlist_manage apikey_access external_query archive_trigger
    heuristic_view retrohunt_view obo_access workflow_manage`),
  signature_importer: list(`
    safelist_manage signature_download self_manage signature_view signature_import badlist_manage`),
  viewer: list(`
    badlist_view apikey_access self_manage heuristic_view obo_access workflow_view submission_view signature_view
    safelist_view file_detail alert_view`),
  submitter: list(`
    retrohunt_run submission_create apikey_access self_manage replay_trigger obo_access`),
};
export const LISTED_ROLES: readonly string[] = LISTED_ROLES_OF_TYPE.admin ?? [];

/** Roles by privilege of keys, in the order of the public system. */
export const LISTED_ROLES_OF_PRIVILEGE: Readonly<Record<string, readonly string[]>> = {
  R: list(`
    alert_view archive_view archive_download badlist_view bundle_download external_query file_detail file_download
    heuristic_view safelist_view signature_download signature_view submission_view workflow_view retrohunt_view`),
  W: list(`
    alert_manage archive_trigger archive_manage badlist_manage replay_trigger safelist_manage submission_create
    submission_delete submission_manage submission_customize retrohunt_run`),
  E: list(`
    administration apikey_access file_purge obo_access replay_system self_manage signature_import signature_manage
    workflow_manage`),
};

/** Roles of keys that only read, in the order of the public system. */
const READING_KEY = list(`
  signature_download badlist_view external_query heuristic_view retrohunt_view bundle_download file_download
  submission_view workflow_view archive_download archive_view signature_view safelist_view file_detail alert_view`);

/** Roles of keys that also write, in the order of the public system. */
const WRITING_KEY = list(`
  archive_view heuristic_view file_detail alert_manage badlist_manage external_query badlist_view submission_manage
  safelist_manage retrohunt_view archive_download replay_trigger retrohunt_run workflow_view submission_delete alert_view
  archive_manage safelist_view file_download submission_customize submission_create signature_download signature_view
  bundle_download submission_view archive_trigger`);

/** Sorts the roles of a key as clients expect them; unlisted roles are last. */
export function listedKeyRoles(roles: readonly AnalysisRole[]): readonly AnalysisRole[] {
  const order = roles.every((role) => READING_KEY.includes(role)) ? READING_KEY : WRITING_KEY;
  const rank = (role: AnalysisRole) => (order.includes(role) ? order.indexOf(role) : order.length);
  return roles.toSorted((left, right) => rank(left) - rank(right));
}
