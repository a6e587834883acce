import {
  type AnyField,
  domain,
  email,
  type Field,
  type FieldRecord,
  group,
  integer,
  ip,
  keyword,
  mac,
  mapping,
  md5,
  sha1,
  sha256,
  ssdeep,
  uri,
} from '../../schema/field-builders.ts';
import {
  JA4_REGEX,
  PHONE_REGEX,
  PLATFORM_REGEX,
  PROCESSOR_REGEX,
  UNC_PATH_REGEX,
  URI_PATH_REGEX,
} from '../../schema/values/patterns.ts';
import { type Families, namesOf } from '../file-kinds.ts';

const TAG_FAMILIES: Families = {
  attribution: 'actor campaign category exploit family implant network',
  av: 'heuristic virus_name',
  cert: `
    extended_key_usage issuer key_usage owner serial_no signature_algo subject subject_alt_name thumbprint valid.end
    valid.start version`,
  code: 'sha256',
  dynamic: `
    autorun_location dos_device mutex operating_system.platform operating_system.processor operating_system.version
    processtree_id registry_key signature.category signature.family signature.name ssdeep.cls_ids
    ssdeep.dynamic_classes ssdeep.regkeys window.cls_ids window.dynamic_classes window.regkeys`,
  'dynamic.process': 'command_line file_name file_path module_name module_path shortcut',
  file: `
    ancestry behavior compiler config date.creation date.last_modified jar.imported_package jar.main_class
    jar.main_package lib lsh name.anomaly name.extracted path powershell.cmdlet`,
  'file.apk': `
    activity app.label app.version feature locale permission pkg_name provides_component sdk.min sdk.target
    used_library`,
  'file.elf': 'interpreter libraries notes.name notes.type notes.type_core sections.name segments.type',
  'file.img': `
    exif_tool.creator_tool exif_tool.derived_document_id exif_tool.document_id exif_tool.instance_id
    exif_tool.toolkit mega_pixels mode size sorted_metadata_hash`,
  'file.ole': `
    clsid dde_link fib_timestamp macro.sha256 macro.suspicious_string summary.author summary.codepage
    summary.comment summary.company summary.create_time summary.last_printed summary.last_saved_by
    summary.last_saved_time summary.manager summary.subject summary.title`,
  'file.pdf': 'date.modified date.pdfx date.source_modified javascript.sha1 stats.sha1',
  'file.pe': `
    api_vector authenticode.spc_sp_opus_info.program_name debug.guid exports.function_name exports.module_name
    imports.fuzzy imports.gimphash imports.imphash imports.md5 imports.sorted_fuzzy imports.sorted_sha1
    imports.suspicious linker.timestamp oep.bytes oep.hexdump pdb_filename resources.language resources.name
    rich_header.hash sections.hash sections.name versions.description versions.filename`,
  'file.plist': `
    build.machine_os cf_bundle.development_region cf_bundle.display_name cf_bundle.executable cf_bundle.identifier
    cf_bundle.name cf_bundle.pkg_type cf_bundle.signature cf_bundle.url_scheme cf_bundle.version.long
    cf_bundle.version.short dt.compiler dt.platform.build dt.platform.name dt.platform.version installer_url
    ls.background_only ls.min_system_version min_os_version ns.apple_script_enabled ns.principal_class
    requests_open_access ui.background_modes ui.requires_persistent_wifi wk.app_bundle_identifier`,
  'file.shortcut': 'command_line drive_serial icon_location machine_id sid tracker_mac',
  'file.string': 'api blacklisted decoded extracted',
  'file.swf': 'header.frame.count header.frame.rate header.frame.size header.version tags_ssdeep',
  info: 'password phone_number',
  network: 'attack mac_address port protocol signature.message signature.signature_id user_agent',
  'network.dynamic': 'domain ip unc_path uri uri_path',
  'network.email': 'address date msg_id subject',
  'network.static': 'domain ip unc_path uri uri_path',
  'network.tls': 'ja3_hash ja3_string ja3s_hash ja3s_string ja4_hash ja4s_hash sni',
  source: '',
  technique: `
    comms_routine config crypto exploit keylogger macro masking_algo obfuscation packer persistence shellcode string`,
  vector: '',
};

/** Types of tags (contract/analysis.md section 4.7), beside a `file.rule.<type>` for each kind of rule. */
export const TAG_TYPES: readonly string[] = namesOf(TAG_FAMILIES, '.');

/** Begin of the types of tags that the services name: rules that matched, by kind of rule. */
export const RULE_TAG_PREFIX = 'file.rule.';

type TagField = (description: string) => Field<string> | Field<number>;

const upperKeyword: TagField = (description) => keyword(description, { upperCased: true });
const pattern =
  (regex: string): TagField =>
  (description) =>
    keyword(description, { regex });

