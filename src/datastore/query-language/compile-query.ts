import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { type SearchKind, TEXT_FIELD } from '../../documents/schema/field-types.ts';
import { MATCH_NONE, type QueryNode } from '../port/query-tree.ts';
import {
  invalidQuery,
  MAX_QUERY_CONDITIONS,
  MAX_QUERY_PATTERNS,
  patternBudget,
  queryTooComplex,
  type StepBudget,
} from '../regular-language/query-limits.ts';
import { describeProblem, queryProblem } from '../regular-language/query-problems.ts';
import { substringRegexp } from '../regular-language/substring-regexp.ts';
import { isSubstring } from '../regular-language/wildcard.ts';
import { isAnalysed } from './analysis.ts';
import { booleanNode, type Occur, type ResolvedClause } from './boolean-node.ts';
import { type DefaultField, FieldLookup } from './field-lookup.ts';
import { ask, Refusal, type RuleContext, type RuleResult } from './field-rules.ts';
import { MAX_QUERY_CLAUSES, parseSyntax } from './query-parser.ts';
import type { ClauseSyntax, GroupSyntax, LeafSyntax } from './syntax-tree.ts';

export interface CompileOptions {
  /**
   * Field for clauses without one; default `__text__`.
   * With `*`, every field whose name does not begin with `_`; values that do not fit a field then match nothing.
   */
  readonly defaultField?: DefaultField;
  /** Value of `now` in dates. Default: the current time. */
  readonly now?: Date;
  /** Steps for compiling patterns, shared with other queries. Default: those of one query. */
  readonly budget?: StepBudget;
  /**
   * Compiles a tree to show, in which clauses that no document can match stay with their reason.
   * Values that do not fit their field are among them. Default false: they throw.
   */
  readonly keepUnmatchable?: boolean;
  /** Conditions that the query may stand for. Default `MAX_QUERY_CONDITIONS`. */
  readonly maxConditions?: number;
}

/**
 * Compiles the text of a query into a tree for datastore adapters.
 * The language is Elasticsearch's `query_string` with default operator OR: docs/query-language.md. A field that the
 * collection does not have matches nothing, blank text too.
 * @throws InvalidInput `invalid_query` with `at`, the position in the text (UTF-16 units from 0); `query_too_complex`
 */
export function compileQuery<T>(
  text: string,
  definition: CollectionDefinition<T>,
  options: CompileOptions = {},
): QueryNode {
  return compileSyntax(parseSyntax(text), definition, options);
}

/** Compiles a query whose syntax is parsed already; otherwise as `compileQuery`. */
export function compileSyntax<T>(
  syntax: GroupSyntax,
  definition: CollectionDefinition<T>,
  {
    defaultField = TEXT_FIELD,
    now = new Date(),
    budget = patternBudget(),
    keepUnmatchable = false,
    maxConditions,
  }: CompileOptions,
): QueryNode {
  const fields = new FieldLookup(definition, defaultField, budget);
  const unmatchable = keepUnmatchable ? 'keep' : defaultField === '*' ? 'ignore' : 'reject';
  const node = new Resolver(fields, unmatchable, { now, budget }).group(syntax) ?? MATCH_NONE;
  checkConditions(node, definition, maxConditions);
  return node;
}

/** The treatment of values that do not fit their field; `keep`: shows them with the reason. */
type Unmatchable = 'reject' | 'ignore' | 'keep';

class Resolver {
  readonly #fields: FieldLookup;
  readonly #unmatchable: Unmatchable;
  readonly #context: RuleContext;
  #clauses = 0;

  constructor(fields: FieldLookup, unmatchable: Unmatchable, context: RuleContext) {
    this.#fields = fields;
    this.#unmatchable = unmatchable;
    this.#context = context;
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
    const occur = occurOf(conjunction, modifier);
    for (const part of node.kind === 'words' && node.severalWords ? alternatives(query) : [query]) {
      resolved.push({ query: part, occur });
    }
  }

  #leaf(leaf: LeafSyntax): QueryNode | undefined {
    if (leaf.field === '_exists_') return this.#existing(existsOfClause(this.#fields, leaf), leaf);
    if (leaf.kind === 'any_value') return this.#existing(this.#fields.existsIn(leaf.field), leaf);
    if (leaf.field !== undefined && META_FIELDS.has(leaf.field)) {
      return this.#accepted(metaResult(leaf), leaf, leaf.field);
    }
    const fields = this.#fields.searched(leaf.field);
    if (fields.length === 0) return this.#unknownField(leaf);
    const clauses: ResolvedClause[] = [];
    const byKind = new Map<SearchKind, QueryNode | undefined>();
    for (const { path, searchKind } of fields) {
      const known = byKind.get(searchKind);
      // Its reason names the field that it was found for.
      if (known?.kind === 'none' && known.reason !== undefined) continue;
      const first = known ?? this.#accepted(ask(leaf, path, searchKind, this.#context), leaf, path);
      byKind.set(searchKind, first);
      if (first) clauses.push({ query: this.#counted(inField(first, path), leaf), occur: 'should' });
    }
    return booleanNode(clauses);
  }

  /** Counts clauses: a word may expand to hundreds of fields, and a string to thousands of words. */
  #counted(node: QueryNode, { at }: LeafSyntax): QueryNode {
    this.#clauses += node.kind === 'boolean' ? node.should.length : node.kind === 'phrase' ? node.terms.length : 1;
    if (this.#clauses > MAX_QUERY_CLAUSES) {
      throw queryTooComplex(queryProblem('many_expanded', { most: MAX_QUERY_CLAUSES }), at);
    }
    return node;
  }

