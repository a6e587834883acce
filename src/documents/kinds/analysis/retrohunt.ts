import { defineDocument } from '../../schema/document-definition.ts';
import { boolean, classification, date, enumeration, keyword, long, text } from '../../schema/field-builders.ts';
import { expiry } from './parts.ts';

export const RETROHUNT_INDICES = ['hot', 'archive', 'hot_and_archive'] as const;

export const retrohuntDocument = defineDocument({
  name: 'retrohunt',
  title: 'Retrohunt',
  description: 'A search in stored files.',
  idField: 'key',
  classificationField: 'classification',
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'created_time', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    indices: enumeration('Which files are searched.', RETROHUNT_INDICES).default('hot_and_archive'),
    classification: classification('Who may see it.'),
    search_classification: classification('Highest classification of what is found.'),
    creator: keyword('User who asked for the search.').copyToText(),
    description: text('What it is, for people.').copyToText(),
    expiry_ts: expiry,
    start_group: long('First group of files, by day of expiry.'),
    end_group: long('Last group of files, by day of expiry.'),
    created_time: date('When the search was asked for.'),
    started_time: date('When the search began.'),
    completed_time: date('When the search ended.').optional().notStored(),
    key: keyword('Identifier of the search.'),
    raw_query: keyword('Filter made of the rule.').notStored(),
    yara_signature: keyword('The rule that is searched for.').copyToText().notStored(),
    errors: keyword('What went wrong.').list().notStored(),
    warnings: keyword('What may be wrong.').list().notStored(),
    finished: boolean('Whether the search has ended.').default(false),
    truncated: boolean('Whether there was more than is kept.').default(false),
  },
});

export type Retrohunt = typeof retrohuntDocument.Type;
