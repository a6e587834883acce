import type { CollectionDefinition } from './collection-definition.ts';
import type { FieldTypeName, FlatField } from './field-types.ts';
import { ACCESS_FIELDS, ID_FIELD, KEYWORD_IGNORE_ABOVE, TEXT_FIELD } from './field-types.ts';

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
const LOWERCASE_KEYWORD = { ...KEYWORD, normalizer: 'lowercase_normalizer' };

/** Mapping of each type; `undefined`: mapped by a template, because its keys are arbitrary. */
const TYPES: Readonly<Record<FieldTypeName, Body | undefined>> = {
  keyword: KEYWORD,
  case_insensitive_keyword: LOWERCASE_KEYWORD,
  text: { type: 'text' },
  uuid: KEYWORD,
  enum: KEYWORD,
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  long: { type: 'long' },
  float: { type: 'float' },
  date: { type: 'date', format: 'date_optional_time||epoch_millis' },
  ip: { type: 'ip' },
  domain: KEYWORD,
  email: KEYWORD,
  uri: KEYWORD,
  mac: KEYWORD,
  md5: LOWERCASE_KEYWORD,
  sha1: LOWERCASE_KEYWORD,
  sha256: LOWERCASE_KEYWORD,
  hash: LOWERCASE_KEYWORD,
  ssdeep: { type: 'text', analyzer: 'text_fuzzy' },
  classification: { type: 'keyword' },
  json: KEYWORD,
  mapping: undefined,
};

const FREE_STRINGS = {
  strings_as_keywords: {
    match_mapping_type: 'string',
    mapping: { type: 'keyword', ignore_above: KEYWORD_IGNORE_ABOVE },
  },
};
/** Mapping of unknown fields: stored, but not searchable. Templates of mappings take precedence. */
const REFUSE_THE_REST = {
  refuse_all_implicit_mappings: { match: '*', mapping: { index: false, ignore_malformed: true } },
};

/**
 * The mapping that the public system gives such an index: one that it made can be used as it is, and
 * the other way round.
 */
export function elasticsearchMappings(definition: CollectionDefinition<unknown>): IndexMappings {
  const properties: Record<string, Body> = {};
  const templates: Body[] = [];
  for (const field of definition.fields) {
    const body = TYPES[field.type];
    if (field.path === ID_FIELD) properties[field.path] = { type: 'keyword', store: true, doc_values: true };
    else if (ACCESS_PATHS.has(field.path)) properties[field.path] = { type: body?.type, index: true };
    else if (body !== undefined) properties[field.path] = withSwitches(field, body);
    else if (field.indexed) templates.push(keysTemplate(field));
    else properties[field.path] = { type: 'object', enabled: false };
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
  };
}

function keysTemplate({ path }: FlatField): Body {
  return {
    [`${path}.*_tpl`]: {
      path_match: `${path}.*`,
      mapping: { type: 'keyword', index: true, ignore_above: KEYWORD_IGNORE_ABOVE },
    },
  };
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

/** Settings and mappings of a new index. */
export function elasticsearchIndexBody(
  definition: CollectionDefinition<unknown>,
  options: { readonly shards: number; readonly replicas: number },
): IndexBody {
  const limit = Math.max(LEAST_FIELD_LIMIT, definition.fields.length + SPARE_FIELDS);
  return {
    settings: {
      analysis: ANALYSIS,
      index: {
        number_of_shards: options.shards,
        number_of_replicas: options.replicas,
        mapping: { total_fields: { limit } },
      },
    },
    mappings: elasticsearchMappings(definition),
  };
}
