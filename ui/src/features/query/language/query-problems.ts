import { compileSyntax } from '../../../../../src/datastore/query-language/compile-query.ts';
import { type LexerToken, unescapeTerm } from '../../../../../src/datastore/query-language/query-lexer.ts';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { fieldOf, type QueryFields } from './query-fields.ts';
import { endOf, isFieldName, tokensOf } from './query-tokens.ts';
import { type QueryProblem, type ServerRefusal, serverProblem } from './server-problem.ts';
import { similarName } from './similar-names.ts';

const MAX_UNKNOWN_FIELDS = 20;
/** Fields that every index has and no catalogue lists. */
const META_FIELDS: ReadonlySet<string> = new Set(['_id', '_index', '_source', '_version', '_exists_', '__text__']);

/**
 * Returns what is wrong with a query: what the parser refuses first, then names of fields that no
 * index has.
 * @param fields undefined while they are not known: values are not checked against types, and names
 * not at all
 */
export function problemsOf(text: string, fields?: QueryFields): readonly QueryProblem[] {
  const refusal = refusalOf(text, fields);
  return [...(refusal ? [refusal] : []), ...(fields ? unknownFields(text, fields) : [])];
}

function refusalOf(text: string, fields: QueryFields | undefined): QueryProblem | undefined {
  try {
    const syntax = parseSyntax(text);
    if (fields) compileSyntax(syntax, fields.definition, {});
    return undefined;
  } catch (error) {
    return serverProblem(text, error as ServerRefusal);
  }
}

function unknownFields(text: string, fields: QueryFields): QueryProblem[] {
  const tokens = tokensOf(text);
  const names = fields.all.map(({ name }) => name);
  const problems: QueryProblem[] = [];
  const similarTo = new Map<string, string | undefined>();
  for (const [index, token] of tokens.entries()) {
    if (!isFieldName(tokens, index)) continue;
    const named = unescaped(token) === '_exists_' ? tokens[index + 2] : token;
    const field = named && unescaped(named);
    if (field === undefined || isKnown(field, fields, names)) continue;
    if (!similarTo.has(field)) similarTo.set(field, similarName(field, names));
    const similar = similarTo.get(field);
    problems.push({ kind: 'unknown_field', field, similar, from: named?.at ?? 0, to: endOf(named ?? token, text) });
    if (problems.length === MAX_UNKNOWN_FIELDS) break;
  }
  return problems;
}

function isKnown(field: string, fields: QueryFields, names: readonly string[]): boolean {
  if (META_FIELDS.has(field) || field.includes('*') || field === '') return true;
  // An object has a value when one of its fields has.
  return fieldOf(fields, field) !== undefined || names.some((name) => name.startsWith(`${field}.`));
}

/** Returns undefined for what is no name, and for an escape that the parser refuses. */
function unescaped(token: LexerToken): string | undefined {
  try {
    if (token.kind === 'quoted') return unescapeTerm(token.image.slice(1, -1), token.at);
    return token.kind === 'term' ? unescapeTerm(token.image, token.at) : undefined;
  } catch {
    return undefined;
  }
}
