import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import { MATCH_NONE, type QueryNode } from '../query-tree.ts';
import { booleanNode, type Occur, type ResolvedClause } from './boolean-node.ts';
import { type DefaultField, existsNode, FieldLookup, type SearchedField } from './field-lookup.ts';
import { FIELD_RULES, Refusal, type RuleContext, type RuleResult } from './field-rules.ts';
import { invalidQuery } from './invalid-query.ts';
import { META_RULES } from './meta-fields.ts';
import type { ClauseSyntax, GroupSyntax, SyntaxNode } from './syntax-tree.ts';

export interface ResolveOptions {
  /** With `*` values that do not fit a field's type match nothing there, instead of being an error. */
  readonly defaultField: DefaultField;
  readonly now: Date;
}

/**
 * Looks the fields of a parsed query up in the definition and reads its values.
 * @throws InvalidInput `invalid_query`
 */
export function resolveQuery<T>(
  group: GroupSyntax,
  definition: CollectionDefinition<T>,
  options: ResolveOptions,
): QueryNode {
  return new Resolver(new FieldLookup(definition, options.defaultField), options).group(group) ?? MATCH_NONE;
}

type LeafSyntax = Exclude<SyntaxNode, GroupSyntax>;

class Resolver {
  readonly #fields: FieldLookup;
  readonly #lenient: boolean;
  readonly #context: RuleContext;

  constructor(fields: FieldLookup, { defaultField, now }: ResolveOptions) {
    this.#fields = fields;
    this.#lenient = defaultField === '*';
    this.#context = { now };
  }

  /** Undefined: no clause of the group says anything. */
  group({ clauses }: GroupSyntax): QueryNode | undefined {
    const resolved: ResolvedClause[] = [];
    for (const clause of clauses) this.#addClause(resolved, clause);
    return booleanNode(resolved);
  }

  /** From left to right: AND makes the clauses on both sides required, OR leaves the one before as it is. */
  #addClause(resolved: ResolvedClause[], { conjunction, modifier, node }: ClauseSyntax): void {
    const previous = resolved.at(-1);
    if (conjunction === 'and' && previous?.occur === 'should')
      resolved[resolved.length - 1] = { ...previous, occur: 'must' };
    const query = node.kind === 'group' ? this.group(node) : this.#leaf(node);
    if (query === undefined) return;
    const parts = node.kind === 'words' && node.severalWords ? alternatives(query) : [query];
    resolved.push(...parts.map((part) => ({ query: part, occur: occurOf(conjunction, modifier) })));
  }

  #leaf(leaf: LeafSyntax): QueryNode | undefined {
    if (leaf.field === '_exists_') return existsOfClause(this.#fields, leaf);
    if (leaf.kind === 'any_value') return this.#fields.existsIn(leaf.field);
    const meta = leaf.field === undefined ? undefined : META_RULES.get(leaf.field);
    if (meta) return this.#accepted(meta(leaf), leaf, leaf.field ?? '');
    const results = this.#fields
      .searched(leaf.field)
      .map((field) => this.#accepted(ask(leaf, field, this.#context), leaf, field.path));
    const nodes = results.filter((node) => node !== undefined);
    if (nodes.length === 0) return results.length === 0 ? MATCH_NONE : undefined;
    return booleanNode(nodes.map((query) => ({ query, occur: 'should' })));
  }

  #accepted(result: RuleResult, leaf: LeafSyntax, field: string): QueryNode | undefined {
    if (!(result instanceof Refusal)) return result;
    if (this.#lenient) return MATCH_NONE;
    throw invalidQuery(`The field ${field} ${result.reason}.`, leaf.at);
  }
}

function ask(leaf: Exclude<LeafSyntax, { kind: 'any_value' }>, field: SearchedField, context: RuleContext): RuleResult {
  const rules = FIELD_RULES[field.searchKind];
  switch (leaf.kind) {
    case 'words':
      return rules.words(field.path, leaf.text, context);
    case 'phrase':
      return rules.phrase(field.path, leaf.text, leaf.slop, context);
    case 'range':
      return rules.range(field.path, leaf.lower, leaf.upper, context);
    case 'prefix':
      return rules.prefix(field.path, leaf.text);
    case 'wildcard':
      return rules.wildcard(field.path, leaf.pattern);
    case 'regexp':
      return rules.regexp(field.path, leaf.pattern);
    case 'fuzzy':
      return rules.fuzzy(field.path, leaf.text, leaf.maxEdits);
  }
}

/** `_exists_:name`; anything but a name there is looked for in a field called `_exists_`, which nothing has. */
function existsOfClause(fields: FieldLookup, leaf: LeafSyntax): QueryNode {
  return leaf.kind === 'words' || leaf.kind === 'phrase' ? existsNode(fields, leaf.text) : MATCH_NONE;
}

function occurOf(conjunction: ClauseSyntax['conjunction'], modifier: ClauseSyntax['modifier']): Occur {
  if (modifier === 'prohibited') return 'must_not';
  return modifier === 'required' || conjunction === 'and' ? 'must' : 'should';
}

/** The words of a text are clauses of the group they stand in. */
function alternatives(query: QueryNode): readonly QueryNode[] {
  return query.kind === 'boolean' && query.must.length === 0 && query.mustNot.length === 0 ? query.should : [query];
}
