import type { CollectionDefinition, StoredDocument } from '../documents/schema/collection-definition.ts';
import { defineDocument } from '../documents/schema/document-definition.ts';
import {
  boolean,
  caseInsensitiveKeyword,
  date,
  float,
  group,
  integer,
  ip,
  keyword,
  long,
  mapping,
  md5,
  ssdeep,
  text,
} from '../documents/schema/field-builders.ts';

/** A small kind of document with a field of every search kind. */
export const SEARCHABLE: CollectionDefinition<StoredDocument> = defineDocument({
  name: 'searchable',
  title: 'Searchable',
  description: 'Documents of the tests of the query language.',
  defaultSort: [],
  fields: {
    status: keyword('Word.'),
    title: caseInsensitiveKeyword('Title.').copyToText(),
    tags: keyword('Words.').list().copyToText(),
    message: text('Prose.').list().copyToText(),
    comment: group('Comment', 'Objects in a list.', { value: text('Prose.'), user: keyword('Writer.') }).list(),
    severity: integer('Whole number.'),
    bytes: long('Large whole number.'),
    score: float('Number.').list(),
    is: group('State', 'Nested object.', { open: boolean('Yes or no.') }),
    timestamp: date('Time.'),
    source: group('Source', 'Nested object.', { ip: ip('Address.').list() }),
    hash: group('Hash', 'Nested object.', { ssdeep: ssdeep('Fuzzy hash.'), md5: md5('Hash.') }),
    labels: mapping('Free keys.', keyword('Value.')),
    raw: keyword('Kept and never found.').notIndexed().copyToText(),
  },
}) as unknown as CollectionDefinition<StoredDocument>;
