/** Lists the fields of submissions without metadata, as a table for `readFieldTable`. */
export const SUBMISSION_FIELDS = `
archived boolean is Whether it is in the archive.
error_count integer is Number of errors.
errors keyword il Keys of the errors.
file_count integer is Number of files.
files.name keyword dil Name of a submitted file.
files.sha256 keyword dil SHA-256 of a submitted file.
files.size long il Size of a submitted file in bytes.
from_archive boolean s Whether it came from the archive.
max_score integer is Highest score of a file.
params.auto_archive boolean i Archive it when it is completed.
params.classification keyword i Who may see the submission.
params.deep_scan boolean i Let services take their time.
params.delete_after_archive boolean i Delete it once it is archived.
params.description text dis What it is, for people.
params.filetype_override keyword i Type that the file is taken for.
params.generate_alert boolean i Make an alert when the score is high.
params.groups keyword il Groups of the submitter.
params.ignore_cache boolean i Do not reuse earlier results.
params.ignore_filtering boolean i Let no service cut the analysis short.
params.ignore_recursion_prevention boolean i Let services get their own files again.
params.ignore_size boolean i Take files of any size.
params.initial_data text - Data that services share from the start, as JSON text.
params.malicious boolean i The submitter calls it malicious.
params.max_extracted integer i Extracted files a service may give for one file.
params.max_supplementary integer i Supplementary files a service may give for one file.
params.never_drop boolean i Do not drop it when there is too much to do.
params.priority integer i Higher is earlier, 1 to 1500.
params.psid keyword i Submission that this one continues.
params.quota_item boolean i Counts against the quota of the submitter.
params.service_spec object - Parameters of services.
params.services.excluded keyword l Services that are left out.
params.services.rescan keyword l Services that run again.
params.services.resubmit keyword l Services of a second submission.
params.services.selected keyword l Services and categories that were chosen.
params.submitter keyword dis User who submitted it.
params.trace boolean i Keep what happened to it.
params.ttl integer i Days until it is deleted; 0 never.
params.type keyword i Kind of submission.
params.use_archive_alternate_dtl boolean i Use the other lifetime of the archive.
results keyword il Keys of the results.
scan_key keyword - Key that equal submissions share.
sid keyword dis Identifier of the submission.
state keyword is Whether it is under way, completed or failed.
times.completed date i When it was completed.
times.submitted date is When it was submitted.
to_be_deleted boolean is Whether it is about to be deleted.
tracing_events.event_type keyword l What happened.
tracing_events.file keyword l SHA-256 of the file that it happened to.
tracing_events.message keyword l Details.
tracing_events.service keyword l Service that it happened at.
tracing_events.timestamp date l When it happened.
verdict.malicious keyword il Users who call it malicious.
verdict.non_malicious keyword il Users who call it harmless.
`;

const filesOfResult = (list: string, file: string) =>
  `
response.${list}.allow_dynamic_recursion boolean il Whether ${file} may go to dynamic analysis again.
response.${list}.classification keyword il Who may see ${file}.
response.${list}.description text dil What ${file} is.
response.${list}.is_section_image boolean il Whether ${file} is a picture that the result shows.
response.${list}.name keyword dil Name of ${file}.
response.${list}.parent_relation text il How ${file} comes from its parent.
response.${list}.sha256 keyword dil SHA-256 of ${file}.
`.trim();

/** Lists the fields of results, without their tags. */
export const RESULT_FIELDS = `
created date is When it was made.
drop_file boolean is Whether no other service got the file.
from_archive boolean s Whether it came from the archive.
partial boolean is Whether the service wants to run again with more knowledge.
response.milestones.service_completed date - When the service was done.
response.milestones.service_started date - When the service began.
response.service_context keyword - What the service knew beside the file.
response.service_debug_info keyword - Where the service ran.
response.service_name keyword dis Name of the service.
response.service_tool_version keyword dis Version of the tools of the service.
response.service_version keyword i Version of the service.
result.score integer is Score of all sections.
result.sections.auto_collapse boolean il Whether the section is shown closed.
result.sections.body text dil Text of the section.
result.sections.body_config object l How the text is laid out.
result.sections.body_format keyword l Kind of text.
result.sections.classification keyword il Who may see the section.
result.sections.depth integer l Depth in the tree of sections.
result.sections.heuristic.attack.attack_id keyword dil Identifiers of ATT&CK.
result.sections.heuristic.attack.categories keyword il Tactics of ATT&CK.
result.sections.heuristic.attack.pattern keyword dil Techniques of ATT&CK.
result.sections.heuristic.heur_id keyword dil Identifier of the heuristic.
result.sections.heuristic.name keyword dil Name of the heuristic.
result.sections.heuristic.score integer il Score of the heuristic.
result.sections.heuristic.signature.frequency integer il How often the signature matched.
result.sections.heuristic.signature.name keyword dil Signature that matched.
result.sections.heuristic.signature.safe boolean il Whether the signature is on the list of safe ones.
result.sections.promote_to keyword il Where the section is shown too.
result.sections.title_text text dil Title of the section.
sha256 keyword i SHA-256 of the file.
size integer is Size of the file in bytes.
type keyword is Type of the file.
${filesOfResult('extracted', 'an extracted file')}
${filesOfResult('supplementary', 'a supplementary file')}
`;

/** Lists the fields of errors. */
export const ERROR_FIELDS = `
created date is When it was made.
response.message text dis What went wrong.
response.service_debug_info keyword is Where the service ran.
response.service_name keyword dis Name of the service.
response.service_tool_version keyword dis Version of the tools of the service.
response.service_version keyword is Version of the service.
response.status keyword is Whether another try may help.
severity keyword is How bad it is.
sha256 keyword dis SHA-256 of the file.
type keyword is Kind of error.
`;
