/**
 * Roles in the order in which the public system lists them, which some of its clients compare. They are sets: what a kind of user may do
 * is said by `ROLES_OF_TYPE`, and a test holds these against it.
 */
const LISTED = {
  all: `
    safelist_manage retrohunt_run signature_download badlist_view submission_create signature_manage file_purge
    self_manage replay_trigger archive_comment submission_manage archive_manage bundle_download submission_customize
    workflow_view alert_manage submission_view archive_download replay_system submission_delete file_download
    safelist_view archive_view signature_view alert_view file_detail badlist_manage administration apikey_access
    external_query archive_trigger heuristic_view retrohunt_view assistant_use obo_access workflow_manage
    signature_import`,
  user: `
    safelist_manage retrohunt_run badlist_view submission_manage bundle_download workflow_view submission_delete
    safelist_view alert_view archive_trigger signature_download submission_create self_manage replay_trigger
    archive_comment archive_manage submission_customize alert_manage submission_view archive_download file_download
    archive_view signature_view file_detail badlist_manage apikey_access external_query heuristic_view
    retrohunt_view obo_access workflow_manage`,
  signature_manager: `
    safelist_manage retrohunt_run signature_download badlist_view submission_create signature_manage self_manage
    replay_trigger archive_comment submission_manage archive_manage bundle_download submission_customize
    workflow_view alert_manage submission_view archive_download submission_delete file_download safelist_view
    archive_view signature_view alert_view file_detail badlist_manage apikey_access external_query archive_trigger
    heuristic_view retrohunt_view obo_access workflow_manage`,
  signature_importer: `
    safelist_manage signature_download self_manage signature_view signature_import badlist_manage`,
  viewer: `
    badlist_view apikey_access self_manage heuristic_view obo_access workflow_view submission_view signature_view
    safelist_view file_detail alert_view`,
  submitter: `
    retrohunt_run submission_create apikey_access self_manage replay_trigger obo_access`,
};

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const LISTED_ROLES: readonly string[] = list(LISTED.all);

/** By kind of user; `custom` is not offered. */
export const LISTED_ROLES_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  admin: LISTED_ROLES,
  user: list(LISTED.user),
  signature_manager: list(LISTED.signature_manager),
  signature_importer: list(LISTED.signature_importer),
  viewer: list(LISTED.viewer),
  submitter: list(LISTED.submitter),
};
