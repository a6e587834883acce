import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import { FIELD_TYPES, type FieldTypeName } from '../../documents/schema/field-types.ts';

/**
 * The fields that version 3.0.0 of the public system gave another type, with their types in version
 * 2.12.0. Source: the models of its packages `howler-api` 2.12.0 and 3.0.0, flattened and compared.
 */
const VERSION_2_TYPES: Readonly<Record<'view' | 'analytic' | 'hit', Readonly<Record<string, FieldTypeName>>>> = {
  view: { title: 'keyword' },
  analytic: { name: 'keyword', detections: 'keyword', 'notebooks.name': 'text', 'notebooks.value': 'text' },
  hit: {
    'source.bytes': 'integer',
    'destination.bytes': 'integer',
    'howler.labels.assignments': 'text',
    'howler.labels.campaign': 'text',
    'howler.labels.generic': 'text',
    'howler.labels.insight': 'text',
    'howler.labels.mitigation': 'text',
    'howler.labels.operation': 'text',
    'howler.labels.threat': 'text',
    'howler.labels.tuning': 'text',
    'howler.labels.victim': 'text',
    'howler.links.title': 'text',
    'howler.outline.indicators': 'text',
    'howler.outline.summary': 'text',
    'howler.outline.target': 'text',
    'howler.outline.threat': 'text',
    'howler.rationale': 'text',
  },
};

const PRESENT = { view: viewDocument, analytic: analyticDocument, hit: hitDocument };

/** A kind of document as version 2.12.0 of the public system mapped it. */
export function version2Definition(kind: 'view' | 'analytic' | 'hit'): CollectionDefinition<StoredDocument> {
  const present = PRESENT[kind] as unknown as CollectionDefinition<StoredDocument>;
  const types = VERSION_2_TYPES[kind];
  for (const path of Object.keys(types)) {
    if (!present.fieldByPath.has(path)) throw new Error(`${kind} has no field ${path}`);
  }
  const fields = present.fields.map((field) => {
    const type = types[field.path];
    return type === undefined ? field : { ...field, type, searchKind: FIELD_TYPES[type].searchKind };
  });
  return { ...present, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
}
