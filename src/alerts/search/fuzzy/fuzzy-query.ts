import {
  anyOf,
  bestOf,
  boosted,
  MATCH_ALL,
  MATCH_NONE,
  type QueryNode,
  withScore,
} from '../../../datastore/port/query-tree.ts';
import { analyse } from '../../../datastore/query-language/analysis.ts';
import { booleanNode } from '../../../datastore/query-language/boolean-node.ts';
import { compileQuery } from '../../../datastore/query-language/compile-query.ts';
import { parseAddress } from '../../../datastore/query-language/ip-address.ts';
import { lowercase } from '../../../datastore/regular-language/code-points.ts';
import { MAX_FUZZY_LENGTH, queryTooComplex } from '../../../datastore/regular-language/query-limits.ts';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { type TokenKind, tokenKind } from './token-kinds.ts';

/** UTF-16 units of a query. */
export const MAX_QUERY_LENGTH = 1024;
/** Words of a query of the kind `text`, separated by blanks or as full text is. */
export const MAX_QUERY_WORDS = 16;
/** A word stands for a condition on every field, of which an alert has about 900. */
const MAX_CONDITIONS = 1000 * MAX_QUERY_WORDS;

/** Shorter queries have no clause for words that begin with them. */
const MIN_PREFIX_LENGTH = 3;
/** Score of a match in any field, beside those of the fields that count more. */
const ANY_FIELD_SCORE = 0.5;

