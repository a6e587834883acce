import { alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { emptyResultDocument } from '../../documents/kinds/analysis/empty-result.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { retrohuntDocument } from '../../documents/kinds/analysis/retrohunt.ts';
import { safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { workflowDocument } from '../../documents/kinds/analysis/workflow.ts';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { FIELD_TYPES, type FlatField, ID_FIELD } from '../../documents/schema/field-types.ts';
import { listedApiKey, listedUser } from './listed-kinds.ts';

/** The description of a field of an index for clients, which offer names and values in queries. */
export interface SearchField {
  /** Found by words without a field name. */
  readonly default: boolean;
  readonly description: string;
  readonly indexed: boolean;
  readonly list: boolean;
  /** Part of answers to searches that name no fields. */
  readonly stored: boolean;
  readonly type: string;
}

/** Fields by path, in alphabetical order. */
export type SearchFields = Readonly<Record<string, SearchField>>;

/** An index that can be searched on the analysis service (contract/analysis.md sections 5.1 and 5.4). */
export interface SearchIndex {
  /** Role that a search requires. */
  readonly role: AnalysisRole;
  /** The documents as clients see them. */
  readonly shown: DocumentDefinition<unknown>;
  /** The documents as they are stored; undefined: there is nothing to search, the fields are known alone. */
  readonly stored: DocumentDefinition<unknown> | undefined;
  readonly fields: SearchFields;
}

/** Field of heuristics whose members the services name. */
const SIGNATURE_SCORES = 'signature_score_map';

function index<T>(role: AnalysisRole, definition: DocumentDefinition<T>): SearchIndex {
  const shown = definition as DocumentDefinition<unknown>;
  return { role, shown, stored: shown, fields: searchFields(shown) };
}

/** Every index by name. */
export const SEARCH_INDEXES: Readonly<Record<string, SearchIndex>> = {
  alert: index('alert_view', alertDocument),
  apikey: { ...index('administration', listedApiKey), stored: undefined },
  badlist: index('badlist_view', badlistDocument),
  emptyresult: index('administration', emptyResultDocument),
  error: index('administration', errorDocument),
  file: index('submission_view', fileDocument),
  heuristic: index('heuristic_view', heuristicDocument),
  result: index('submission_view', resultDocument),
  retrohunt: index('retrohunt_view', retrohuntDocument),
  safelist: index('safelist_view', safelistDocument),
  signature: index('signature_view', signatureDocument),
  submission: index('submission_view', submissionDocument),
  user: { ...index('administration', listedUser), stored: userDocument as DocumentDefinition<unknown> },
  workflow: index('workflow_view', workflowDocument),
};

/** Returns the names of the indexes that these roles may search. */
export function searchableIndexes(roles: ReadonlySet<string>): readonly string[] {
  return Object.entries(SEARCH_INDEXES)
    .filter(([, { role }]) => roles.has(role))
    .map(([name]) => name);
}

/** Returns the fields of heuristics, with a score for each of these signatures of services. */
export function heuristicFields(signatures: readonly string[]): SearchFields {
  const scores = signatures.map((name): readonly [string, SearchField] => [
    `${SIGNATURE_SCORES}.${name}`,
    {
      default: false,
      description: `Score of the signature ${name}.`,
      indexed: true,
      list: false,
      stored: false,
      type: 'integer',
    },
  ]);
  return inOrder([...Object.entries(searchFields(heuristicDocument as DocumentDefinition<unknown>)), ...scores]);
}

/** Returns the fields of a kind for clients; searchable mappings are known by their keys alone. */
function searchFields(definition: DocumentDefinition<unknown>): SearchFields {
  const own = definition.ownFields.filter((field) => !(field.type === 'mapping' && field.indexed));
  const id: SearchField = {
    default: definition.fieldByPath.get(ID_FIELD)?.copyToText ?? false,
    description: 'Identifier of the document.',
    indexed: true,
    list: false,
    stored: false,
    type: 'keyword',
  };
  return inOrder([[ID_FIELD, id], ...own.map((field) => [field.path, searchField(field)] as const)]);
}

/** Returns the field of a key of a mapping that can be searched. */
export function keyField(mapping: FlatField): SearchField {
  return { ...searchField(mapping), stored: false, type: 'keyword' };
}

/** Adds fields, in alphabetical order. */
export function withFields(fields: SearchFields, more: SearchFields): SearchFields {
  return inOrder([...Object.entries(fields), ...Object.entries(more)]);
}

function searchField(field: FlatField): SearchField {
  return {
    default: field.copyToText,
    description: field.description,
    indexed: field.indexed,
    list: field.multiValued,
    stored: field.stored,
    type: FIELD_TYPES[field.type].catalogueType,
  };
}

/** Sorts fields by path, as the public service lists them. */
function inOrder(entries: Iterable<readonly [string, SearchField]>): SearchFields {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
