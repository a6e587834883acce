import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { TAG_TYPES } from '../../documents/kinds/file-kinds.ts';
import { heuristicDocument } from '../../documents/kinds/heuristic.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { fieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { valuesAt } from '../../documents/schema/plain-objects.ts';
import {
  ALERT_FIELDS,
  APIKEY_FIELDS,
  DETAIL_FIELDS,
  DETAILED_PARTS,
  USER_FIELDS,
  WORKFLOW_FIELDS,
} from './alert-fields.ts';
import { inOrder, readFieldTable, type SearchField, type SearchFields, searchField } from './field-table.ts';
import {
  BADLIST_FIELDS,
  FILE_FIELDS,
  LISTED_FIELDS,
  RETROHUNT_FIELDS,
  SAFELIST_FIELDS,
  SIGNATURE_FIELDS,
} from './file-fields.ts';
import { EMPTYRESULT_FIELDS, ERROR_FIELDS, RESULT_FIELDS, SUBMISSION_FIELDS } from './submission-fields.ts';

/** An index that can be searched on the analysis service. */
export interface SearchIndex {
  /** Role that a search requires (contract/analysis.md section 5.1). */
  readonly role: AnalysisRole;
  readonly fields: SearchFields;
}

type NamedField = readonly [path: string, field: SearchField];

/** Members of a catalogued field that clients get. */
const SHOWN = 'default description indexed list stored type';
/** Field of heuristics whose members the services name. */
const SIGNATURE_SCORES = 'signature_score_map';
const ID: NamedField = ['id', searchField('keyword', 'di', 'Identifier of the document.')];

const index = (role: AnalysisRole, table: string, more: readonly NamedField[] = []): SearchIndex => ({
  role,
  fields: inOrder([ID, ...Object.entries(readFieldTable(table)), ...more]),
});

const details = DETAILED_PARTS.flatMap((part) =>
  Object.entries(readFieldTable(DETAIL_FIELDS)).map(
    ([name, field]): NamedField => [`al.detailed.${part}.${name}`, field],
  ),
);

/** Types of tags that are not strings. */
const TAG_FIELD_TYPES: Readonly<Record<string, string>> = {
  'network.port': 'integer',
  'file.swf.header.frame.count': 'integer',
  'network.dynamic.ip': 'ip',
  'network.static.ip': 'ip',
};

const tags = TAG_TYPES.map((tag): NamedField => {
  const type = TAG_FIELD_TYPES[tag] ?? 'keyword';
  const flags = type === 'integer' ? 'il' : 'dil';
  return [`result.sections.tags.${tag}`, searchField(type, flags, `Tags of the type ${tag}.`)];
});

/** Returns the fields of heuristics, with a score for each of these signatures of services. */
export function heuristicFields(signatures: readonly string[]): SearchFields {
  const catalogue = Object.entries(fieldCatalogue(heuristicDocument as DocumentDefinition<unknown>));
  const described = catalogue
    .filter(([path]) => path !== SIGNATURE_SCORES)
    .map(([path, field]) => [path, valuesAt(field, SHOWN) as unknown as SearchField] as const);
  const scores = signatures.map(
    (name) => [`${SIGNATURE_SCORES}.${name}`, searchField('integer', 'i', `Score of the signature ${name}.`)] as const,
  );
  return inOrder([ID, ...described, ...scores]);
}

/** Every index by name (contract/analysis.md sections 5.1 and 5.4). */
export const SEARCH_INDEXES: Readonly<Record<string, SearchIndex>> = {
  alert: index('alert_view', ALERT_FIELDS, details),
  apikey: index('administration', APIKEY_FIELDS),
  badlist: index('badlist_view', LISTED_FIELDS + BADLIST_FIELDS.trimStart()),
  emptyresult: index('administration', EMPTYRESULT_FIELDS),
  error: index('administration', ERROR_FIELDS),
  file: index('submission_view', FILE_FIELDS),
  heuristic: { role: 'heuristic_view', fields: heuristicFields([]) },
  result: index('submission_view', RESULT_FIELDS, tags),
  retrohunt: index('retrohunt_view', RETROHUNT_FIELDS),
  safelist: index('safelist_view', LISTED_FIELDS + SAFELIST_FIELDS.trimStart()),
  signature: index('signature_view', SIGNATURE_FIELDS),
  submission: index('submission_view', SUBMISSION_FIELDS),
  user: index('administration', USER_FIELDS),
  workflow: index('workflow_view', WORKFLOW_FIELDS),
};

/** Returns the names of the indexes that these roles may search. */
export function searchableIndexes(roles: ReadonlySet<string>): readonly string[] {
  return Object.entries(SEARCH_INDEXES)
    .filter(([, { role }]) => roles.has(role))
    .map(([name]) => name);
}
