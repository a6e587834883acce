import { setImmediate } from 'node:timers/promises';
import { MAX_FUZZY_EXPANSIONS, type QueryNode } from '../../port/query-tree.ts';
import { matchesPhrase } from '../../query-language/phrase.ts';
import { bestFuzzyTerms, compileFuzzy } from '../../regular-language/fuzzy.ts';
import { queryTooComplex } from '../../regular-language/query-limits.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { isSimpleWildcard, toRe2 } from '../../regular-language/regexp-re2.ts';
import { substringRegexp } from '../../regular-language/substring-regexp.ts';
import { compileWildcard } from '../../regular-language/wildcard.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { escapeToken, splitTokens, TOKEN_SEPARATOR, unescapeToken, VALUE_SEPARATOR } from '../columns/token-text.ts';
import type { QueryContext } from './query-context.ts';
import type { Leaf, Resolved } from './sql-compiler.ts';
import type { SqlField, Statement } from './sql-statement.ts';

type Resolvable = Leaf<'regexp' | 'wildcard' | 'fuzzy' | 'phrase'>;

/** Characters that are matched before other work runs: about 10 ms. */
const SLICE_CHARACTERS = 500_000;
/** Characters of all values that a pattern may stand for. */
const MAX_RESOLVED_CHARACTERS = 50_000_000;

/** Resolves what SQL cannot do exactly or in time: patterns to terms, sloppy phrases to documents. */
export async function resolveQuery(context: QueryContext): Promise<void> {
  const { access, query } = context.selection;
  const resolvable = new Set([access, query].flatMap(leaves).filter(isResolvable));
  if (resolvable.size === 0) return;
  await context.oneState();
  for (const node of resolvable) context.resolutions.set(node, await resolve(node, context));
}

function leaves(node: QueryNode): readonly QueryNode[] {
  return node.kind === 'boolean' ? [...node.must, ...node.should, ...node.mustNot].flatMap(leaves) : [node];
}

export function isResolvable(node: QueryNode): node is Resolvable {
  if (node.kind === 'wildcard') return !isSimpleWildcard(node.pattern);
  return node.kind === 'phrase' ? node.slop > 0 : node.kind === 'regexp' || node.kind === 'fuzzy';
}

async function resolve(node: Resolvable, context: QueryContext): Promise<Resolved> {
  switch (node.kind) {
    case 'regexp':
      return resolveRegexp(node, context);
    case 'wildcard':
      return { values: await matchingTerms(context, node.field, compileWildcard(node.pattern)) };
    case 'fuzzy': {
      const isNear = compileFuzzy(node.value, node.maxEdits);
      const counts = await countedTerms(context, node.field, isNear, nearConditions(node));
      return { values: bestFuzzyTerms(node, counts.keys(), MAX_FUZZY_EXPANSIONS), counts };
    }
    case 'phrase':
      return { documents: await phraseDocuments(node, context) };
  }
}

async function resolveRegexp({ pattern, field }: Leaf<'regexp'>, context: QueryContext): Promise<Resolved> {
  const substring = substringRegexp(pattern);
  const re2 = substring === undefined ? await acceptedRe2(pattern, context) : toRe2(pattern);
  if (re2 === undefined) return { values: await matchingTerms(context, field, compileRegexp(pattern)) };
  if (context.statement().field(field)?.kind === 'string') return { re2, ...(substring && { substring }) };
  // Tokens are matched one by one: a pattern could match beyond the end of one in the joined text.
  const condition = (value: string, statement: Statement) => [`regexp_full_match(${value}, ${statement.bind(re2)})`];
  return { values: await matchingTerms(context, field, compileRegexp(pattern), condition) };
}

/** Returns the pattern for the database; undefined when it cannot express it, or finds it too large. */
async function acceptedRe2(pattern: string, context: QueryContext): Promise<string | undefined> {
  const re2 = toRe2(pattern);
  if (re2 === undefined) return undefined;
  try {
    await context.rows("SELECT regexp_full_match('', $1)", [re2]);
    return re2;
  } catch {
    return undefined;
  }
}

/** SQL conditions on a value, beside those of every search for values. */
type MoreConditions = (value: string, statement: Statement) => readonly string[];

/** Returns the distinct values (tokens) of a field that match. Throws `query_too_complex`. */
export async function matchingTerms(
  context: QueryContext,
  path: string,
  matches: (value: string) => boolean,
  conditions?: MoreConditions,
): Promise<readonly string[]> {
  return [...(await countedTerms(context, path, matches, conditions)).keys()];
}

