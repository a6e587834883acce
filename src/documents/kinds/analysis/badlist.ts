import { defineDocument } from '../../schema/document-definition.ts';
import { enumeration, group, keyword, md5, sha1, sha256, ssdeep } from '../../schema/field-builders.ts';
import { listedFields, notStored } from './parts.ts';

export const BADLIST_TYPES = ['file', 'tag'] as const;

const attributed = (description: string) => keyword(description, { upperCased: true }).list().optional().copyToText();

const attribution = group(
  'BadlistAttribution',
  'Who or what is behind it.',
  notStored({
    actor: attributed('Actors.'),
    campaign: attributed('Campaigns.'),
    category: attributed('Categories.'),
    exploit: attributed('Exploits.'),
    implant: attributed('Implants.'),
    family: attributed('Families.'),
    network: attributed('Networks.'),
  }),
);

const hashes = group('BadlistHashes', 'Hashes of a listed file.', {
  md5: md5('MD5 of the file.').optional().copyToText(),
  sha1: sha1('SHA-1 of the file.').optional().copyToText(),
  sha256: sha256('SHA-256 of the file.').optional().copyToText(),
  ssdeep: ssdeep('Fuzzy hash (ssdeep) of the file.').optional().copyToText(),
  tlsh: keyword('Fuzzy hash (TLSH) of the file.').optional().copyToText(),
});

export const badlistDocument = defineDocument({
  name: 'badlist',
  title: 'Badlist',
  description: 'A file or tag that is known to be malicious.',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'added', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    ...listedFields,
    attribution: attribution.optional(),
    hashes: hashes.default({}),
    type: enumeration('Whether a file or a tag is listed.', BADLIST_TYPES),
  },
});

export type BadlistItem = typeof badlistDocument.Type;
