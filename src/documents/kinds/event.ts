import { defineDocument } from '../schema/document-definition.ts';
import { date, enumeration, float, group, hexHash, identifier, keyword } from '../schema/field-builders.ts';
import { recordFields } from './ecs/record.ts';
import { comment, log, outline } from './record-parts.ts';

export const EVENT_ESCALATIONS = ['hit', 'alert', 'evidence'] as const;

const howler = group('EventData', 'What investigations need.', {
  id: identifier('Identifier of the event, made at creation.'),
  data: keyword('Raw records of the event.').list().default([]).notStored(),
  hash: hexHash('Hash of the raw records, to recognise the same event.'),
  related: keyword('Identifiers of related records and cases.').list().default([]),
  outline: outline.optional(),
  score: float('Score by which events are put in order.').default(0).optional(),
  escalation: enumeration('How serious it is taken to be.', EVENT_ESCALATIONS).default('hit'),
  expiry: date('When it may be deleted.').optional(),
  comment: comment.list().default([]),
  log: log.list().default([]),
});

export const eventDocument = defineDocument({
  name: 'event',
  title: 'Event',
  description: 'A raw observation.',
  idField: 'howler.id',
  classificationField: 'classification',
  defaultSort: [{ field: 'event.created', order: 'desc' }],
  carriesIndexName: true,
  growsWithoutLimit: true,
  fields: { ...recordFields, howler },
});

export type Event = typeof eventDocument.Type;
