import {
  boolean,
  date,
  enumeration,
  group,
  integer,
  keyword,
  long,
  md5,
  sha1,
  sha256,
  ssdeep,
} from '../../schema/field-builders.ts';

export const hashes = group('Hashes', 'Hashes of the content.', {
  md5: md5('MD5 of the content.').optional(),
  sha1: sha1('SHA-1 of the content.').optional(),
  sha256: sha256('SHA-256 of the content.').optional(),
  sha384: keyword('SHA-384 of the content.', { regex: '^[a-f0-9]{96}$' }).optional(),
  sha512: keyword('SHA-512 of the content.', { regex: '^[a-f0-9]{128}$' }).optional(),
  ssdeep: ssdeep('Fuzzy hash of the content (ssdeep).').optional(),
  tlsh: keyword('Fuzzy hash of the content (TLSH).').optional(),
});

const DIGESTS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

export const codeSignature = group('CodeSignature', 'Signature of the program.', {
  digest_algorithm: enumeration('Hash function of the signature.', DIGESTS).optional(),
  exists: boolean('Whether there is a signature.').optional(),
  signing_id: keyword('Identifier of the signed program.').optional(),
  status: keyword('What checking the signature said.').optional(),
  subject_name: keyword('Subject of the signer’s certificate.').optional(),
  team_id: keyword('Identifier of the signer’s team.').optional(),
  timestamp: date('When it was signed.').optional(),
  trusted: boolean('Whether the certificate chain is trusted.').optional(),
  valid: boolean('Whether the signature fits the content.').optional(),
});

const elfHeader = group('Header', 'Header of an ELF file.', {
  abi_version: keyword('Version of the binary interface.').optional(),
  class: keyword('Class of the header, 32 or 64 bit.').optional(),
  data: keyword('Data table of the header.').optional(),
  entrypoint: integer('Address at which the program starts.').optional(),
  object_version: keyword('Version of the object file.').optional(),
  os_abi: keyword('Operating system’s binary interface.').optional(),
  type: keyword('Type of the object file.').optional(),
  version: keyword('Version of the header.').optional(),
});

const elfSection = group('Section', 'Section or segment of an ELF file.', {
  chi2: integer('Chi-square of the bytes.').optional(),
  entropy: integer('Entropy of the bytes.').optional(),
  flags: keyword('Flags.').optional(),
  name: keyword('Name.').optional(),
  physical_offset: keyword('Offset in the file.').optional(),
  physical_size: integer('Size in the file.').optional(),
  type: keyword('Type.').optional(),
  virtual_address: integer('Address in memory.').optional(),
  virtual_size: integer('Size in memory.').optional(),
});

const elf = group('ELF', 'What a Linux program’s headers say.', {
  architecture: keyword('Machine architecture.').optional(),
  byte_order: keyword('Order of bytes.').optional(),
  cpu_type: keyword('Type of processor.').optional(),
  creation_date: keyword('When it was built, where that can be told.').optional(),
  exports: keyword('Names that it exports.').list().default([]),
  header: elfHeader.optional(),
  imports: keyword('Names that it imports.').list().optional(),
  sections: elfSection.list().optional(),
  segments: elfSection.list().optional(),
  shared_libraries: keyword('Libraries that it needs.').list().optional(),
  telfhash: keyword('Hash of the symbols (telfhash).').optional(),
});

export const pe = group('PE', 'What a Windows program’s headers say.', {
  architecture: keyword('Machine architecture.').optional(),
  company: keyword('Company name in the version information.').optional(),
  description: keyword('Description in the version information.').optional(),
  file_version: keyword('Version in the version information.').optional(),
  imphash: keyword('Hash of the imports.').optional(),
  original_file_name: keyword('File name in the version information.').optional(),
  pehash: keyword('Hash of the headers and sections.').optional(),
  product: keyword('Product name in the version information.').optional(),
});

export const file = group('File', 'File.', {
  accessed: date('When it was last read.').optional(),
  attributes: keyword('Attributes, such as hidden or readonly.').list().optional(),
  created: date('When it was created.').optional(),
  ctime: date('When its metadata last changed.').optional(),
  device: keyword('Device that it lies on.').optional(),
  directory: keyword('Directory that it lies in.').optional(),
  drive_letter: keyword('Drive letter on Windows.').optional(),
  extension: keyword('Extension, without the dot.').optional(),
  fork_name: keyword('Name of the alternate data stream or fork.').optional(),
  gid: keyword('Number of the owning group.').optional(),
  group: keyword('Name of the owning group.').optional(),
  inode: keyword('Inode.').optional(),
  mime_type: keyword('Media type.').optional(),
  mode: keyword('Permissions in octal.').optional(),
  mtime: date('When its content last changed.').optional(),
  name: keyword('Name with extension, without directory.').optional(),
  owner: keyword('Name of the owner.').optional(),
  path: keyword('Full path with name.').optional(),
  size: long('Size in bytes.').optionalNotEmpty(),
  target_path: keyword('Path that a link points to.').optional(),
  type: enumeration('Kind of file.', ['file', 'dir', 'symlink']).optional(),
  uid: keyword('Number of the owner.').optional(),
  code_signature: codeSignature.optional(),
  elf: elf.optional(),
  hash: hashes.optional(),
  pe: pe.optional(),
});
