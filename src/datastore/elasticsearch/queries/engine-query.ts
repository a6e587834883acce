import { type CollectionDefinition, definedField } from '../../../documents/schema/collection-definition.ts';
import { type SearchKind, TEXT_FIELD } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { CheckedSelection } from '../../port/datastore-adapter.ts';
import { type BooleanNode, MAX_FUZZY_EXPANSIONS, type QueryNode } from '../../port/query-tree.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { SearchEngine } from '../transport/search-engine.ts';
import { countedApart, hasTooManyClauses } from './clause-limit.ts';
import { anyDsl, type Dsl, MATCH_ALL_DSL, MATCH_NONE_DSL, rangeDsl, termsDsl } from './engine-values.ts';
import { onFilledFields } from './filled-fields.ts';
import { joinedAlternatives } from './joined-alternatives.ts';
import type { Patience } from './search-call.ts';

/** Paths that the index has below a `mapping` field. */
export type MappingKeys = ReadonlyMap<string, readonly string[]>;

type Definition = Pick<CollectionDefinition<unknown>, 'fieldByPath'>;
type Condition = Pick<CheckedSelection, 'query' | 'access'>;
type FieldNode = Extract<QueryNode, { readonly field: string }>;
type PhraseNode = Extract<QueryNode, { readonly kind: 'phrase' }>;

export interface EngineQueryOptions {
  readonly engine: Pick<SearchEngine, 'vendor' | 'version'>;
  /** Field that combines the values of all keys of a `mapping` field. Default: none. */
  readonly keys?: MappingKeys;
  /** The server scores matches by the query. Default false: nothing scores. */
  readonly scored?: boolean;
}

interface EngineQueryScope extends EngineQueryOptions {
  readonly definition: Definition;
  /** Many alternatives are counted apart from the rest of the query. */
  readonly divided?: boolean;
}

/** Returns the query as it is sent, with the access, which never scores; throws `invalid_query`. */
export function engineQuery(condition: Condition, definition: Definition, options: EngineQueryOptions): Dsl {
  const scope = { definition, ...options };
  const query = conditionDsl(condition, scope);
  const isDivided = options.engine.vendor === 'opensearch' && hasTooManyClauses(query);
  return isDivided ? conditionDsl(condition, { ...scope, divided: true }) : query;
}

function conditionDsl({ query, access }: Condition, scope: EngineQueryScope): Dsl {
  if (scope.scored) return { bool: { must: [scoredDsl(query, scope)], filter: [nodeDsl(access, scope)] } };
  const clauses = [query, access].filter(({ kind }) => kind !== 'all').map((node) => nodeDsl(node, scope));
  return clauses.length === 0 ? MATCH_ALL_DSL : { bool: { filter: clauses } };
}

/** Translates a query once the index is there; fetches `mapping` keys if it searches all of them. */
export async function collectionQuery(
  context: Pick<CollectionContext<unknown>, 'engine' | 'alias' | 'definition' | 'limits' | 'ready'>,
  asked: Condition & Patience,
  { scored = false }: Pick<EngineQueryOptions, 'scored'> = {},
): Promise<Dsl> {
  const { definition, engine } = context;
  await context.ready();
  const selection = { query: await onFilledFields(context, asked), access: asked.access };
  const nodes = [selection.query, selection.access];
  const paths = new Set(nodes.flatMap((node) => [...searchedMappings(node, definition)]));
  if (paths.size === 0) return engineQuery(selection, definition, { engine, scored });
  return engineQuery(selection, definition, { engine, scored, keys: await mappingKeys(context, [...paths]) });
}

function* searchedMappings(node: QueryNode, definition: Definition): Iterable<string> {
  if (node.kind === 'boolean') {
    for (const inner of [...node.must, ...node.should, ...node.mustNot]) yield* searchedMappings(inner, definition);
  } else if ('field' in node && node.kind !== 'exists' && definition.fieldByPath.get(node.field)?.type === 'mapping') {
    yield node.field;
  }
}

