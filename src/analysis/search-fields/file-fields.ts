/** Lists the fields of files, in the format of `readFieldTable`, as all tables here. */
export const FILE_FIELDS = `
ascii keyword - First bytes, with dots for what cannot be printed.
comments.cid keyword il Identifier of the comment.
comments.date date ils When the comment was written.
comments.reactions.icon keyword il Icon of the reaction.
comments.reactions.uname keyword il User who reacted.
comments.text text il The comment.
comments.uname keyword il User who wrote the comment.
entropy float is Entropy of the bytes, 0 to 8.
from_archive boolean - Whether it came from the archive.
hex keyword - First bytes as hexadecimal digits.
is_section_image boolean is Whether it is a picture that results show.
is_supplementary boolean is Whether a service made it beside its result.
label_categories.attribution keyword ils Labels about who is behind the file.
label_categories.info keyword ils Labels that inform.
label_categories.technique keyword ils Labels about techniques.
labels keyword dils All labels.
magic keyword i Type as libmagic names it.
md5 keyword dis MD5 of the file.
mime keyword i Media type.
seen.count integer is How often it was submitted or extracted.
seen.first date is When it was first seen.
seen.last date is When it was last seen.
sha1 keyword dis SHA-1 of the file.
sha256 keyword dis SHA-256 of the file.
size long is Size of the file in bytes.
ssdeep keyword i Fuzzy hash (ssdeep).
tlsh keyword dis Fuzzy hash (TLSH).
type keyword dis Type that the service found out.
uri_info.fragment keyword is Fragment of the URI.
uri_info.hostname keyword is Host of the URI.
uri_info.netloc keyword is Host and port of the URI.
uri_info.params keyword is Parameters of the path.
uri_info.password keyword is Password in the URI.
uri_info.path keyword is Path of the URI.
uri_info.port integer is Port of the URI.
uri_info.query keyword is Query of the URI.
uri_info.scheme keyword is Scheme of the URI.
uri_info.uri keyword is The URI that the file stands for.
uri_info.username keyword is User in the URI.
`;

/** Lists the fields that the badlist and the safelist have in common. */
export const LISTED_FIELDS = `
added date is When it was put on the list.
enabled boolean is Whether it counts.
expiry_ts date is When it is deleted; never, when absent.
file.name keyword dils Names that the file was seen under.
file.size long i Size of the file in bytes.
file.type keyword i Type of the file.
hashes.md5 keyword dis MD5 of the file.
hashes.sha1 keyword dis SHA-1 of the file.
hashes.sha256 keyword dis SHA-256 of the file.
sources.classification keyword il Who may see the source.
sources.name keyword ils Name of the source.
sources.reason keyword il Why the source lists it.
sources.type keyword il Whether a user or another system is the source.
tag.type keyword is Type of the tag.
tag.value keyword dis Value of the tag.
updated date is When a source was last added.
`;

/** Lists the further fields of the badlist. */
export const BADLIST_FIELDS = `
attribution.actor keyword dil Actors.
attribution.campaign keyword dil Campaigns.
attribution.category keyword dil Categories.
attribution.exploit keyword dil Exploits.
attribution.family keyword dil Families.
attribution.implant keyword dil Implants.
attribution.network keyword dil Networks.
hashes.ssdeep keyword dis Fuzzy hash (ssdeep) of the file.
hashes.tlsh keyword dis Fuzzy hash (TLSH) of the file.
type keyword is Whether a file or a tag is listed.
`;

/** Lists the further fields of the safelist. */
export const SAFELIST_FIELDS = `
signature.name keyword dis Name of the signature.
type keyword is Whether a file, a tag or a signature is listed.
`;

/** Lists the fields of signatures. */
export const SIGNATURE_FIELDS = `
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

/** Lists the fields of searches in stored files. */
export const RETROHUNT_FIELDS = `
completed_time date i When the search ended.
created_time date is When the search was asked for.
creator keyword dis User who asked for the search.
description text dis What it is, for people.
end_group long is Last group of files, by day of expiry.
errors keyword il What went wrong.
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
