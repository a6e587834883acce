/** Lists the fields of alerts without those of `al.detailed`, as a table for `readFieldTable`. */
export const ALERT_FIELDS = `
al.attrib keyword dils Who is behind it.
al.av keyword dils Names that antivirus engines gave.
al.behavior keyword dil What the file does.
al.domain keyword dil Domains.
al.domain_dynamic keyword il Domains seen while it ran.
al.domain_static keyword il Domains found in the file.
al.ip ip dil IP addresses.
al.ip_dynamic ip il IP addresses seen while it ran.
al.ip_static ip il IP addresses found in the file.
al.request_end_time date - When the analysis ended.
al.score integer is Highest score.
al.uri keyword dil URIs.
al.uri_dynamic keyword il URIs seen while it ran.
al.uri_static keyword il URIs found in the file.
al.yara keyword dil YARA rules that matched.
alert_id keyword dis Identifier of the alert.
attack.category keyword il Tactics of ATT&CK.
attack.pattern keyword il Techniques of ATT&CK.
events.entity_id keyword il Identifier of who changed the alert.
events.entity_name keyword il Name of who changed the alert.
events.entity_type keyword il Whether a user or a workflow changed it.
events.labels keyword il Labels that were added.
events.labels_removed keyword il Labels that were taken off.
events.priority keyword il Priority from then on.
events.status keyword il Status from then on.
events.ts date il When it was changed.
extended_scan keyword is State of the deeper scan that followed.
file.md5 keyword dis MD5 of the file.
file.name keyword dis Name of the file.
file.screenshots.description keyword il What the screenshot shows.
file.screenshots.img keyword il SHA-256 of the screenshot.
file.screenshots.name keyword il Name of the screenshot.
file.screenshots.thumb keyword il SHA-256 of the small screenshot.
file.sha1 keyword dis SHA-1 of the file.
file.sha256 keyword dis SHA-256 of the file.
file.size long i Size of the file in bytes.
file.type keyword dis Type of the file.
filtered boolean is Whether parts were left out because of their classification.
heuristic.name keyword il Heuristics that matched.
label keyword dils Labels.
owner keyword is User who works on the alert.
priority keyword is How urgent it is.
reporting_ts date is When the alert was made.
sid keyword is Identifier of the submission.
status keyword is What was found out about it.
submission_relations.child keyword ils A submission that the alert was made of.
submission_relations.parent keyword ils The submission that it came from.
ts date is When the file was submitted.
type keyword is Kind of submission that the alert comes from.
verdict.malicious keyword il Users who call it malicious.
verdict.non_malicious keyword il Users who call it harmless.
workflows_completed boolean is Whether all workflows looked at it.
`;

/** Names the parts of `al.detailed`, each a list of details. */
export const DETAILED_PARTS = 'attack_category attack_pattern attrib av behavior domain heuristic ip uri yara'.split(
  ' ',
);

/** Lists the fields of a detail. */
export const DETAIL_FIELDS = `
type keyword il Kind of detail.
value keyword il The detail.
verdict keyword il How bad it is.
subtype keyword il Kind of the kind.
`;

/** Lists the fields of workflows. */
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

/** Lists the fields of users, as this service shows them. */
export const USER_FIELDS = `
agrees_with_tos date - When the terms of service were agreed to.
api_daily_quota integer i Requests a day; 0 is unlimited.
api_quota integer i Requests at the same time.
apps object - Clients that may call in the name of the user.
can_impersonate boolean - Whether the user may call in the name of others.
classification keyword dis Highest classification that the user may see.
dn keyword di Distinguished name of the certificate of the user.
email keyword dis E-mail address.
groups keyword dils Groups of the user.
identity_id keyword di Identifier at the identity provider.
is_active boolean is Whether the user may sign in.
name keyword dis Full name.
organization text is Organisation of the user.
otp_sk keyword - Never shown.
password keyword - Never shown.
roles keyword ils Roles that replace those of the kinds.
security_tokens object - Names of security tokens.
submission_async_quota integer i Submissions without waiting at the same time.
submission_daily_quota integer i Submissions a day; 0 is unlimited.
submission_quota integer i Submissions at the same time.
type keyword ils Kinds of user.
uname keyword dis Name to sign in with.
`;

/** Lists the fields of API keys, as this service shows them. */
export const APIKEY_FIELDS = `
acl keyword ils Privileges of the key.
creation_date date is When the key was made.
expiry_ts date is When the key stops working.
key_name keyword dis Name of the key.
last_used date is Day on which the key was last used.
password keyword is Never shown.
roles keyword ils Roles of the key.
uname keyword dis Owner of the key.
`;
