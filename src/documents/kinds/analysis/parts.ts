import {
  boolean,
  classification,
  date,
  dateNow,
  enumeration,
  type FieldRecord,
  group,
  integer,
  keyword,
  long,
} from '../../schema/field-builders.ts';

/** Leaves fields out of search answers unless they are asked for. */
export function notStored<const F extends FieldRecord>(fields: F): F {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.notStored()])) as unknown as F;
}

/** Keeps fields in the document alone: never searchable, and left out of search answers. */
export function internal<const F extends FieldRecord>(fields: F): F {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.internal()])) as unknown as F;
}

/** Time of the copy into the archive. */
export const archiveTime = date('When it was archived.').optional();
/** End of the life of a document that is deleted by itself. */
export const expiry = date('When it is deleted; never, when absent.').optional().notStored();

export const statistics = group('Statistics', 'How often it was hit, and with which scores.', {
  count: integer('How often it was hit.').default(0),
  min: integer('Lowest score of a hit.').default(0),
  max: integer('Highest score of a hit.').default(0),
  avg: integer('Average score of the hits.').default(0),
  sum: integer('Sum of the scores of the hits.').default(0),
  first_hit: date('When it was hit first.').optional(),
  last_hit: date('When it was hit last.').optional(),
});

export const verdict = group(
  'Verdict',
  'The opinions of users.',
  notStored({
    malicious: keyword('Users who call it malicious.').list().default([]),
    non_malicious: keyword('Users who call it harmless.').list().default([]),
  }),
);

const listedFile = group('ListedFile', 'The file that is listed.', {
  name: keyword('Names that the file was seen under.').list().default([]).copyToText(),
  size: long('Size of the file in bytes.').optional().notStored(),
  type: keyword('Type of the file.').optional().notStored(),
});

const listedTag = group('ListedTag', 'The tag that is listed.', {
  type: keyword('Type of the tag.'),
  value: keyword('Value of the tag.').copyToText(),
});

/** Kinds of sources of a list. */
export const LIST_SOURCE_TYPES = ['user', 'external'] as const;

const listSource = group('ListSource', 'Who listed it, and why.', {
  classification: classification('Who may see the source.').notStored(),
  name: keyword('Name of the source.'),
  reason: keyword('Why the source lists it.').list().notStored(),
  type: enumeration('Whether a user or another system is the source.', LIST_SOURCE_TYPES).notStored(),
});

/** The fields that the badlist and the safelist have in common. */
export const listedFields = {
  added: dateNow('When it was put on the list.'),
  classification: classification('Who may see it.'),
  enabled: boolean('Whether it counts.').default(true),
  expiry_ts: date('When it is deleted; never, when absent.').optional(),
  file: listedFile.optional(),
  sources: listSource.list(),
  tag: listedTag.optional(),
  updated: dateNow('When a source was last added.'),
};

/** States that people or workflows give an alert. */
export const ALERT_STATUSES = ['MALICIOUS', 'NON-MALICIOUS', 'ASSESS', 'TRIAGE'] as const;
/** Priorities of an alert. */
export const ALERT_PRIORITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