/** Factors of the scores of fields (contract/alert.md 5.3). */
const BOOSTS = {
  hit: {
    'howler.id': 5,
    'howler.outline.threat': 4,
    'related.ip': 4,
    'howler.outline.target': 3,
    'related.user': 3,
    'related.uri': 3,
    'related.hosts': 3,
    'related.hash': 3,
    'related.signature': 2,
    message: 1,
  },
  event: {
    'howler.id': 5,
    'source.ip': 4,
    'destination.ip': 4,
    'dns.domain': 3,
    'url.domain': 3,
    'http.host': 3,
    'related.ip': 2,
    'related.user': 2,
    'related.uri': 2,
    'related.hosts': 2,
    'related.hash': 2,
    message: 1,
  },
  case: {
    title: 5,
    summary: 5,
    indicators: 4,
    targets: 4,
    'items.value': 3,
    'tasks.summary': 3,
    'tasks.assignment': 3,
  },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

export type FuzzyIndex = keyof typeof BOOSTS;
export const FUZZY_INDEXES = Object.keys(BOOSTS) as readonly FuzzyIndex[];

export type FieldBoosts = ReadonlyMap<string, number>;

/** Returns the boosts of several kinds of documents; the highest counts for a field that they share. */
export function boostsOf(indexes: readonly FuzzyIndex[]): FieldBoosts {
  const boosts = new Map<string, number>();
  for (const index of indexes) {
    for (const [path, boost] of Object.entries(BOOSTS[index])) boosts.set(path, Math.max(boost, boosts.get(path) ?? 0));
  }
  return boosts;
}

interface BoostedField {
  readonly path: string;
  readonly kind: SearchKind;
  readonly boost: number;
}

interface Scope {
  readonly text: string;
  readonly definition: CollectionDefinition<unknown>;
  readonly fields: readonly BoostedField[];
  readonly now: Date;
}

type Clause = (scope: Scope) => QueryNode;

const CLAUSES: Readonly<Record<TokenKind, readonly Clause[]>> = {
  address: [equalAddress, match, exactAnywhere],
  hash: [match, exactAnywhere],
  email: [phrase, match, exactAnywhere],
  url: [phrase, match, exactAnywhere],
  domain: [phrase, match, exactAnywhere],
  text: [similar, begun, containedAnywhere],
};

/**
 * Returns the query for a plain string, to be searched by relevance; `*` finds everything.
 * @throws InvalidInput `query_too_complex`, `invalid_query`
 */
export function fuzzyQuery(
  text: string,
  definition: CollectionDefinition<unknown>,
  boosts: FieldBoosts,
  now: Date,
): QueryNode {
  if (text === '*') return MATCH_ALL;
  const kind = kindWithinLimits(text);
  const fields = [...boosts].flatMap(([path, boost]) => {
    const field = definition.fieldByPath.get(path);
    return field?.indexed ? [{ path, boost, kind: field.searchKind }] : [];
  });
  return anyOf(...CLAUSES[kind].map((clause) => clause({ text, definition, fields, now })));
}

function kindWithinLimits(text: string): TokenKind {
  if (text.length > MAX_QUERY_LENGTH) {
    throw queryTooComplex(`it has ${text.length} characters, and at most ${MAX_QUERY_LENGTH} are allowed`);
  }
  const kind = tokenKind(text);
  const words = Math.max(text.split(/\s+/).length, analyse('text', text).length);
  if (kind === 'text' && words > MAX_QUERY_WORDS) {
    throw queryTooComplex(`it has ${words} words, and at most ${MAX_QUERY_WORDS} are allowed`);
  }
  return kind;
}

function equalAddress({ text, fields }: Scope): QueryNode {
  const value = parseAddress(text);
  if (value === undefined) return MATCH_NONE;
  const addresses = fields.filter(({ kind }) => kind === 'ip');
  return anyOf(...addresses.map(({ path: field, boost }) => boosted({ kind: 'term', field, value }, boost)));
}

function match({ text, fields }: Scope): QueryNode {
  return bestField(fields, (field) => anyOf(...termsIn(field, text).map((value) => termNode(field, value))));
}

function phrase({ text, fields }: Scope): QueryNode {
  return bestField(fields, (field) => {
    const terms = termsIn(field, text);
    if (terms.length > 1) return { kind: 'phrase', field: field.path, terms, slop: 0 };
    return anyOf(...terms.map((value) => termNode(field, value)));
  });
}

function similar({ text, fields }: Scope): QueryNode {
  const similarNode = (field: BoostedField, value: string): QueryNode => {
    const maxEdits = editsOf(value);
    return maxEdits === 0 ? termNode(field, value) : { kind: 'fuzzy', field: field.path, value, maxEdits };
  };
  return bestField(fields, (field) => anyOf(...termsIn(field, text).map((value) => similarNode(field, value))));
}

function termNode({ path: field }: BoostedField, value: string): QueryNode {
  return { kind: 'term', field, value };
}

/** Returns the edits that a term may differ by, `AUTO` of search engines. */
function editsOf(term: string): 0 | 1 | 2 {
  const { length } = [...term];
  if (length < 3 || term.length > MAX_FUZZY_LENGTH) return 0;
  return length < 6 ? 1 : 2;
}

function begun({ text, fields }: Scope): QueryNode {
  if (text.length < MIN_PREFIX_LENGTH) return MATCH_NONE;
  const texts = fields.filter(({ kind }) => kind === 'text');
  return bestField(texts, (field) => {
    const terms = termsIn(field, text);
    return terms.length === 0 ? MATCH_NONE : { kind: 'phrase', field: field.path, terms, slop: 0, lastIsPrefix: true };
  });
}

/** Scores by the best of the fields that hold strings. */
function bestField(fields: readonly BoostedField[], node: (field: BoostedField) => QueryNode): QueryNode {
  const strings = fields.filter(({ kind }) => STRINGS.has(kind));
  return bestOf(...strings.map((field) => boosted(node(field), field.boost)));
}

const STRINGS: ReadonlySet<SearchKind> = new Set(['keyword', 'lowercase_keyword', 'text']);

/** Returns the text as the field is indexed: its words, or the whole. */
function termsIn({ kind }: BoostedField, text: string): readonly string[] {
  if (kind === 'text') return analyse('text', text).map((token) => token.text);
  return [kind === 'lowercase_keyword' ? lowercase(text) : text];
}

function exactAnywhere(scope: Scope): QueryNode {
  return boosted(bestOf(...anywhere(scope, escaped(scope.text))), ANY_FIELD_SCORE);
}

/** A word more that matches adds nothing: decision 0026. */
function containedAnywhere(scope: Scope): QueryNode {
  const nodes = anywhere(scope, `*${escaped(scope.text)}*`);
  const found = booleanNode(nodes.map((query) => ({ query, occur: 'should' })));
  return withScore(found ?? MATCH_NONE, ANY_FIELD_SCORE);
}

/** Returns the alternatives of a query on all fields. */
function anywhere({ definition, now }: Scope, text: string): readonly QueryNode[] {
  return alternatives(compileQuery(text, definition, { defaultField: '*', now, maxConditions: MAX_CONDITIONS }));
}

function alternatives(node: QueryNode): readonly QueryNode[] {
  if (node.kind === 'none') return [];
  const isChoice = node.kind === 'boolean' && node.must.length === 0 && node.mustNot.length === 0;
  return isChoice ? node.should.flatMap(alternatives) : [node];
}

/** Escapes what has a meaning in queries, except for blanks and the words AND, OR and NOT. */
function escaped(text: string): string {
  return text.replace(/[\^"~*?:\\/()[\]{}\-!+]/g, '\\$&').replace(/&&|\|\|/g, '\\$&');
}
