/** Fields of files. See `readFieldTable`. */
export const FILE_FIELDS = `
archive_ts date is When it was archived.
ascii keyword - First bytes, with dots for what cannot be printed.
classification keyword is Who may see it.
comments.cid keyword il Identifier of the comment.
comments.date date ils When the comment was written.
comments.reactions.icon keyword il Icon of the reaction.
comments.reactions.uname keyword il User who reacted.
comments.text text il The comment.
comments.uname keyword il User who wrote the comment.
entropy float is Entropy of the bytes, 0 to 8.
expiry_ts date i When it is deleted; never, when absent.
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

/** Fields of the list of bad things. See `readFieldTable`. */
export const BADLIST_FIELDS = `
added date is When it was put on the list.
attribution.actor keyword dil Actors.
attribution.campaign keyword dil Campaigns.
attribution.category keyword dil Categories.
attribution.exploit keyword dil Exploits.
attribution.family keyword dil Families.
attribution.implant keyword dil Implants.
attribution.network keyword dil Networks.
classification keyword is Who may see it.
enabled boolean is Whether it counts.
expiry_ts date is When it is deleted; never, when absent.
file.name keyword dils Names that the file was seen under.
file.size long i Size of the file in bytes.
file.type keyword i Type of the file.
hashes.md5 keyword dis MD5 of the file.
hashes.sha1 keyword dis SHA-1 of the file.
hashes.sha256 keyword dis SHA-256 of the file.
hashes.ssdeep keyword dis Fuzzy hash (ssdeep) of the file.
hashes.tlsh keyword dis Fuzzy hash (TLSH) of the file.
sources.classification keyword il Who may see the source.
sources.name keyword ils Name of the source.
sources.reason keyword il Why the source lists it.
sources.type keyword il Whether a user or another system is the source.
tag.type keyword is Type of the tag.
tag.value keyword dis Value of the tag.
type keyword is Whether a file or a tag is listed.
updated date is When a source was last added.
`;

/** Fields of the list of safe things. See `readFieldTable`. */
export const SAFELIST_FIELDS = `
added date is When it was put on the list.
classification keyword is Who may see it.
enabled boolean is Whether it counts.
expiry_ts date is When it is deleted; never, when absent.
file.name keyword dils Names that the file was seen under.
file.size long i Size of the file in bytes.
file.type keyword i Type of the file.
hashes.md5 keyword dis MD5 of the file.
hashes.sha1 keyword dis SHA-1 of the file.
hashes.sha256 keyword dis SHA-256 of the file.
signature.name keyword dis Name of the signature.
sources.classification keyword il Who may see the source.
sources.name keyword ils Name of the source.
sources.reason keyword il Why the source lists it.
sources.type keyword il Whether a user or another system is the source.
tag.type keyword is Type of the tag.
tag.value keyword dis Value of the tag.
type keyword is Whether a file, a tag or a signature is listed.
updated date is When a source was last added.
`;