/** Fields of the tags that are not plain strings. */
const TAG_FIELDS: Readonly<Record<string, TagField>> = {
  ...fieldsOf(upperKeyword, 'attribution', 'actor campaign category exploit family implant network'),
  ...fieldsOf(sha256, '', 'code.sha256 file.ole.macro.sha256 file.pe.imports.gimphash'),
  ...fieldsOf(sha1, '', 'file.pe.imports.sorted_sha1 file.pdf.javascript.sha1 file.pdf.stats.sha1'),
  ...fieldsOf(md5, '', 'file.pe.imports.md5 file.pe.imports.imphash network.tls.ja3_hash network.tls.ja3s_hash'),
  ...fieldsOf(ssdeep, '', 'file.pe.imports.fuzzy file.pe.imports.sorted_fuzzy file.swf.tags_ssdeep'),
  ...fieldsOf(ssdeep, 'dynamic.ssdeep', 'cls_ids dynamic_classes regkeys'),
  ...fieldsOf(integer, '', 'network.port file.swf.header.frame.count'),
  ...fieldsOf(domain, '', 'network.dynamic.domain network.static.domain'),
  ...fieldsOf(ip, '', 'network.dynamic.ip network.static.ip'),
  ...fieldsOf(uri, '', 'network.dynamic.uri network.static.uri'),
  ...fieldsOf(pattern(URI_PATH_REGEX), '', 'network.dynamic.uri_path network.static.uri_path'),
  ...fieldsOf(pattern(UNC_PATH_REGEX), '', 'network.dynamic.unc_path network.static.unc_path'),
  ...fieldsOf(pattern(JA4_REGEX), '', 'network.tls.ja4_hash network.tls.ja4s_hash'),
  ...fieldsOf(pattern(PHONE_REGEX), '', 'info.phone_number'),
  ...fieldsOf(pattern(PLATFORM_REGEX), '', 'dynamic.operating_system.platform'),
  ...fieldsOf(pattern(PROCESSOR_REGEX), '', 'dynamic.operating_system.processor'),
  ...fieldsOf(email, '', 'network.email.address'),
  ...fieldsOf(mac, '', 'network.mac_address'),
};

function fieldsOf(field: TagField, prefix: string, names: string): Record<string, TagField> {
  const begin = prefix === '' ? '' : `${prefix}.`;
  return Object.fromEntries(names.split(' ').map((name) => [`${begin}${name}`, field]));
}

/** Returns the field of one value of a type of tags; undefined for an unknown type. */
export function tagField(type: string): Field<string | number, boolean> | undefined {
  return oneTagFields.get(type) ?? (RULE_TAG.test(type) ? ruleTag : undefined);
}

const RULE_TAG = /^file\.rule\.[a-z][a-z0-9_-]*$/;
const ruleTag = keyword('A rule that matched.');
const oneTagFields: ReadonlyMap<string, Field<string | number, boolean>> = new Map(
  TAG_TYPES.map((type) => [type, (TAG_FIELDS[type] ?? keyword)(`Tags of the type ${type}.`)]),
);

type TagTree = { [part: string]: TagTree | AnyField };

/** The tags of a section: an object for each part of a type but the last. */
export const taggingFields: FieldRecord = tagGroups(tagTree(), '');

function tagTree(): TagTree {
  const root: TagTree = {};
  for (const [type, field] of oneTagFields) {
    const parts = type.split('.');
    const last = parts.pop() as string;
    let at = root;
    for (const part of parts) {
      at[part] ??= {};
      at = at[part] as TagTree;
    }
    const list = field.list().optional().notStored().leftOut();
    // Integers are not found by words without a field name.
    at[last] = TAG_FIELDS[type] === integer ? list : list.copyToText();
  }
  const rules = mapping('Rules that matched, by kind of rule.', keyword('Rules.').list())
    .optional()
    .notStored()
    .leftOut();
  (root.file as TagTree).rule = rules.copyToText();
  return root;
}

function tagGroups(tree: TagTree, prefix: string): FieldRecord {
  const entries = Object.entries(tree).map(([part, inner]): [string, AnyField] => {
    if ('spec' in inner) return [part, inner as AnyField];
    const path = `${prefix}${part}`;
    const fields = tagGroups(inner as TagTree, `${path}.`);
    return [part, group(titleOf(path), `Tags of the types ${path}.`, fields).optional().leftOut()];
  });
  return Object.fromEntries(entries);
}

/** `network.static` → `TagsNetworkStatic`. */
function titleOf(path: string): string {
  const words = path.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Tags${words.join('')}`;
}

/** The tags of a section as stored: lists of values at the end of the parts of their types. */
export interface Tagging {
  [part: string]: Tagging | readonly (string | number)[] | undefined;
}