/** Returns how often matching values occur, once in a document unless the field repeats values. */
async function countedTerms(
  context: QueryContext,
  path: string,
  matches: (value: string) => boolean,
  conditions: MoreConditions = () => [],
): Promise<ReadonlyMap<string, number>> {
  const statement = context.statement();
  const field = statement.field(path);
  const found = new Map<string, number>();
  if (!field || (field.kind !== 'string' && field.kind !== 'text')) return found;
  let values = field.sql;
  if (field.kind === 'text') values = `unnest(string_split(${field.sql}, ${statement.bind(TOKEN_SEPARATOR)}))`;
  else if (field.list) values = `unnest(${field.sql})`;
  const where = ['v IS NOT NULL', ...conditions('v', statement)];
  if (field.kind === 'text') where.push(`v <> ''`, `NOT starts_with(v, ${statement.bind(VALUE_SEPARATOR)})`);
  const rows = statement.from(context.candidates(statement));
  const sql = `SELECT v, count(*) FROM (SELECT ${values} AS v FROM ${rows}) WHERE ${where.join(' AND ')} GROUP BY v`;
  let characters = 0;
  await inSlices(context, sql, statement, ([values, counts], at) => {
    const value = values?.[at];
    const term = field.kind === 'text' ? unescapeToken(String(value)) : String(value);
    if (!matches(term)) return term.length;
    found.set(term, Number(counts?.[at]));
    characters += term.length;
    if (characters <= MAX_RESOLVED_CHARACTERS) return term.length;
    const reason = `a pattern stands for values of more than ${MAX_RESOLVED_CHARACTERS} characters`;
    throw queryTooComplex(reason);
  });
  return found;
}

/** Visits rows of columns and lets other work run. `take` returns the characters that it looked at. */
async function inSlices(
  context: QueryContext,
  sql: string,
  { values }: Statement,
  take: (columns: readonly (readonly SqlValue[])[], at: number) => number,
): Promise<void> {
  let characters = 0;
  await context.eachChunk(sql, values, async (columns) => {
    for (let at = 0; at < (columns[0]?.length ?? 0); at += 1) {
      characters += take(columns, at);
      if (characters < SLICE_CHARACTERS) continue;
      characters = 0;
      await setImmediate();
    }
  });
}

/**
 * Limits the values that are compared with a fuzzy term by length and by parts of the term.
 * An edit changes at most two neighbouring parts, so that one of `2 * maxEdits + 1` is unchanged. Over 10,000 different
 * values a clause takes 1.8 instead of 8 ms.
 */
function nearConditions({ value: text, maxEdits }: Leaf<'fuzzy'>): MoreConditions {
  const characters = [...text];
  const { length } = characters;
  const count = 2 * maxEdits + 1;
  const parts = Array.from({ length: count }, (_, at) =>
    characters.slice(Math.floor((at * length) / count), Math.floor(((at + 1) * length) / count)).join(''),
  );
  return (value, statement) => {
    // Escaped characters of a token count twice, so the upper limit leaves room for them.
    const lengths = [`length(${value}) >= ${length - maxEdits}`, `length(${value}) <= ${2 * (length + maxEdits)}`];
    if (length < count || escapeToken(text) !== text) return lengths;
    const contained = parts.map((part) => `contains(${value}, ${statement.bind(part)})`);
    return [...lengths, `(${contained.join(' OR ')})`];
  };
}

/** Returns false if the field can have no value that is similar to a fuzzy term. */
export function mayBeNear(node: Leaf<'fuzzy'>, field: SqlField | undefined): boolean {
  if (field === undefined) return false;
  if (field.grams === undefined) return true;
  const { value, maxEdits } = node;
  if (field.kind === 'text')
    return escapeToken(value) !== value || field.grams.some((grams) => grams.mayBeNear(value, maxEdits));
  const [least, most] = [value.length - 2 * maxEdits, value.length + 2 * maxEdits];
  return field.grams.some((grams) => grams.mayHaveLength(least, most) && grams.mayBeNear(value, maxEdits));
}

async function phraseDocuments(
  { field: path, terms, slop }: Leaf<'phrase'>,
  context: QueryContext,
): Promise<readonly { index: number; key: number }[]> {
  const statement = context.statement();
  const field = statement.field(path);
  if (field?.kind !== 'text' || terms.length === 0) return [];
  const conditions = [...new Set(terms)].map((text) => statement.containsToken(field, text));
  const sql = `SELECT n, k, ${field.sql} FROM ${statement.from()} WHERE ${conditions.join(' AND ')}`;
  const found: { index: number; key: number }[] = [];
  await inSlices(context, sql, statement, (columns, at) => {
    const [index, key, text] = columns.map((column) => column[at]);
    const joined = String(text);
    if (matchesPhrase(splitTokens(joined), terms, slop)) found.push({ index: Number(index), key: Number(key) });
    return joined.length * terms.length;
  });
  return found;
}
