/**
 * Determines how a value is indexed and compared, for the query language and adapters.
 * - `keyword`: exact, ordered by UTF-8 bytes, absent from the index when longer than 8191 characters
 * - `lowercase_keyword`: as keyword, indexed and queried in lower case (code point by code point), stored as given
 * - `text`: tokens of the standard analyzer; `ssdeep`: tokens split on `:`, case kept
 * - `integer` 32 bit, `long` 64 bit (bigint in queries), `float` 32 bit
 * - `date`: milliseconds since 1970; `ip`: IPv4 and IPv6, IPv4 equal to its mapped form
 * - `none`: kept in the document, never searchable.
 */
export type SearchKind =
  | 'keyword'
  | 'lowercase_keyword'
  | 'text'
  | 'ssdeep'
  | 'integer'
  | 'long'
  | 'float'
  | 'boolean'
  | 'date'
  | 'ip'
  | 'none';

/**
 * THE table of field types. `catalogueType` is `type` in the public system's field catalogue.
 * Every consumer maps it exhaustively (`Record<FieldTypeName, …>` or `Record<SearchKind, …>`), so a new type that an
 * adapter forgot does not compile. How values are read and checked lies in `field-values.ts`.
 */
export const FIELD_TYPES = {
  keyword: { searchKind: 'keyword', catalogueType: 'keyword' },
  case_insensitive_keyword: { searchKind: 'lowercase_keyword', catalogueType: 'keyword' },
  text: { searchKind: 'text', catalogueType: 'text' },
  uuid: { searchKind: 'keyword', catalogueType: 'keyword' },
  enum: { searchKind: 'keyword', catalogueType: 'keyword' },
  boolean: { searchKind: 'boolean', catalogueType: 'boolean' },
  integer: { searchKind: 'integer', catalogueType: 'integer' },
  long: { searchKind: 'long', catalogueType: 'long' },
  float: { searchKind: 'float', catalogueType: 'float' },
  date: { searchKind: 'date', catalogueType: 'date' },
  ip: { searchKind: 'ip', catalogueType: 'ip' },
  domain: { searchKind: 'keyword', catalogueType: 'keyword' },
  email: { searchKind: 'keyword', catalogueType: 'keyword' },
  uri: { searchKind: 'keyword', catalogueType: 'keyword' },
  mac: { searchKind: 'keyword', catalogueType: 'keyword' },
  md5: { searchKind: 'lowercase_keyword', catalogueType: 'keyword' },
  sha1: { searchKind: 'lowercase_keyword', catalogueType: 'keyword' },
  sha256: { searchKind: 'lowercase_keyword', catalogueType: 'keyword' },
  hash: { searchKind: 'lowercase_keyword', catalogueType: 'keyword' },
  ssdeep: { searchKind: 'ssdeep', catalogueType: 'keyword' },
  classification: { searchKind: 'keyword', catalogueType: 'keyword' },
  json: { searchKind: 'keyword', catalogueType: 'keyword' },
  /** Any JSON; kept in the document, never searchable. */
  any: { searchKind: 'none', catalogueType: 'keyword' },
  /** Free object `{key: value}`; each key is a keyword below the path. Searched as `path.key`. */
  mapping: { searchKind: 'keyword', catalogueType: 'object' },
} as const satisfies Record<string, { readonly searchKind: SearchKind; readonly catalogueType: string }>;

export type FieldTypeName = keyof typeof FIELD_TYPES;

/** The properties of a field that each leaf below it repeats. */
export interface FieldTraits {
  /** The field itself is declared a list. */
  readonly list: boolean;
  /** May be absent or null. */
  readonly optional: boolean;
  readonly description: string;
  readonly indexed: boolean;
  /** Part of v1 search answers. Fields that are not stored are still in the document. */
  readonly stored: boolean;
  /** Copied into the default search field `__text__`. */
  readonly copyToText: boolean;
  /** Tokens of a value of prose that searches find, from its beginning; undefined: all. */
  readonly searchedTokens: number | undefined;
  readonly deprecated: boolean;
  readonly deprecatedDescription: string | undefined;
}

/** One leaf of a document: what adapters, query language and the field catalogue need to know of it. */
export interface FlatField extends FieldTraits {
  /** Dotted path from the document's root, `howler.comment.value`. */
  readonly path: string;
  readonly type: FieldTypeName;
  readonly searchKind: SearchKind;
  /** It or any object above it is a list: several values may occur in one document. */
  readonly multiValued: boolean;
  /** Keys of the mapping may have dots. */
  readonly dottedKeys?: boolean | undefined;
  /** Allowed values of an enum. */
  readonly values: readonly string[] | undefined;
  /** Pattern that values must match, as the field catalogue shows it. */
  readonly regex: string | undefined;
}

/** Defaults of a field: required, indexed, stored, at most one value. */
export const PLAIN_TRAITS: Omit<FieldTraits, 'description'> = {
  list: false,
  optional: false,
  indexed: true,
  stored: true,
  copyToText: false,
  searchedTokens: undefined,
  deprecated: false,
  deprecatedDescription: undefined,
};

/** Defaults of a leaf, which is optional. */
export const PLAIN_FIELD: Omit<FlatField, 'path' | 'type' | 'searchKind'> = {
  ...PLAIN_TRAITS,
  optional: true,
  description: '',
  multiValued: false,
  values: undefined,
  regex: undefined,
};

/** A plain field, but for `settings`. */
export function flatField(path: string, type: FieldTypeName, settings: Partial<FlatField> = {}): FlatField {
  return { ...PLAIN_FIELD, path, type, searchKind: FIELD_TYPES[type].searchKind, ...settings };
}

/** The default search field: the fields with `copyToText`, in the order of the document's values. */
export const TEXT_FIELD = '__text__';
/** Searchable on every collection: the document's identifier. */
export const ID_FIELD = 'id';
/** Hidden fields of classified documents; the classification engine computes them at every write. */
export const ACCESS_FIELDS = ['__access_lvl__', '__access_req__', '__access_grp1__', '__access_grp2__'] as const;
/** Longest keyword, in characters, that is indexed; longer ones are in the document alone. */
export const KEYWORD_IGNORE_ABOVE = 8191;
