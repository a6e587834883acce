import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { heuristicDocument } from '../../documents/kinds/heuristic.ts';
import { TAG_TYPES } from '../../documents/kinds/tag-types.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { fieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { APIKEY_FIELDS, USER_FIELDS } from './account-fields.ts';
import { ALERT_FIELDS, DETAIL_FIELDS, DETAILED_PARTS } from './alert-fields.ts';
import { inOrder, readFieldTable, type SearchField, type SearchFields, searchField } from './field-table.ts';
import { BADLIST_FIELDS, FILE_FIELDS, SAFELIST_FIELDS } from './file-fields.ts';
import { RESULT_FIELDS } from './result-fields.ts';
import { RETROHUNT_FIELDS, SIGNATURE_FIELDS, WORKFLOW_FIELDS } from './rule-fields.ts';
import { EMPTYRESULT_FIELDS, ERROR_FIELDS, SUBMISSION_FIELDS } from './submission-fields.ts';

/** Something that can be searched on the analysis service. */
export interface SearchIndex {
  /** Role that it takes (contract/analysis.md section 5.1). */
  readonly role: AnalysisRole;
  readonly fields: SearchFields;
}

/** Field of heuristics whose members the services name. */
const SIGNATURE_SCORES = 'signature_score_map';

const ID: readonly [string, SearchField] = ['id', searchField('keyword', 'di', 'Identifier of the document.')];

const index = (
  role: AnalysisRole,
  table: string,
  more: readonly (readonly [string, SearchField])[] = [],
): SearchIndex => ({
  role,
  fields: inOrder([ID, ...Object.entries(readFieldTable(table)), ...more]),
});

const details = DETAILED_PARTS.flatMap((part) =>
  Object.entries(readFieldTable(DETAIL_FIELDS)).map(([name, field]): [string, SearchField] => [
    `al.detailed.${part}.${name}`,
    field,
  ]),
);

/** Tags that are no text. */
const NUMBERS: ReadonlySet<string> = new Set(['network.port', 'file.swf.header.frame.count']);
const ADDRESSES: ReadonlySet<string> = new Set(['network.dynamic.ip', 'network.static.ip']);

const tags = TAG_TYPES.map((tag): [string, SearchField] => [`result.sections.tags.${tag}`, tagField(tag)]);

/** Every index by name (contract/analysis.md sections 5.1 and 5.4). */
export const SEARCH_INDEXES: Readonly<Record<string, SearchIndex>> = {
  alert: index('alert_view', ALERT_FIELDS, details),
  apikey: index('administration', APIKEY_FIELDS),
  badlist: index('badlist_view', BADLIST_FIELDS),
  emptyresult: index('administration', EMPTYRESULT_FIELDS),
  error: index('administration', ERROR_FIELDS),
  file: index('submission_view', FILE_FIELDS),
  heuristic: {
    role: 'heuristic_view',
    fields: inOrder([ID, ...catalogued(heuristicDocument as DocumentDefinition<unknown>)]),
  },
  result: index('submission_view', RESULT_FIELDS, tags),
  retrohunt: index('retrohunt_view', RETROHUNT_FIELDS),
  safelist: index('safelist_view', SAFELIST_FIELDS),
  signature: index('signature_view', SIGNATURE_FIELDS),
  submission: index('submission_view', SUBMISSION_FIELDS),
  user: index('administration', USER_FIELDS),
  workflow: index('workflow_view', WORKFLOW_FIELDS),
};

/**
 * A field for the score of each of these signatures of heuristics, as the public system adds them to the index when a service brings them.
 */
export function signatureScoreFields(signatures: Iterable<string>): readonly (readonly [string, SearchField])[] {
  return [...signatures].map((name) => [
    `${SIGNATURE_SCORES}.${name}`,
    searchField('integer', 'i', `Score of the signature ${name}.`),
  ]);
}

/** Names of the indexes that these roles may search. */
export function searchableIndexes(roles: ReadonlySet<string>): readonly string[] {
  return Object.entries(SEARCH_INDEXES)
    .filter(([, { role }]) => roles.has(role))
    .map(([name]) => name);
}

/** The fields of a kind of document, but for those whose names the documents make. */
function catalogued(definition: DocumentDefinition<unknown>): readonly (readonly [string, SearchField])[] {
  return Object.entries(fieldCatalogue(definition))
    .filter(([path]) => path !== SIGNATURE_SCORES)
    .map(([path, { default: isDefault, description, indexed, list, stored, type }]) => [
      path,
      { default: isDefault, description, indexed, list, stored, type },
    ]);
}

function tagField(tag: string): SearchField {
  const description = `Tags of the type ${tag}.`;
  if (NUMBERS.has(tag)) return searchField('integer', 'il', description);
  return searchField(ADDRESSES.has(tag) ? 'ip' : 'keyword', 'dil', description);
}
