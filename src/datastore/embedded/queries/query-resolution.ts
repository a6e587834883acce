import { setImmediate } from 'node:timers/promises';
import type { QueryNode } from '../../port/query-tree.ts';
import { matchesPhrase } from '../../query-language/phrase.ts';
import { bestFuzzyTerms, compileFuzzy } from '../../regular-language/fuzzy.ts';
import { queryTooComplex } from '../../regular-language/query-limits.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { isSimpleWildcard, toRe2 } from '../../regular-language/regexp-re2.ts';
import { compileWildcard } from '../../regular-language/wildcard.ts';
import type { SqlRow, SqlValue } from '../columns/column-database.ts';
import { isExactPhrase, type Resolutions, type Resolved } from './sql-compiler.ts';
import { escapeLike, type Statement } from './sql-statement.ts';
import { splitTokens, TOKEN_SEPARATOR, unescapeToken, VALUE_SEPARATOR } from './token-text.ts';

type Leaf<K extends QueryNode['kind']> = Extract<QueryNode, { kind: K }>;

/** Characters that are matched before others get their turn: about 10 ms. */
const SLICE_CHARACTERS = 500_000;
/** Most characters of all values that a pattern may stand for. */
const MAX_RESOLVED_CHARACTERS = 50_000_000;

/** Statements that see the state that the query itself will see. */
export interface StateReader {
  rows(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  eachChunk(
    sql: string,
    values: readonly SqlValue[],
    take: (columns: readonly (readonly SqlValue[])[]) => void | Promise<void>,
  ): Promise<void>;
}

/**
 * Answers what SQL cannot say exactly, or not in a time that can be told before: fuzzy clauses, regular expressions and complex
 * wildcards become the terms of the index that they mean, sloppy phrases the documents that hold them.
 */
export async function resolveNodes(
  nodes: readonly QueryNode[],
  makeStatement: () => Statement,
  reader: StateReader,
): Promise<Resolutions> {
  const resolutions = new Map<QueryNode, Resolved>();
  for (const node of nodes.flatMap(leaves)) {
    if (resolutions.has(node)) continue;
    const resolved = await resolve(node, makeStatement(), reader);
    if (resolved) resolutions.set(node, resolved);
  }
  return resolutions;
}

/** Whether `resolveNodes` may have to ask the index before the query itself. */
export function needsResolution(nodes: readonly QueryNode[]): boolean {
  return nodes.flatMap(leaves).some(isResolved);
}

function isResolved(node: QueryNode): boolean {
  switch (node.kind) {
    case 'regexp':
    case 'fuzzy':
      return true;
    case 'wildcard':
      return !isSimpleWildcard(node.pattern);
    case 'phrase':
      return !isExactPhrase(node);
    default:
      return false;
  }
}

function leaves(node: QueryNode): readonly QueryNode[] {
  return node.kind === 'boolean' ? [...node.must, ...node.should, ...node.mustNot].flatMap(leaves) : [node];
}

async function resolve(node: QueryNode, statement: Statement, reader: StateReader): Promise<Resolved | undefined> {
  if (!isResolved(node)) return undefined;
  switch (node.kind) {
    case 'regexp':
      return resolveRegexp(node, statement, reader);
    case 'wildcard':
      return { values: await matchingTerms(node.field, statement, reader, compileWildcard(node.pattern)) };
    case 'fuzzy': {
      const isNear = compileFuzzy(node.value, node.maxEdits, node.prefixLength);
      return {
        values: bestFuzzyTerms(node, await matchingTerms(node.field, statement, reader, isNear, nearLength(node))),
      };
    }
    case 'phrase':
      return { documents: await phraseDocuments(node, statement, reader) };
    default:
      return undefined;
  }
}

async function resolveRegexp(node: Leaf<'regexp'>, statement: Statement, reader: StateReader): Promise<Resolved> {
  const re2 = await acceptedRe2(node.pattern, reader);
  const field = statement.field(node.field);
  if (re2 !== undefined && field?.kind === 'string') return { re2 };
  // Tokens are matched one by one, because a pattern could run on into the next one of the joined text.
  const conditions = (value: string) =>
    re2 === undefined ? [] : [`regexp_full_match(${value}, ${statement.bind(re2)})`];
  return { values: await matchingTerms(node.field, statement, reader, compileRegexp(node.pattern), conditions) };
}

/** The pattern for the database; undefined when it cannot say it, or finds it too large. */
async function acceptedRe2(pattern: string, reader: StateReader): Promise<string | undefined> {
  const re2 = toRe2(pattern);
  if (re2 === undefined) return undefined;
  try {
    await reader.rows("SELECT regexp_full_match('', $1)", [re2]);
    return re2;
  } catch {
    return undefined;
  }
}

/**
 * The distinct values (tokens) of a field that meet the conditions and match. Others get their turn meanwhile.
 * @throws InvalidInput `query_too_complex`, when there are too many of them
 */
export async function matchingTerms(
  path: string,
  statement: Statement,
  reader: StateReader,
  matches: (value: string) => boolean,
  conditions: (value: string, statement: Statement) => readonly string[] = () => [],
): Promise<readonly string[]> {
  const field = statement.field(path);
  if (!field || (field.kind !== 'string' && field.kind !== 'text')) return [];
  let values = field.sql;
  if (field.kind === 'text') values = `unnest(string_split(${field.sql}, ${statement.bind(TOKEN_SEPARATOR)}))`;
  else if (field.list) values = `unnest(${field.sql})`;
  const where = ['v IS NOT NULL', ...conditions('v', statement)];
  if (field.kind === 'text') where.push(`v <> ''`, `NOT starts_with(v, ${statement.bind(VALUE_SEPARATOR)})`);
  const sql = `SELECT DISTINCT v FROM (SELECT ${values} AS v FROM ${statement.from()}) WHERE ${where.join(' AND ')}`;
  const found: string[] = [];
  let characters = 0;
  await inSlices(reader, sql, statement.values, ([value]) => {
    const term = field.kind === 'text' ? unescapeToken(String(value)) : String(value);
    if (!matches(term)) return term.length;
    found.push(term);
    characters += term.length;
    if (characters > MAX_RESOLVED_CHARACTERS)
      throw queryTooComplex(
        `a pattern stands for values of more than ${MAX_RESOLVED_CHARACTERS} characters`,
        undefined,
      );
    return term.length;
  });
  return found;
}

/** Hands over row by row and gives others their turn in between. */
async function inSlices(
  reader: StateReader,
  sql: string,
  values: readonly SqlValue[],
  take: (row: SqlRow) => number,
): Promise<void> {
  let characters = 0;
  await reader.eachChunk(sql, values, async (columns) => {
    for (let at = 0; at < (columns[0]?.length ?? 0); at += 1) {
      characters += take(columns.map((column) => column[at] ?? null));
      if (characters < SLICE_CHARACTERS) continue;
      characters = 0;
      await setImmediate();
    }
  });
}

function nearLength(node: Leaf<'fuzzy'>): (value: string, statement: Statement) => readonly string[] {
  const characters = [...node.value];
  return (value, statement) => {
    // Escaped characters of a token count twice, so the upper limit leaves room for them.
    const conditions = [
      `length(${value}) >= ${characters.length - node.maxEdits}`,
      `length(${value}) <= ${2 * (characters.length + node.maxEdits)}`,
    ];
    if (node.prefixLength === 0) return conditions;
    const start = escapeLike(characters.slice(0, node.prefixLength).join(''));
    return [...conditions, `${value} LIKE ${statement.bind(`${start}%`)} ESCAPE '\\'`];
  };
}

async function phraseDocuments(
  node: Leaf<'phrase'>,
  statement: Statement,
  reader: StateReader,
): Promise<readonly { index: number; key: number }[]> {
  const field = statement.field(node.field);
  if (field?.kind !== 'text' || node.terms.length === 0) return [];
  const conditions = [...new Set(node.terms.map(({ text }) => text))].map((text) =>
    statement.containsToken(field, text),
  );
  const sql = `SELECT n, k, ${field.sql} FROM ${statement.from()} WHERE ${conditions.join(' AND ')}`;
  const found: { index: number; key: number }[] = [];
  await inSlices(reader, sql, statement.values, ([index, key, text]) => {
    const joined = String(text);
    if (matchesPhrase(splitTokens(joined), node.terms, node.slop))
      found.push({ index: Number(index), key: Number(key) });
    return joined.length * node.terms.length;
  });
  return found;
}
