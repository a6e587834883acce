import { defineDocument } from '../../schema/document-definition.ts';
import { enumeration, group, keyword, md5, sha1, sha256 } from '../../schema/field-builders.ts';
import { listedFields } from './parts.ts';

export const SAFELIST_TYPES = ['file', 'tag', 'signature'] as const;

const hashes = group('SafelistHashes', 'Hashes of a listed file.', {
  md5: md5('MD5 of the file.').optional().copyToText(),
  sha1: sha1('SHA-1 of the file.').optional().copyToText(),
  sha256: sha256('SHA-256 of the file.').optional().copyToText(),
});

const listedSignature = group('SafelistSignature', 'The signature that is listed.', {
  name: keyword('Name of the signature.').copyToText(),
});

export const safelistDocument = defineDocument({
  name: 'safelist',
  title: 'Safelist',
  description: 'A file, tag or signature that is known to be harmless.',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'added', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    ...listedFields,
    hashes: hashes.default({}),
    signature: listedSignature.optional(),
    type: enumeration('Whether a file, a tag or a signature is listed.', SAFELIST_TYPES),
  },
});

export type SafelistItem = typeof safelistDocument.Type;
