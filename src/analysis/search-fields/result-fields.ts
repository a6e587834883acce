/** Fields of results, but for their tags. See `readFieldTable`. */
export const RESULT_FIELDS = `
archive_ts date is When it was archived.
classification keyword is Who may see it.
created date is When it was made.
drop_file boolean is Whether no other service got the file.
expiry_ts date i When it is deleted; never, when absent.
from_archive boolean s Whether it came from the archive.
partial boolean is Whether the service wants to run again with more knowledge.
response.extracted.allow_dynamic_recursion boolean il Whether an extracted file may go to dynamic analysis again.
response.extracted.classification keyword il Who may see an extracted file.
response.extracted.description text dil What an extracted file is.
response.extracted.is_section_image boolean il Whether an extracted file is a picture that the result shows.
response.extracted.name keyword dil Name of an extracted file.
response.extracted.parent_relation text il How an extracted file comes from its parent.
response.extracted.sha256 keyword dil SHA-256 of an extracted file.
response.milestones.service_completed date - When the service was done.
response.milestones.service_started date - When the service began.
response.service_context keyword - What the service knew beside the file.
response.service_debug_info keyword - Where the service ran.
response.service_name keyword dis Name of the service.
response.service_tool_version keyword dis Version of the tools of the service.
response.service_version keyword i Version of the service.
response.supplementary.allow_dynamic_recursion boolean il Whether a supplementary file may go to dynamic analysis again.
response.supplementary.classification keyword il Who may see a supplementary file.
response.supplementary.description text dil What a supplementary file is.
response.supplementary.is_section_image boolean il Whether a supplementary file is a picture that the result shows.
response.supplementary.name keyword dil Name of a supplementary file.
response.supplementary.parent_relation text il How a supplementary file comes from its parent.
response.supplementary.sha256 keyword dil SHA-256 of a supplementary file.
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
`;
