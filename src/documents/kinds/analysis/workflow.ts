import { defineDocument } from '../../schema/document-definition.ts';
import { boolean, classification, date, dateNow, enumeration, integer, keyword } from '../../schema/field-builders.ts';
import { ALERT_PRIORITIES, ALERT_STATUSES } from './parts.ts';

export const workflowDocument = defineDocument({
  name: 'workflow',
  title: 'Workflow',
  description: 'Changes that alerts of a query get by themselves.',
  idField: 'workflow_id',
  classificationField: 'classification',
  defaultSort: [{ field: 'last_seen', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    classification: classification('Who may see it.').copyToText(),
    creation_date: dateNow('When it was made.'),
    creator: keyword('User who made it.'),
    edited_by: keyword('User who last changed it.'),
    enabled: boolean('Whether it runs.').default(true),
    first_seen: date('When it first matched an alert.').optional(),
    hit_count: integer('Alerts that it matched.').default(0),
    labels: keyword('Labels that it gives.').list().default([]).copyToText(),
    last_edit: dateNow('When it was last changed.'),
    last_seen: date('When it last matched an alert.').optional(),
    name: keyword('Name.').copyToText(),
    origin: keyword('Where it comes from.').optional(),
    priority: enumeration('Priority that it gives.', ALERT_PRIORITIES).optional().copyToText(),
    query: keyword('Alerts that it is for.'),
    status: enumeration('Status that it gives.', ALERT_STATUSES).optional().copyToText(),
    workflow_id: keyword('Identifier of the workflow.').optional(),
  },
});

export type Workflow = typeof workflowDocument.Type;