  #accepted(result: RuleResult, leaf: LeafSyntax, field: string): QueryNode | undefined {
    if (!(result instanceof Refusal)) {
      return result?.kind === 'none'
        ? this.#nothing(`No document has this value in the field ${field}.`, leaf)
        : result;
    }
    const { id, values } = result.problem;
    const problem = queryProblem(id, { ...values, field });
    if (this.#unmatchable === 'reject' || (this.#unmatchable === 'keep' && result.kind === 'syntax')) {
      throw invalidQuery(problem, leaf.at);
    }
    return this.#nothing(describeProblem(problem), leaf);
  }

  #existing(node: QueryNode, leaf: LeafSyntax): QueryNode {
    return this.#counted(node.kind === 'none' ? this.#unknownField(leaf) : node, leaf);
  }

  #unknownField(leaf: LeafSyntax): QueryNode {
    const name = leaf.field === '_exists_' && 'text' in leaf ? leaf.text : leaf.field;
    return this.#nothing(`No searchable field is named ${JSON.stringify(name)}.`, leaf);
  }

  #nothing(reason: string, { at }: LeafSyntax): QueryNode {
    return this.#unmatchable === 'keep' ? { kind: 'none', reason: `at position ${at}: ${reason}` } : MATCH_NONE;
  }
}

/** Counts the evaluations of a document, values of one field together; throws `query_too_complex`. */
export function checkConditions<T>(
  node: QueryNode,
  { fieldByPath }: CollectionDefinition<T>,
  maxConditions: number = MAX_QUERY_CONDITIONS,
): void {
  let conditions = 0;
  let patterns = 0;
  const isText = (path: string) =>
    isAnalysed(path === TEXT_FIELD ? 'text' : (fieldByPath.get(path)?.searchKind ?? 'none'));
  for (const pending = [node]; pending.length > 0; ) {
    const next = pending.pop() ?? MATCH_NONE;
    if (next.kind === 'boolean') pending.push(...next.must, ...next.should, ...next.mustNot);
    else if (next.kind !== 'none') conditions += next.kind === 'terms' && isText(next.field) ? next.values.length : 1;
    if (isPattern(next)) patterns += 1;
  }
  const limit = (found: number, most: number, id: 'many_conditions' | 'many_patterns') => {
    if (found > most) throw queryTooComplex(queryProblem(id, { found, most }));
  };
  limit(conditions, maxConditions, 'many_conditions');
  limit(patterns, MAX_QUERY_PATTERNS, 'many_patterns');
}

function isPattern(node: QueryNode): boolean {
  if (node.kind === 'wildcard') return !isSubstring(node.pattern);
  if (node.kind === 'regexp') return substringRegexp(node.pattern) === undefined;
  return node.kind === 'fuzzy' || (node.kind === 'phrase' && node.slop > 0);
}

/** Compiles `_exists_:name`; anything but a name there matches nothing. */
function existsOfClause(fields: FieldLookup, leaf: LeafSyntax): QueryNode {
  return leaf.kind === 'words' || leaf.kind === 'phrase' ? fields.exists(leaf.text) : MATCH_NONE;
}

function occurOf(conjunction: ClauseSyntax['conjunction'], modifier: ClauseSyntax['modifier']): Occur {
  if (modifier === 'prohibited') return 'must_not';
  return modifier === 'required' || conjunction === 'and' ? 'must' : 'should';
}

/** Returns the same condition for another field of the same kind. */
function inField(node: QueryNode, field: string): QueryNode {
  if (node.kind === 'boolean') return { ...node, should: node.should.map((inner) => inField(inner, field)) };
  return 'field' in node ? { ...node, field } : node;
}

/** Returns the clauses of a group; the words of a string are clauses of the group that contains it. */
function alternatives(query: QueryNode): readonly QueryNode[] {
  return query.kind === 'boolean' && query.must.length === 0 && query.mustNot.length === 0 ? query.should : [query];
}

/** Fields that no definition lists and every collection has. */
const META_FIELDS: ReadonlySet<string> = new Set(['_id', '_source', '_version']);

function metaResult(leaf: LeafSyntax): RuleResult {
  const isIdentifier = leaf.field === '_id' && (leaf.kind === 'words' || leaf.kind === 'phrase');
  return isIdentifier ? { kind: 'ids', ids: [leaf.text] } : new Refusal('wrong_kind');
}
