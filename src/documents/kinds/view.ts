import { defineDocument } from '../schema/document-definition.ts';
import {
  boolean,
  caseInsensitiveKeyword,
  enumeration,
  group,
  identifier,
  integer,
  keyword,
} from '../schema/field-builders.ts';
import { ownershipFields, SHARED_OBJECT } from './record-parts.ts';

const gridColumn = group('GridColumn', 'Column of a grid.', {
  field: keyword('Field that the column shows.'),
  width: integer('Width in pixels.').optional(),
});

const settings = group('Settings', 'How the view is shown.', {
  advance_on_triage: boolean('Open the next result after a triage.').default(false),
  display: enumeration('Layout of the results.', ['list', 'grid']).optional(),
  columns: gridColumn.list().optional(),
});

export const viewDocument = defineDocument({
  name: 'view',
  title: 'View',
  description: 'A saved query.',
  idField: 'view_id',
  defaultSort: [{ field: 'title', order: 'asc' }],
  visibleTo: SHARED_OBJECT,
  fields: {
    ...ownershipFields,
    view_id: identifier('Identifier, made at creation.'),
    indexes: keyword('Collections that the query runs on.').list().default(['hit']),
    title: caseInsensitiveKeyword('Name that people see.'),
    query: keyword('Lucene query of the view.'),
    sort: keyword('Order of the results, `field asc` or `field desc`.').optionalNotEmpty(),
    span: keyword('Time span that the view opens with.').optionalNotEmpty(),
    type: enumeration('Who sees it; `readonly` views are made by the system.', ['personal', 'global', 'readonly']),
    settings: settings.default({ advance_on_triage: false }),
  },
});

export type View = typeof viewDocument.Type;
