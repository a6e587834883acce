export type Families = Readonly<Record<string, string>>;

/** Returns the names of all members, sorted. A family without members is a name itself. */
export function namesOf(families: Families, separator: string): readonly string[] {
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
