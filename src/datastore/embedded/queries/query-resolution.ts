import type { QueryNode } from '../../port/query-tree.ts';
import { matchesPhrase } from '../../query-language/phrase.ts';
import { bestFuzzyTerms } from '../../regular-language/fuzzy.ts';
import { compileRegexp } from '../../regular-language/regexp.ts';
import { toRe2 } from '../../regular-language/regexp-re2.ts';
import type { SqlRow, SqlValue } from '../columns/column-database.ts';
import { isExactPhrase, type Resolutions, type Resolved } from './sql-compiler.ts';
import { escapeLike, type Statement } from './sql-statement.ts';
import { splitTokens, TOKEN_SEPARATOR, unescapeToken, VALUE_SEPARATOR } from './token-text.ts';

type Leaf<K extends QueryNode['kind']> = Extract<QueryNode, { kind: K }>;
type RunSql = (sql: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/**
 * Answers what SQL cannot say exactly: fuzzy clauses and regular expressions become the terms of the index that they mean, sloppy
 * phrases the documents that hold them. `run` has to see the state that the query itself will see.
 */
export async function resolveNodes(
  nodes: readonly QueryNode[],
  makeStatement: () => Statement,
  run: RunSql,
): Promise<Resolutions> {
  const resolutions = new Map<QueryNode, Resolved>();
  for (const node of nodes.flatMap(leaves)) {
    if (resolutions.has(node)) continue;
    const resolved = await resolve(node, makeStatement(), run);
    if (resolved) resolutions.set(node, resolved);
  }
  return resolutions;
}

/** Whether `resolveNodes` may have to ask the index before the query itself. */
export function needsResolution(nodes: readonly QueryNode[]): boolean {
  return nodes
    .flatMap(leaves)
    .some(
      (node) => node.kind === 'regexp' || node.kind === 'fuzzy' || (node.kind === 'phrase' && !isExactPhrase(node)),
    );
}

function leaves(node: QueryNode): readonly QueryNode[] {
  return node.kind === 'boolean' ? [...node.must, ...node.should, ...node.mustNot].flatMap(leaves) : [node];
}

async function resolve(node: QueryNode, statement: Statement, run: RunSql): Promise<Resolved | undefined> {
  switch (node.kind) {
    case 'regexp':
      return resolveRegexp(node, statement, run);
    case 'fuzzy':
      return { values: bestFuzzyTerms(node, await indexedTerms(node.field, statement, run, nearLength(node))) };
    case 'phrase':
      return isExactPhrase(node) ? undefined : { documents: await phraseDocuments(node, statement, run) };
    default:
      return undefined;
  }
}

async function resolveRegexp(node: Leaf<'regexp'>, statement: Statement, run: RunSql): Promise<Resolved> {
  const re2 = await acceptedRe2(node.pattern, run);
  const field = statement.field(node.field);
  if (re2 !== undefined && field?.kind === 'string') return { re2 };
  const matches = compileRegexp(node.pattern);
  // Tokens are matched one by one, because a pattern could run on into the next one of the joined text.
  const terms = await indexedTerms(node.field, statement, run, (value) =>
    re2 === undefined ? [] : [`regexp_full_match(${value}, ${statement.bind(re2)})`],
  );
  return { values: terms.filter(matches) };
}

/** The pattern for the database; undefined when it cannot say it, or finds it too large. */
async function acceptedRe2(pattern: string, run: RunSql): Promise<string | undefined> {
  const re2 = toRe2(pattern);
  if (re2 === undefined) return undefined;
  try {
    await run("SELECT regexp_full_match('', $1)", [re2]);
    return re2;
  } catch {
    return undefined;
  }
}

/** The distinct values (tokens) of a field that meet the conditions. */
export async function indexedTerms(
  path: string,
  statement: Statement,
  run: RunSql,
  conditions: (value: string, statement: Statement) => readonly string[],
): Promise<readonly string[]> {
  const field = statement.field(path);
  if (!field || (field.kind !== 'string' && field.kind !== 'text')) return [];
  let values = field.sql;
  if (field.kind === 'text') values = `unnest(string_split(${field.sql}, ${statement.bind(TOKEN_SEPARATOR)}))`;
  else if (field.list) values = `unnest(${field.sql})`;
  const where = ['v IS NOT NULL', ...conditions('v', statement)];
  if (field.kind === 'text') where.push(`v <> ''`, `NOT starts_with(v, ${statement.bind(VALUE_SEPARATOR)})`);
  const sql = `SELECT DISTINCT v FROM (SELECT ${values} AS v FROM ${statement.from()}) WHERE ${where.join(' AND ')}`;
  const rows = await run(sql, statement.values);
  return rows.map(([value]) => (field.kind === 'text' ? unescapeToken(String(value)) : String(value)));
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
  run: RunSql,
): Promise<readonly { index: number; key: number }[]> {
  const field = statement.field(node.field);
  if (field?.kind !== 'text' || node.terms.length === 0) return [];
  const conditions = [...new Set(node.terms.map(({ text }) => text))].map((text) =>
    statement.containsToken(field, text),
  );
  const sql = `SELECT n, k, ${field.sql} FROM ${statement.from()} WHERE ${conditions.join(' AND ')}`;
  const rows = await run(sql, statement.values);
  return rows
    .filter((row) => matchesPhrase(splitTokens(String(row[2])), node.terms, node.slop))
    .map((row) => ({ index: Number(row[0]), key: Number(row[1]) }));
}
