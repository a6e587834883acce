import { definedField } from '../../../documents/schema/collection-definition.ts';
import type { BooleanNode, QueryNode } from '../../port/query-tree.ts';
import { fuzzySimilarity } from '../../regular-language/fuzzy.ts';
import {
  type CountedTerm,
  dampening,
  type FieldStatistics,
  fuzzyFactors,
  keywordShare,
  phraseFactor,
} from '../../semantics/relevance.ts';
import { TOKEN_SEPARATOR } from '../columns/token-text.ts';
import type { QueryContext } from './query-context.ts';
import { compileCondition, type Leaf, NOTHING, phraseText } from './sql-compiler.ts';
import type { SqlField, Statement } from './sql-statement.ts';

type Clause = Leaf<'term' | 'fuzzy' | 'phrase'>;
type Part = Leaf<'term' | 'phrase'>;

/** A clause with the terms or the phrase that it is found by, each with its factor. */
interface WeighedClause {
  readonly field: FieldStatistics;
  readonly parts: readonly { readonly node: Part; readonly factor: number }[];
}

/** Weighed clauses by their node. */
export type Weights = ReadonlyMap<QueryNode, WeighedClause>;

/**
 * Weighs the clauses that score by rarity, and resolves those without a match to nothing.
 * Statistics are of the documents that the caller may see: scores would tell of others.
 */
export async function weighClauses(context: QueryContext): Promise<Weights> {
  const clauses = [...new Set(scoredClauses(context.selection.query))].filter((clause) => isWeighed(clause, context));
  const { counted, statistics } = await countTerms(clauses, context);
  const weights = new Map<QueryNode, WeighedClause>();
  for (const clause of clauses) {
    const terms = counted.get(clause);
    const field = statistics.get(clause.field);
    if (terms && field) weights.set(clause, { field, parts: weighedParts(clause, terms, field) });
    else context.resolutions.set(clause, { values: [] });
  }
  return weights;
}

function* scoredClauses(node: QueryNode): Iterable<Clause> {
  if (node.kind === 'term' || node.kind === 'fuzzy' || node.kind === 'phrase') yield node;
  if (node.kind !== 'boolean' || node.scoring === 'constant') return;
  for (const part of [...node.must, ...node.should]) yield* scoredClauses(part);
}

/** Addresses have string columns, but are compared like numbers. */
function isWeighed({ field: path }: Clause, context: QueryContext): boolean {
  const kind = context.statement().field(path)?.kind;
  return kind === 'text' || (kind === 'string' && definedField(context.definition, path)?.searchKind !== 'ip');
}

interface Term extends CountedTerm {
  readonly node: Leaf<'term' | 'prefix'>;
}
type PossibleTerm = Omit<Term, 'documents'> & Partial<CountedTerm>;

interface CountedClauses {
  /** Terms of the clauses that a document can match. */
  readonly counted: ReadonlyMap<Clause, readonly Term[]>;
  readonly statistics: ReadonlyMap<string, FieldStatistics>;
}

/** Counts the documents of every term, and those of its fields, in one statement. */
async function countTerms(clauses: readonly Clause[], context: QueryContext): Promise<CountedClauses> {
  const statement = context.statement();
  const conditions = new Map<PossibleTerm, string>();
  const possible = new Map<Clause, readonly PossibleTerm[]>();
  for (const clause of clauses) {
    const all = termsOf(clause, context);
    const terms = all.filter((term) => {
      if (term.documents !== undefined) return true;
      const condition = compileCondition(term.node, statement, context.resolutions);
      if (condition !== NOTHING) conditions.set(term, condition);
      return condition !== NOTHING;
    });
    if (terms.length > 0 && (clause.kind !== 'phrase' || terms.length === all.length)) possible.set(clause, terms);
  }
  const counted = new Map<Clause, readonly Term[]>();
  const paths = [...new Set([...possible.keys()].map(({ field }) => field))];
  if (paths.length === 0) return { counted, statistics: new Map() };
  const columns = paths.flatMap((path) => {
    const field = statement.field(path);
    return field ? [`count(${field.sql})`, `avg(${length(field)})`] : ['0', '0'];
  });
  for (const condition of conditions.values()) columns.push(`count(*) FILTER (WHERE ${condition})`);
  const rows = statement.rows(context.visible(statement));
  const [row = []] = await context.rows(`SELECT ${columns.join(', ')} FROM ${rows}`, statement.values);
  const counts = new Map([...conditions.keys()].map((term, at) => [term, Number(row[2 * paths.length + at])]));
  for (const [clause, terms] of possible) {
    const found = terms
      .map((term) => ({ ...term, documents: term.documents ?? counts.get(term) ?? 0 }))
      .filter(({ documents }) => documents > 0);
    const isPossible = found.length > 0 && (clause.kind !== 'phrase' || found.length === terms.length);
    if (isPossible) counted.set(clause, found);
  }
  const statistics = paths.map((path, at): [string, FieldStatistics] => {
    return [path, { documents: Number(row[2 * at]), averageLength: Number(row[2 * at + 1] ?? 0) }];
  });
  return { counted, statistics: new Map(statistics) };
}

function termsOf(clause: Clause, context: QueryContext): readonly PossibleTerm[] {
  const { field } = clause;
  if (clause.kind === 'term') return [{ node: clause, similarity: 1 }];
  if (clause.kind === 'fuzzy') {
    const { values = [], counts } = context.resolutions.get(clause) ?? {};
    const { kind, repeats = true } = context.statement().field(field) ?? {};
    return values.map((value) => ({
      node: { kind: 'term', field, value },
      similarity: fuzzySimilarity(clause, String(value)),
      ...(counts && kind === 'string' && !repeats ? { documents: counts.get(String(value)) ?? 0 } : {}),
    }));
  }
  const { terms, lastIsPrefix = false } = clause;
  return terms.map((value, at) => ({
    node: { kind: lastIsPrefix && at === terms.length - 1 ? 'prefix' : 'term', field, value },
    similarity: 1,
  }));
}

