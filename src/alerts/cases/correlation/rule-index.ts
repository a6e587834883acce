import type { IndexedValue, QueryNode } from '../../../datastore/port/query-tree.ts';
import type { IndexedDocument } from '../../../datastore/query-language/indexed-values.ts';
import { ID_FIELD } from '../../../documents/schema/field-types.ts';

/** A condition: the field has one of the values. */
interface Requirement {
  readonly field: string;
  readonly values: readonly IndexedValue[];
}

/**
 * Finds the queries that could match a document by a value that each of them requires.
 * Queries without one, such as ranges and wildcards alone, are candidates for every document.
 */
export class RuleIndex<Rule extends { readonly node: QueryNode }> {
  readonly #byField = new Map<string, Map<IndexedValue, Rule[]>>();
  readonly #always: Rule[] = [];

  readonly size: number;

  constructor(rules: readonly Rule[]) {
    this.size = rules.length;
    for (const rule of rules) {
      const required = requirementsOf(rule.node);
      if (required === undefined) this.#always.push(rule);
      else for (const { field, values } of required) for (const value of values) this.#add(field, value, rule);
    }
  }

  /** Returns the rules that could match, each once; all others do not match. */
  candidates({ values, tokens }: IndexedDocument): ReadonlySet<Rule> {
    const found = new Set(this.#always);
    const addAll = (rules: readonly Rule[] | undefined) => {
      if (rules !== undefined) for (const rule of rules) found.add(rule);
    };
    for (const [field, byValue] of this.#byField) {
      for (const value of values.get(field) ?? []) addAll(byValue.get(value));
      for (const { text } of tokens.get(field) ?? []) addAll(byValue.get(text));
    }
    return found;
  }

  #add(field: string, value: IndexedValue, rule: Rule): void {
    const byValue = this.#byField.get(field) ?? new Map<IndexedValue, Rule[]>();
    this.#byField.set(field, byValue);
    const rules = byValue.get(value);
    if (rules === undefined) byValue.set(value, [rule]);
    else rules.push(rule);
  }
}

/** Returns conditions of which every match fulfils at least one; undefined: there are none. */
function requirementsOf(node: QueryNode): readonly Requirement[] | undefined {
  switch (node.kind) {
    case 'none':
      return [];
    case 'term':
      return [{ field: node.field, values: [node.value] }];
    case 'terms':
      return [node];
    case 'ids':
      return [{ field: ID_FIELD, values: node.ids }];
    case 'phrase':
      return node.terms.length === 0 ? undefined : [{ field: node.field, values: node.terms.slice(0, 1) }];
    case 'boolean': {
      const { must, should } = node;
      if (must.length === 0) return should.length === 0 ? undefined : ofAll(should);
      const required = must.flatMap((one) => {
        const requirements = requirementsOf(one);
        return requirements === undefined ? [] : [requirements];
      });
      // The condition with the fewest values is the rarest one to be fulfilled.
      return required.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
    }
    default:
      return undefined;
  }
}

function ofAll(nodes: readonly QueryNode[]): readonly Requirement[] | undefined {
  const all: Requirement[] = [];
  for (const node of nodes) {
    const requirements = requirementsOf(node);
    if (requirements === undefined) return undefined;
    all.push(...requirements);
  }
  return all;
}

function sizeOf(requirements: readonly Requirement[]): number {
  return requirements.reduce((sum, { values }) => sum + values.length, 0);
}
