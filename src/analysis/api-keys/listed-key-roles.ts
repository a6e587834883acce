import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Roles of keys in the order in which the public system lists them, which some of its clients compare: of keys that only read ... */
const READING = list(`
  signature_download badlist_view external_query heuristic_view retrohunt_view bundle_download file_download
  submission_view workflow_view archive_download archive_view signature_view safelist_view file_detail alert_view`);

/** ... and of those that write too. */
const WRITING = list(`
  archive_view heuristic_view file_detail alert_manage badlist_manage external_query badlist_view submission_manage
  safelist_manage retrohunt_view archive_download replay_trigger retrohunt_run workflow_view submission_delete alert_view
  archive_manage safelist_view file_download submission_customize submission_create signature_download signature_view
  bundle_download submission_view archive_trigger`);

/** The same roles, as clients get them; roles that are in neither list are last. */
export function listedKeyRoles(roles: readonly AnalysisRole[]): readonly AnalysisRole[] {
  const order = roles.every((role) => READING.includes(role)) ? READING : WRITING;
  const place = (role: AnalysisRole) => (order.includes(role) ? order.indexOf(role) : order.length);
  return roles.toSorted((left, right) => place(left) - place(right));
}
