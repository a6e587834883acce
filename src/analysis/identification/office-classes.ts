/** Classes of the root of OLE documents by the kind of document, without hyphens, in lower case. */
const CLASSES_OF_KINDS: Readonly<Record<string, string>> = {
  'document/installer/windows': '000c108400000000c000000000000046',
  'document/office/email': '00020d0b00000000c000000000000046',
  'document/office/equation': '0002ce0200000000c000000000000046',
  'document/office/excel':
    '00020c0100000000c000000000000046 0002082100000000c000000000000046 0002082000000000c000000000000046 0002081000000000c000000000000046',
  'document/office/package': '0003000c00000000c000000000000046',
  'document/office/paintbrush': '0003000a00000000c000000000000046',
  'document/office/powerpoint': '64818d104f9b11cf86ea00aa00b929e8 64818d114f9b11cf86ea00aa00b929e8',
  'document/office/visio': '00021a1400000000c000000000000046',
  'document/office/word':
    '0002080300000000c000000000000046 0002090000000000c000000000000046 0002090100000000c000000000000046 0002090600000000c000000000000046 0002090700000000c000000000000046 46e313703f7a11cebed600aa00611080 5512d1105cc611cf8d6700aa00bdce1d 5512d11a5cc611cf8d6700aa00bdce1d 5512d11c5cc611cf8d6700aa00bdce1d 1194394036de11cf953e00c0a84029e9 c62a69f016dc11ce9e9800aa00574a4f f4754c9b64f54b408af4679732ac0607 bdd1f04b858b11d1b16a00c0f0283628',
  'document/office/wordperfect': 'a25250c450c111d38ea30090271becdd',
  'document/office/wordpro': '291304002eed1069bf5d00dd011186b7',
  'document/pdf': 'b801ca65a1fc11d085ad444553540000',
};

/** Kinds of OLE documents by the class of their root. */
export const OFFICE_CLASS_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(CLASSES_OF_KINDS).flatMap(([kind, classes]) =>
    classes.split(' ').map((each): [string, string] => [each, kind]),
  ),
);

const ROOT_ENTRY = Buffer.from('Root Entry', 'utf16le');
/** Offset of the class in the directory entry that begins with the name. */
const CLASS_OFFSET = 0x50;
const NO_CLASS = '0'.repeat(32);
const DETAILS = Buffer.from('Details', 'utf16le');

/** Returns the kind of an OLE document by its root entry; undefined when that is not known. */
export function officeKindOf(head: Buffer): string | undefined {
  const entry = head.indexOf(ROOT_ENTRY);
  const bytes = entry === -1 ? undefined : head.subarray(entry + CLASS_OFFSET, entry + CLASS_OFFSET + 16);
  if (bytes === undefined || bytes.length < 16) return undefined;
  const id = classIdentifier(bytes);
  if (id !== NO_CLASS) return OFFICE_CLASS_KINDS.get(id);
  // Containers of quarantined files have a stream of this name, and no class.
  return head.subarray(0, entry + 0x100).includes(DETAILS) ? 'quarantine/mcafee' : undefined;
}

/** A GUID: three numbers in little-endian order, then eight bytes. */
function classIdentifier(bytes: Buffer): string {
  const [a, b, c] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return hex(a, 8) + hex(b, 4) + hex(c, 4) + bytes.toString('hex', 8);
}