type FieldMappings = Readonly<Record<string, { readonly mappings: object }>>;

/** @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-indices-get-field-mapping */
async function mappingKeys(
  { engine, alias }: Pick<CollectionContext<unknown>, 'engine' | 'alias'>,
  paths: readonly string[],
): Promise<MappingKeys> {
  const patterns = paths.map((path) => `${encodeURIComponent(path)}.*`).join(',');
  const { body } = await engine.request<FieldMappings>({
    path: `/${encodeURIComponent(alias)}/_mapping/field/${patterns}`,
  });
  const names = new Set(Object.values(body).flatMap(({ mappings }) => Object.keys(mappings)));
  return new Map(paths.map((path) => [path, [...names].filter((name) => name.startsWith(`${path}.`))]));
}

function nodeDsl(node: QueryNode, scope: EngineQueryScope): Dsl {
  switch (node.kind) {
    case 'all':
      return MATCH_ALL_DSL;
    case 'none':
      return MATCH_NONE_DSL;
    case 'boolean':
      return booleanDsl(node, scope);
    case 'ids':
      return node.ids.length === 0 ? MATCH_NONE_DSL : { ids: { values: node.ids } };
    default:
      return fieldDsl(node, scope);
  }
}

function booleanDsl({ must, should, mustNot }: BooleanNode, scope: EngineQueryScope): Dsl {
  const { definition } = scope;
  const of = (nodes: readonly QueryNode[]): readonly Dsl[] => nodes.map((inner) => nodeDsl(inner, scope));
  const deciding = must.length === 0 ? joinedAlternatives(should, definition) : [];
  if (must.length + deciding.length + mustNot.length === 0) return MATCH_ALL_DSL;
  const query = {
    bool: {
      ...(must.length > 0 ? { filter: of(must) } : {}),
      ...(deciding.length > 0 ? { should: of(deciding), minimum_should_match: 1 } : {}),
      ...(mustNot.length > 0 ? { must_not: of(mustNot) } : {}),
    },
  };
  return scope.divided ? countedApart(query, deciding.length) : query;
}

/** Translates a node with the scores that its `scoring` and `boost` ask for. */
function scoredDsl(node: QueryNode, scope: EngineQueryScope): Dsl {
  if (node.kind !== 'boolean') return scoredLeafDsl(node, scope);
  const { must, should, mustNot, scoring = 'sum', boost = 1 } = node;
  if (scoring === 'constant') return { constant_score: { filter: nodeDsl(node, scope), boost } };
  const of = (nodes: readonly QueryNode[]): readonly Dsl[] => nodes.map((inner) => scoredDsl(inner, scope));
  if (scoring === 'best') return { dis_max: { queries: of(should), boost } };
  return {
    bool: {
      must: of(must),
      should: of(should),
      must_not: mustNot.map((inner) => nodeDsl(inner, scope)),
      minimum_should_match: must.length === 0 && should.length > 0 ? 1 : 0,
      boost,
    },
  };
}

/** OpenSearch leaves this factor of BM25 out (`k1` + 1) since version 3. */
const BM25_FACTOR = 2.2;

/** Makes OpenSearch score terms of keywords, too, and by BM25 as Elasticsearch does. */
function scoredLeafDsl(node: Exclude<QueryNode, BooleanNode>, scope: EngineQueryScope): Dsl {
  const { definition, engine } = scope;
  const isTerm = node.kind === 'term' || node.kind === 'fuzzy' || node.kind === 'phrase';
  const kind = isTerm ? definition.fieldByPath.get(node.field)?.searchKind : undefined;
  if (engine.vendor !== 'opensearch' || !isTerm || kind === undefined || !TEXTS.has(kind)) return nodeDsl(node, scope);
  const scored: QueryNode =
    node.kind === 'term' ? { kind: 'fuzzy', field: node.field, value: String(node.value), maxEdits: 0 } : node;
  const query = nodeDsl(scored, scope);
  return engine.version.startsWith('2.') ? query : { bool: { must: [query], boost: BM25_FACTOR } };
}