function weighedParts(clause: Clause, terms: readonly Term[], field: FieldStatistics): WeighedClause['parts'] {
  if (clause.kind === 'phrase') return [{ node: clause, factor: phraseFactor(field, terms) }];
  const factors = fuzzyFactors(field, terms);
  return terms.flatMap(({ node }, at) => (node.kind === 'term' ? [{ node, factor: factors[at] ?? 0 }] : []));
}

/** Number of values or tokens; the gap between two values of full text counts as one. */
function length({ kind, list, sql }: SqlField): string {
  if (kind === 'text') return `(strlen(${sql}) - strlen(replace(${sql}, chr(${SEPARATOR_CODE}), '')) - 1)`;
  return list ? `len(${sql})` : '1';
}

const SEPARATOR_CODE = TOKEN_SEPARATOR.charCodeAt(0);
const ZERO = '0';

/** Returns the score of a document that matches the query of a context, as an SQL expression. */
export function scoreExpression(context: QueryContext, weights: Weights, statement: Statement): string {
  const whenMatched = (node: QueryNode, score: string, isMatch: boolean): string => {
    if (isMatch || score === ZERO) return score;
    const condition = compileCondition(node, statement, context.resolutions);
    return condition === NOTHING ? ZERO : `CASE WHEN ${condition} THEN ${score} ELSE 0 END`;
  };
  /** `isMatch`: the document is known to match the node. */
  const scoreOf = (node: QueryNode, isMatch: boolean): string => {
    if (node.kind === 'boolean') return booleanScore(node, isMatch);
    const clause = weights.get(node);
    if (clause) return clauseScore(clause, context, statement);
    // What is weighed and has no weight is not found.
    return context.resolutions.get(node)?.values?.length === 0 ? ZERO : whenMatched(node, '1', isMatch);
  };
  const booleanScore = (node: BooleanNode, isMatch: boolean): string => {
    const { must, should, mustNot, scoring = 'sum', boost = 1 } = node;
    if (boost === 0) return ZERO;
    if (scoring === 'constant') return whenMatched(node, sqlNumber(boost), isMatch);
    // A part that matches alone scores nothing unless the rest of the node allows it.
    const isSum = must.length > 1 || mustNot.length > 0 || (must.length > 0 && should.length > 0);
    const chosen = should.filter((part) => compileCondition(part, statement, context.resolutions) !== NOTHING);
    // A document that matches by no other alternative matches the last one.
    const isLast = isMatch && must.length === 0 && chosen.length === 1;
    const parts = [
      ...must.map((part) => scoreOf(part, isMatch || isSum)),
      ...chosen.map((part) => scoreOf(part, isLast)),
    ].filter((part) => part !== ZERO);
    if (parts.length === 0) return ZERO;
    const score = parts.length === 1 || scoring === 'sum' ? parts.join(' + ') : `greatest(${parts.join(', ')})`;
    const boosted = boost === 1 ? `(${score})` : `(${sqlNumber(boost)} * (${score}))`;
    return isSum ? whenMatched(node, boosted, isMatch) : boosted;
  };
  return scoreOf(context.selection.query, true);
}

function clauseScore({ field: statistics, parts }: WeighedClause, context: QueryContext, statement: Statement): string {
  const [first] = parts;
  const single = first && statement.field(first.node.field);
  if (single && parts.length > MAX_COMPARED && single.kind === 'string' && !single.list) {
    return listedScore(single, statistics, parts, statement);
  }
  const scores = parts.map(({ node, factor }) => {
    const field = statement.field(node.field);
    if (!field) return ZERO;
    const condition = compileCondition(node, statement, context.resolutions);
    const share = field.kind === 'text' ? textShare(node, field, statistics, statement) : keywordShare(statistics);
    const score = typeof share === 'number' ? sqlNumber(factor * share) : `${sqlNumber(factor)} * ${share}`;
    return `CASE WHEN ${condition} THEN ${score} ELSE 0 END`;
  });
  return scores.length === 0 ? ZERO : `(${scores.join(' + ')})`;
}

/** Terms above which their factors are looked up in a list: 50 comparisons take twice as long. */
const MAX_COMPARED = 4;

function listedScore(
  field: SqlField,
  statistics: FieldStatistics,
  parts: WeighedClause['parts'],
  statement: Statement,
): string {
  const terms = parts.flatMap(({ node }) => (node.kind === 'term' ? [statement.bind(String(node.value))] : []));
  const share = keywordShare(statistics);
  const factors = parts.map(({ factor }) => sqlNumber(factor * share));
  return `coalesce([${factors.join(', ')}][list_position([${terms.join(', ')}], ${field.sql})], 0)`;
}

/** Repeated neighbours count once, as words of a phrase that lie apart do. */
function textShare(node: Part, field: SqlField, statistics: FieldStatistics, statement: Statement): string {
  const text = phraseText(node.kind === 'phrase' ? node : { terms: [String(node.value)] });
  const rest = `strlen(replace(${field.sql}, ${statement.bind(text)}, ''))`;
  const frequency = `greatest(1, (strlen(${field.sql}) - ${rest}) / ${Buffer.byteLength(text)})`;
  const { base, slope } = dampening(statistics);
  return `${frequency} / (${frequency} + ${sqlNumber(base)} + ${sqlNumber(slope)} * ${length(field)})`;
}

/** Returns a number as SQL reads a double: without an exponent it would be a decimal. */
function sqlNumber(value: number): string {
  return value.toExponential();
}
