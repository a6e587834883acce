type Families = Readonly<Record<string, string>>;

/** Returns the names of all members, sorted. A family without members is a name itself. */
function namesOf(families: Families, separator: string): readonly string[] {
  return Object.entries(families)
    .flatMap(([family, members]) =>
      members === ''
        ? [family]
        : members
            .trim()
            .split(/\s+/)
            .map((member) => family + separator + member),
    )
    .sort();
}

const FILE_FAMILIES: Families = {
  android: 'apk dex resource xml',
  application: 'chrome/extension mozilla/extension torrent',
  archive: `
    7-zip ace ar arc arj asar audiovisual/flash bzip2 cabinet cart chm cpio dmg gzip iso lzh lzip lzma nsis
    rar squashfs szdd tar tnef udf uue vhd vmdk xxe xz zip zlib zpaq zstd`,
  assemblyline: 'ontology',
  audio: 'afs fsb midi mp2 mp3 mp4 ogg s3m wav',
  audiovisual: 'flash',
  certificate: 'rsa',
  code: `
    a3x animation/ccb au3 autorun batch c clickonce csharp css ducky gles glsl go h hta html html/component
    ida idl java javascript jscript jsp lisp lua markdown perl php protobuf ps1 python ruby rust sgml shell
    sql vbe vbs wsc wsf xfa xml xml/msbuild`,
  db: 'dbf odt sqlite',
  document: `
    email epub installer/windows lotus/spreadsheet mobi odt/chart odt/formula odt/graphics odt/presentation
    odt/spreadsheet odt/text odt/web office/email office/excel office/hwp office/mhtml office/ole
    office/onenote office/passwordprotected office/powerpoint office/recoverystore office/rtf office/unknown
    office/word pdf ps`,
  executable: `
    android/oat linux/a.out linux/coff32 linux/coff64 linux/elf32 linux/elf64 linux/ia/coff64
    linux/misp/ecoff linux/pie32 linux/pie64 linux/so32 linux/so64 mach-o web/wasm windows/arm/dll64
    windows/arm/pe64 windows/coff windows/com windows/dll32 windows/dll64 windows/dos windows/ia/dll64
    windows/ia/pe64 windows/pe windows/pe32 windows/pe64`,
  gpg: 'symmetric',
  image: 'bmp cursor emf gif icon jpg png svg tga tiff tim webp wmf',
  java: 'class jar jbdiff manifest signature',
  log: 'vipermonkey',
  metadata: 'iccprofile memorydump minidump sysmon/evt sysmon/xml',
  network: 'sff tcpdump tnef',
  pgp: 'encrypted message privkey pubkey symmetric',
  quarantine: 'ahnlab avast avira windowsdefender',
  resource: `
    acb big ccz cpk dz font/opentype font/pvr font/x11 map/warcraft3 mo msvc pak pickle/v2 pickle/v3
    pickle/v4 pickle/v5 ptc pyc sbm sbr sc texture/ka3d texture/ktx texture/pkm texture/powervr texture/rvio
    yara/v3`,
  shortcut: 'web windows',
  text: 'calendar ini json plain rdp troff windows/registry',
  uri: '',
  video: 'asf avi divx mp4 quicktime',
};

/** The kinds of files, such as `archive/zip` (contract/analysis.md section 7.7). */
export const FILE_KINDS: readonly string[] = namesOf(FILE_FAMILIES, '/');

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
