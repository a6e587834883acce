import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import { TAG_TYPES } from '../../documents/kinds/analysis/tagging.ts';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { type CataloguedField, fieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { valuesAt } from '../../documents/schema/plain-objects.ts';
import {
  ALERT_FIELDS,
  APIKEY_FIELDS,
  DETAIL_FIELDS,
  DETAILED_PARTS,
  USER_FIELDS,
  WORKFLOW_FIELDS,
} from './alert-fields.ts';
import {
  BADLIST_FIELDS,
  FILE_FIELDS,
  LISTED_FIELDS,
  RETROHUNT_FIELDS,
  SAFELIST_FIELDS,
  SIGNATURE_FIELDS,
} from './file-fields.ts';
import { ERROR_FIELDS, RESULT_FIELDS, SUBMISSION_FIELDS } from './submission-fields.ts';

/** The description of a field of an index for clients, which offer names and values in queries. */
export type SearchField = Pick<CataloguedField, 'default' | 'description' | 'indexed' | 'list' | 'stored' | 'type'>;

/** Fields by path, in alphabetical order. */
export type SearchFields = Readonly<Record<string, SearchField>>;

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

/** Fields of several indexes. */
const ARCHIVED = 'archive_ts date is When it was archived.';
const CLASSIFIED = 'classification keyword is Who may see it.';
const EXPIRING = 'expiry_ts date i When it is deleted; never, when absent.';
const LINE = /^(?<path>\S+) (?<type>[a-z]+) (?<flags>-|[dils]+) (?<description>.+)$/;

const index = (role: AnalysisRole, tables: readonly string[], more: readonly NamedField[] = []): SearchIndex => ({
  role,
  fields: inOrder([ID, ...tables.flatMap((table) => Object.entries(readFieldTable(table))), ...more]),
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
  alert: index('alert_view', [ARCHIVED, CLASSIFIED, EXPIRING, ALERT_FIELDS], details),
  apikey: index('administration', [APIKEY_FIELDS]),
  badlist: index('badlist_view', [CLASSIFIED, LISTED_FIELDS, BADLIST_FIELDS]),
  emptyresult: index('administration', [EXPIRING]),
  error: index('administration', [ARCHIVED, EXPIRING, ERROR_FIELDS]),
  file: index('submission_view', [ARCHIVED, CLASSIFIED, EXPIRING, FILE_FIELDS]),
  heuristic: { role: 'heuristic_view', fields: heuristicFields([]) },
  result: index('submission_view', [ARCHIVED, CLASSIFIED, EXPIRING, RESULT_FIELDS], tags),
  retrohunt: index('retrohunt_view', [CLASSIFIED, EXPIRING, RETROHUNT_FIELDS]),
  safelist: index('safelist_view', [CLASSIFIED, LISTED_FIELDS, SAFELIST_FIELDS]),
  signature: index('signature_view', [CLASSIFIED, SIGNATURE_FIELDS]),
  submission: index('submission_view', [ARCHIVED, CLASSIFIED, EXPIRING, SUBMISSION_FIELDS]),
  user: index('administration', [USER_FIELDS]),
  workflow: index('workflow_view', [WORKFLOW_FIELDS]),
};

/** Returns the names of the indexes that these roles may search. */
export function searchableIndexes(roles: ReadonlySet<string>): readonly string[] {
  return Object.entries(SEARCH_INDEXES)
    .filter(([, { role }]) => roles.has(role))
    .map(([name]) => name);
}

/** Reads lines of path, type, flags (`d` default, `i` indexed, `l` list, `s` stored, `-` none), words. */
export function readFieldTable(table: string): SearchFields {
  const lines = table.trim().split('\n');
  return inOrder(
    lines.map((line): [string, SearchField] => {
      const { path, type = '', flags = '', description = '' } = LINE.exec(line)?.groups ?? {};
      if (path === undefined) throw new Error(`This is not a field: ${line}`);
      return [path, searchField(type, flags, description)];
    }),
  );
}

/** @param flags as in `readFieldTable` */
function searchField(type: string, flags: string, description: string): SearchField {
  return {
    default: flags.includes('d'),
    description,
    indexed: flags.includes('i'),
    list: flags.includes('l'),
    stored: flags.includes('s'),
    type,
  };
}

/** Sorts fields by path, as the public service lists them. */
function inOrder(entries: Iterable<readonly [string, SearchField]>): SearchFields {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
