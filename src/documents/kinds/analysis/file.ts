import { defineDocument } from '../../schema/document-definition.ts';
import {
  boolean,
  classification,
  dateNow,
  enumeration,
  float,
  group,
  integer,
  keyword,
  long,
  md5,
  sha1,
  sha256,
  ssdeep,
  text,
} from '../../schema/field-builders.ts';
import { archiveTime, expiry, internal, notStored } from './parts.ts';

/** Reactions to a comment. */
export const REACTIONS = ['thumbs_up', 'thumbs_down', 'love', 'smile', 'surprised', 'party'] as const;

const uriInfo = group('UriInfo', 'The URI that a file stands for.', {
  uri: keyword('The URI that the file stands for.'),
  scheme: keyword('Scheme of the URI.'),
  netloc: keyword('Host and port of the URI.'),
  path: keyword('Path of the URI.').optional(),
  params: keyword('Parameters of the path.').optional(),
  query: keyword('Query of the URI.').optional(),
  fragment: keyword('Fragment of the URI.').optional(),
  username: keyword('User in the URI.').optional(),
  password: keyword('Password in the URI.').optional(),
  hostname: keyword('Host of the URI.'),
  port: integer('Port of the URI.').optional(),
});

const seen = group('Seen', 'How often and when it was seen.', {
  count: integer('How often it was submitted or extracted.').default(1),
  first: dateNow('When it was first seen.'),
  last: dateNow('When it was last seen.'),
});

const labelCategories = group('LabelCategories', 'Labels by category.', {
  info: keyword('Labels that inform.').list().default([]),
  technique: keyword('Labels about techniques.').list().default([]),
  attribution: keyword('Labels about who is behind the file.').list().default([]),
});

const reaction = group(
  'FileReaction',
  'Reaction to a comment.',
  notStored({
    icon: enumeration('Icon of the reaction.', REACTIONS),
    uname: keyword('User who reacted.'),
  }),
);

/** A comment on a file. */
export const fileComment = group('FileComment', 'Remark of a user about a file.', {
  cid: keyword('Identifier of the comment.').notStored(),
  uname: keyword('User who wrote the comment.').notStored(),
  date: dateNow('When the comment was written.'),
  text: text('The comment.').notStored(),
  reactions: reaction.list().default([]),
});

export const fileDocument = defineDocument({
  name: 'file',
  title: 'FileRecord',
  description: 'A file that was submitted or extracted.',
  idField: 'sha256',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'seen.last', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    archive_ts: archiveTime,
    classification: classification('Who may see it.'),
    comments: fileComment.list().default([]),
    entropy: float('Entropy of the bytes, 0 to 8.'),
    expiry_ts: expiry,
    is_section_image: boolean('Whether it is a picture that results show.').default(false),
    is_supplementary: boolean('Whether a service made it beside its result.').default(false),
    labels: keyword('All labels.').list().default([]).copyToText(),
    label_categories: labelCategories.default({}),
    md5: md5('MD5 of the file.').copyToText(),
    magic: keyword('Type as libmagic names it.').notStored(),
    mime: keyword('Media type.').optional().notStored(),
    seen: seen.default({}),
    sha1: sha1('SHA-1 of the file.').copyToText(),
    sha256: sha256('SHA-256 of the file.').copyToText(),
    size: long('Size of the file in bytes.'),
    ssdeep: ssdeep('Fuzzy hash (ssdeep).').notStored(),
    type: keyword('Type that identification found.').copyToText(),
    tlsh: keyword('Fuzzy hash (TLSH).').optional().copyToText(),
    uri_info: uriInfo.optional(),
    ...internal({
      ascii: keyword('First bytes, with dots for what cannot be printed.'),
      hex: keyword('First bytes as hexadecimal digits.'),
      from_archive: boolean('Whether it came from the archive.').default(false),
    }),
  },
});

export type FileRecord = typeof fileDocument.Type;