function fieldDsl(node: FieldNode, { definition, engine, keys }: EngineQueryScope): Dsl {
  const field = node.field === TEXT_FIELD ? TEXT : definedField(definition, node.field);
  if (!field?.indexed || field.searchKind === 'none') return MATCH_NONE_DSL;
  if (definition.fieldByPath.get(node.field)?.type === 'mapping' && node.kind !== 'exists') {
    return anyDsl((keys?.get(node.field) ?? []).map((key) => leafDsl({ ...node, field: key }, field.searchKind)));
  }
  const isText = field.searchKind === 'text' || field.searchKind === 'ssdeep';
  if (node.kind === 'exists' && isText && engine.vendor === 'opensearch') return countedExists(node.field);
  return leafDsl(node, field.searchKind);
}

/** Adds a condition that is always true: by the index alone OpenSearch counts no texts without words. */
function countedExists(field: string): Dsl {
  const exists = { exists: { field } };
  return { bool: { filter: [exists, anyDsl([exists, { bool: { must_not: [exists] } }])] } };
}

const TEXT: { readonly indexed: boolean; readonly searchKind: SearchKind } = { indexed: true, searchKind: 'text' };

/** The flags of Lucene's `RegExp.ALL` when the language was fixed; later ones exclude the complement. */
const REGEXP_FLAGS = 'INTERSECTION|COMPLEMENT|EMPTY|ANYSTRING|INTERVAL';
/** Above it the server gives a pattern up as too complex; Lucene's own default. */
const MAX_STATES = 10_000;

const TEXTS: ReadonlySet<SearchKind> = new Set(['keyword', 'lowercase_keyword', 'text', 'ssdeep']);

function leafDsl(node: FieldNode, kind: SearchKind): Dsl {
  const { field } = node;
  switch (node.kind) {
    case 'exists':
      return { exists: { field } };
    case 'term':
      return termsDsl(kind, field, [node.value]);
    case 'terms':
      return termsDsl(kind, field, node.values);
    case 'range':
      return rangeDsl(kind, field, node.lower, node.upper);
    case 'phrase':
      return phraseDsl(kind, node);
    default:
      if (TEXTS.has(kind)) return patternDsl(node);
      throw new InvalidInput(
        'invalid_query',
        'Wildcards, prefixes and regular expressions need a keyword or text field.',
      );
  }
}

/** A phrase goes through an analyzer that only splits it again, by a character that no term contains. */
function phraseDsl(kind: SearchKind, { field, terms, slop, lastIsPrefix = false }: PhraseNode): Dsl {
  const [first] = terms;
  if (first === undefined) return MATCH_NONE_DSL;
  if (terms.length === 1 && !lastIsPrefix) return { term: { [field]: { value: first } } };
  const [analyzer, separator] = kind === 'ssdeep' ? ['text_fuzzy', ':'] : ['whitespace', ' '];
  const phrase = { [field]: { query: terms.join(separator), slop, analyzer } };
  return lastIsPrefix ? { match_phrase_prefix: phrase } : { match_phrase: phrase };
}

function patternDsl(node: Extract<FieldNode, { kind: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy' }>): Dsl {
  const { field } = node;
  switch (node.kind) {
    case 'prefix':
      return { prefix: { [field]: { value: node.value } } };
    case 'wildcard':
      // Elasticsearch makes nothing of an empty pattern where the field has a normalizer.
      if (node.pattern === '') return { term: { [field]: { value: '' } } };
      return { wildcard: { [field]: { value: node.pattern } } };
    case 'regexp':
      return {
        regexp: { [field]: { value: node.pattern, flags: REGEXP_FLAGS, max_determinized_states: MAX_STATES } },
      };
    case 'fuzzy':
      return {
        fuzzy: {
          [field]: {
            value: node.value,
            fuzziness: String(node.maxEdits),
            max_expansions: MAX_FUZZY_EXPANSIONS,
            transpositions: true,
          },
        },
      };
  }
}
