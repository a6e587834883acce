import { InvalidInput } from '../../errors/errors.ts';
import { defineDocument } from '../schema/document-definition.ts';
import { enumeration, group, identifier, keyword, text } from '../schema/field-builders.ts';
import type { GroupRule } from '../schema/field-spec.ts';
import { lead, localizedLabel, ownershipFields, SHARED_OBJECT } from './record-parts.ts';

const pivotMapping = group('Mapping', 'Argument of a pivot.', {
  key: keyword('Name of the argument.'),
  field: keyword('Field of the alert whose value it gets.'),
  custom_value: keyword('Fixed value instead of a field.').optionalNotEmpty(),
});

/** A group is a path without empty parts, and no argument is given twice. */
const pivotRule: GroupRule = (pivot, path) => {
  const { group: folder, mappings } = pivot;
  if (typeof folder === 'string' && folder !== '' && folder.split('/').includes('')) {
    const message = 'A group must consist of a relative path with no empty segments (e.g. a/b/c)';
    throw new InvalidInput('invalid_document', message, { at: `${path}.group` });
  }
  if (Array.isArray(mappings)) {
    const keys = mappings.map((mapping: unknown) => (mapping as { key?: unknown } | null)?.key);
    if (new Set(keys).size !== keys.length) {
      const message = 'One of your pivots has duplicate keys set.';
      throw new InvalidInput('invalid_document', message, { at: `${path}.mappings` });
    }
  }
  return pivot;
};

const pivot = group('Pivot', 'Link from an alert into another tool.', {
  icon: text('Icon of the link.').default('material-symbols:link').notIndexed(),
  group: keyword('Folder that the link is shown in, as a path `a/b`.', { textOnly: true }).optionalNotEmpty(),
  label: localizedLabel,
  value: keyword('Address, or what the plugin needs.').notIndexed(),
  format: keyword('What the value is: `link`, or a plugin’s name.').notIndexed(),
  mappings: pivotMapping.list().default([]),
}).withRule(pivotRule);

export const dossierDocument = defineDocument({
  name: 'dossier',
  title: 'Dossier',
  description: 'Leads and pivots that are shown beside the alerts of a query.',
  idField: 'dossier_id',
  defaultSort: [{ field: 'title', order: 'asc' }],
  visibleTo: SHARED_OBJECT,
  fields: {
    ...ownershipFields,
    dossier_id: identifier('Identifier, made at creation.'),
    leads: lead.list().default([]),
    pivots: pivot.list().default([]),
    title: keyword('Name that people see.'),
    query: keyword('Lucene query of the alerts that it is shown with; absent: all.').optionalNotEmpty(),
    type: enumeration('Who sees it.', ['personal', 'global']),
  },
});

export type Dossier = typeof dossierDocument.Type;
