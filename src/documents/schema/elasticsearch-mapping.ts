import type { CollectionDefinition } from './collection-definition.ts';
import type { FieldTypeName, FlatField, SearchKind } from './field-types.ts';
import { ACCESS_FIELDS, FIELD_TYPES, ID_FIELD, KEYWORD_IGNORE_ABOVE, TEXT_FIELD } from './field-types.ts';

type Body = Readonly<Record<string, unknown>>;

/** The request body that creates an index, on Elasticsearch and OpenSearch. */
export interface IndexBody {
  readonly settings: Body;
  readonly mappings: IndexMappings;
}

export interface IndexMappings {
  readonly dynamic: boolean;
  /** By dotted path. */
  readonly properties: Readonly<Record<string, Body>>;
  readonly dynamic_templates: readonly Body[];
}

const KEYWORD = { type: 'keyword', ignore_above: KEYWORD_IGNORE_ABOVE };

const MAPPINGS: Readonly<Record<SearchKind, Body>> = {
  keyword: KEYWORD,
  lowercase_keyword: { ...KEYWORD, normalizer: 'lowercase_normalizer' },
  text: { type: 'text' },
  ssdeep: { type: 'text', analyzer: 'text_fuzzy' },
  integer: { type: 'integer' },
  long: { type: 'long' },
  float: { type: 'float' },
  boolean: { type: 'boolean' },
  date: { type: 'date', format: 'date_optional_time||epoch_millis' },
  ip: { type: 'ip' },
  none: {},
};

/** Returns the mapping of a field; undefined: a template maps it, because its keys are arbitrary. */
function mappingOf(type: FieldTypeName): Body | undefined {
  if (type === 'mapping') return undefined;
  // Takes any JSON, and parses none of it.
  if (type === 'any') return UNPARSED;
  // The public system bounds no classification.
  return type === 'classification' ? { type: 'keyword' } : MAPPINGS[FIELD_TYPES[type].searchKind];
}

const UNPARSED: Body = { type: 'object', enabled: false };
const FREE_STRINGS = { strings_as_keywords: { match_mapping_type: 'string', mapping: KEYWORD } };
/** Mapping of unknown fields: stored, but not searchable. Templates of mappings take precedence. */
const REFUSE_THE_REST = {
  refuse_all_implicit_mappings: { match: '*', mapping: { index: false, ignore_malformed: true } },
};

/** Returns the mapping of the public system, so that each can use the indices of the other. */
export function elasticsearchMappings(definition: CollectionDefinition<unknown>): IndexMappings {
  const properties: Record<string, Body> = {};
  const templates: Body[] = [];
  for (const field of definition.fields) {
    const body = mappingOf(field.type);
    if (field.path === ID_FIELD) {
      const copy = field.copyToText ? { copy_to: TEXT_FIELD } : {};
      properties[field.path] = { type: 'keyword', store: true, doc_values: true, ...copy };
    } else if (ACCESS_PATHS.has(field.path)) properties[field.path] = { type: body?.type, index: true };
    else if (body === UNPARSED) properties[field.path] = body;
    else if (body !== undefined) properties[field.path] = withSwitches(field, body);
    else if (field.indexed) templates.push(...keysTemplates(field));
    else properties[field.path] = UNPARSED;
  }
  properties[TEXT_FIELD] = { type: 'text', store: false };
  return {
    dynamic: true,
    properties,
    dynamic_templates: [FREE_STRINGS, ...(templates.length > 0 ? templates : [REFUSE_THE_REST])],
  };
}

const ACCESS_PATHS: ReadonlySet<string> = new Set(ACCESS_FIELDS);

function withSwitches(field: FlatField, body: Body): Body {
  return {
    ...body,
    index: field.indexed,
    ...(body.type === 'text' ? {} : { doc_values: field.indexed }),
    ...(field.copyToText ? { copy_to: TEXT_FIELD } : {}),
    ...(field.searchedTokens === undefined
      ? {}
      : { analyzer: limitedAnalyzer(field.searchedTokens), search_analyzer: 'standard' }),
  };
}

/** Types that the engine finds in values of JSON. */
const VALUE_TYPES = ['string', 'date', 'long', 'double', 'boolean'];

function keysTemplates({ path, copyToText, dottedKeys = false }: FlatField): readonly Body[] {
  const copy = copyToText ? { copy_to: TEXT_FIELD } : {};
  const mapping = { type: 'keyword', index: true, ignore_above: KEYWORD_IGNORE_ABOVE, ...copy };
  if (!dottedKeys) return [{ [`${path}.*_tpl`]: { path_match: `${path}.*`, mapping } }];
  // A key with dots is an object to the engine, which a template for every type would map as a keyword.
  return VALUE_TYPES.map((type) => ({
    [`${path}.*_${type}_tpl`]: { path_match: `${path}.*`, match_mapping_type: type, mapping },
  }));
}

const ANALYSIS = {
  filter: { text_ws_dsplit: { type: 'pattern_replace', pattern: '(\\.)', replacement: ' ' } },
  analyzer: {
    string_ci: { type: 'custom', tokenizer: 'keyword', filter: ['lowercase'] },
    text_fuzzy: { type: 'pattern', pattern: '\\s*:\\s*', lowercase: false },
    text_whitespace: { type: 'whitespace' },
    text_ws_dsplit: { type: 'custom', tokenizer: 'whitespace', filter: ['text_ws_dsplit'] },
  },
  normalizer: { lowercase_normalizer: { type: 'custom', char_filter: [], filter: ['lowercase'] } },
};

/** Room for keys of mappings beside the fields of the definition. */
const SPARE_FIELDS = 500;
const LEAST_FIELD_LIMIT = 1500;

const limitedAnalyzer = (tokens: number): string => `text_first_${tokens}`;

/** The analysis of an index, with an analyzer for each limit of tokens that its fields have. */
function analysisOf({ fields }: CollectionDefinition<unknown>): Body {
  const limits = new Set(fields.flatMap(({ searchedTokens }) => searchedTokens ?? []));
  if (limits.size === 0) return ANALYSIS;
  const named = (make: (tokens: number) => Body) =>
    Object.fromEntries([...limits].map((tokens) => [limitedAnalyzer(tokens), make(tokens)]));
  return {
    ...ANALYSIS,
    filter: { ...ANALYSIS.filter, ...named((tokens) => ({ type: 'limit', max_token_count: tokens })) },
    analyzer: {
      ...ANALYSIS.analyzer,
      ...named((tokens) => ({ type: 'custom', tokenizer: 'standard', filter: ['lowercase', limitedAnalyzer(tokens)] })),
    },
  };
}

/** Settings and mappings of a new index. */
export function elasticsearchIndexBody(
  definition: CollectionDefinition<unknown>,
  options: { readonly shards: number; readonly replicas: number },
): IndexBody {
  const limit = Math.max(LEAST_FIELD_LIMIT, definition.fields.length + SPARE_FIELDS);
  const index = {
    number_of_shards: options.shards,
    number_of_replicas: options.replicas,
    mapping: { total_fields: { limit } },
  };
  return { settings: { analysis: analysisOf(definition), index }, mappings: elasticsearchMappings(definition) };
}
