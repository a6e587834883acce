/** Fields of signatures. See `readFieldTable`. */
export const SIGNATURE_FIELDS = `
classification keyword is Who may see it.
data text di Text of the rule.
last_modified date is When it was last changed.
name keyword dis Name.
order integer i Not used any more.
revision keyword is Revision of the rule.
signature_id keyword is Identifier that its source gave.
source keyword is Where the rule comes from.
state_change_date date i When its status was changed.
state_change_user keyword i User who changed its status.
stats.avg integer is Average score of the hits.
stats.count integer is How often it was hit.
stats.first_hit date is When it was hit first.
stats.last_hit date is When it was hit last.
stats.max integer is Highest score of a hit.
stats.min integer is Lowest score of a hit.
stats.sum integer is Sum of the scores of the hits.
status keyword dis Whether the rule is in use.
type keyword dis Service that the rule is for.
`;

/** Fields of workflows. See `readFieldTable`. */
export const WORKFLOW_FIELDS = `
classification keyword dis Who may see it.
creation_date date is When it was made.
creator keyword is User who made it.
edited_by keyword is User who last changed it.
enabled boolean is Whether it runs.
first_seen date is When it first matched an alert.
hit_count integer is Alerts that it matched.
labels keyword dils Labels that it gives.
last_edit date is When it was last changed.
last_seen date is When it last matched an alert.
name keyword dis Name.
origin keyword is Where it comes from.
priority keyword dis Priority that it gives.
query keyword is Alerts that it is for.
status keyword dis Status that it gives.
workflow_id keyword is Identifier of the workflow.
`;

/** Fields of searches in stored files. See `readFieldTable`. */
export const RETROHUNT_FIELDS = `
classification keyword is Who may see it.
completed_time date i When the search ended.
created_time date is When the search was asked for.
creator keyword dis User who asked for the search.
description text dis What it is, for people.
end_group long is Last group of files, by day of expiry.
errors keyword il What went wrong.
expiry_ts date i When it is deleted; never, when absent.
finished boolean is Whether the search has ended.
indices keyword is Which files are searched.
key keyword is Identifier of the search.
raw_query keyword i Filter made of the rule.
search_classification keyword is Highest classification of what is found.
start_group long is First group of files, by day of expiry.
started_time date is When the search began.
truncated boolean is Whether there was more than is kept.
warnings keyword il What may be wrong.
yara_signature keyword di The rule that is searched for.
`;
