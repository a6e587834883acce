import { type CollectionDefinition, mappingFieldAbove } from '../../documents/schema/collection-definition.ts';
import { type FlatField, type SearchKind, TEXT_FIELD } from '../../documents/schema/field-types.ts';
import { MATCH_ALL, MATCH_NONE, type QueryNode } from '../port/query-tree.ts';
import type { StepBudget } from '../regular-language/query-limits.ts';
import { compileWildcard } from '../regular-language/wildcard.ts';
import { booleanNode } from './boolean-node.ts';

/** `*` stands for every field whose name does not begin with `_`. */
export type DefaultField = typeof TEXT_FIELD | '*';

export interface SearchedField {
  readonly path: string;
  /** `none` also for fields that are not indexed. */
  readonly searchKind: SearchKind;
}

type Fields = Pick<CollectionDefinition, 'fields' | 'fieldByPath'>;

const TEXT: SearchedField = { path: TEXT_FIELD, searchKind: 'text' };
/** Fields that every document has by being one. */
const IDENTITY_FIELDS: ReadonlySet<string> = new Set(['_id', '_index']);

/** The fields that a name or pattern in a query stands for. */
export class FieldLookup {
  readonly #definition: Fields;
  readonly #defaultField: DefaultField;
  readonly #budget: StepBudget;

  constructor(definition: Fields, defaultField: DefaultField, budget: StepBudget) {
    this.#budget = budget;
    this.#definition = definition;
    this.#defaultField = defaultField;
  }

  /** Returns the fields to search; none for a name that the collection does not have. */
  searched(name: string = this.#defaultField): readonly SearchedField[] {
    if (name === '*') return this.#public().filter((field) => field.indexed && field.searchKind !== 'none');
    if (name.includes('*')) return this.#matching(name).map(searchedField);
    const field = this.#exact(name);
    return field ? [field] : [];
  }

  /** `name:*` */
  existsIn(name: string = this.#defaultField): QueryNode {
    return name === '*' ? MATCH_ALL : this.exists(name);
  }

  /** Some field of that name, below that object or of that pattern has a value. */
  exists(name: string): QueryNode {
    if (IDENTITY_FIELDS.has(name)) return MATCH_ALL;
    const exact = name === TEXT_FIELD ? TEXT : this.#existing(name);
    const fields = exact ? [exact] : this.#matching(name.includes('*') ? name : `${name}.*`).map(searchedField);
    const nodes = fields
      .filter((field) => field.searchKind !== 'none')
      .map((field): QueryNode => ({ kind: 'exists', field: field.path }));
    return booleanNode(nodes.map((query) => ({ query, occur: 'should' }))) ?? MATCH_NONE;
  }

  /** An object of free keys exists when any key does; its keys are fields, it is not. */
  #existing(name: string): SearchedField | undefined {
    const field = this.#definition.fieldByPath.get(name);
    return field ? searchedField(field) : this.#exact(name);
  }

  #exact(name: string): SearchedField | undefined {
    if (name === TEXT_FIELD) return TEXT;
    const field = this.#definition.fieldByPath.get(name);
    if (field) return field.type === 'mapping' ? undefined : searchedField(field);
    const holder = mappingFieldAbove(this.#definition, name);
    return holder && { path: name, searchKind: searchedField(holder).searchKind };
  }

  #public(): readonly FlatField[] {
    return this.#definition.fields.filter((field) => !field.path.startsWith('_'));
  }

  #matching(pattern: string): readonly FlatField[] {
    const matches = compileWildcard(pattern.replace(/[\\?]/g, '\\$&'), this.#budget);
    this.#budget.spend(this.#definition.fields.length);
    return this.#public().filter((field) => matches(field.path));
  }
}

function searchedField({ path, searchKind, indexed }: FlatField): SearchedField {
  return { path, searchKind: indexed ? searchKind : 'none' };
}
