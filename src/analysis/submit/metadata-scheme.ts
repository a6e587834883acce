import { RE2JS } from 're2js';
import type { Settings } from '../../config/config-schema.ts';
import {
  type AnyField,
  boolean,
  date,
  domain,
  email,
  enumeration,
  float,
  group,
  integer,
  ip,
  keyword,
  text,
  uri,
} from '../../documents/schema/field-builders.ts';
import { readObject } from '../../documents/schema/read-document.ts';
import { pythonRepr, pythonText } from '../../documents/schema/values/python-text.ts';
import { InvalidInput, messageOf } from '../../errors/errors.ts';
import type { Values } from './nested-values.ts';

/** Fields of metadata by name. */
export type MetadataScheme = Settings['analysis']['submission']['metadata']['submit'];
type MetadataField = MetadataScheme[string];

export interface SchemeOptions {
  /** Names that the scheme does not have are refused. */
  readonly strict: boolean;
  /** Returns values that administrators keep under a key. */
  readonly suggestions: (key: string) => readonly string[];
}

/** Metadata that the service itself adds. */
const OWN_NAMES: ReadonlySet<string> = new Set(['ingest_id', 'ts', 'type']);

/**
 * Checks metadata by a scheme; renames aliases, adds defaults and normalises values.
 * @throws InvalidInput `invalid_metadata`
 */
export function applyScheme(metadata: Values, scheme: MetadataScheme, options: SchemeOptions): Values {
  const fields = Object.entries(scheme);
  if (fields.length === 0 && !options.strict) return metadata;
  const given: Record<string, unknown> = { ...metadata };
  for (const [name, { aliases }] of fields) takeAlias(given, name, aliases);
  const missing = fields.filter(([name, field]) => !Object.hasOwn(given, name) && field.required);
  for (const [name, field] of missing) if (field.default) given[name] = field.default;
  const lacking = missing.filter(([, field]) => !field.default).map(([name]) => name);
  if (lacking.length > 0) {
    throw invalidMetadata(`Required metadata is missing from submission: ${pythonRepr(lacking)}`);
  }
  const extra = Object.keys(given).filter((name) => !Object.hasOwn(scheme, name) && !OWN_NAMES.has(name));
  if (options.strict && extra.length > 0) {
    throw invalidMetadata(`Extra metadata found from submission: ${pythonRepr(extra.slice(0, 100))}`);
  }
  for (const [name, field] of fields) {
    const value = given[name];
    if (field.validator_params.allow_empty === true && isEmpty(value)) continue;
    if ((value === undefined || value === null) && !field.required) continue;
    given[name] = checkedValue(name, field, value, options);
  }
  return given;
}

export function invalidMetadata(message: string, at?: string): InvalidInput {
  return new InvalidInput('invalid_metadata', message, { response: {}, at });
}

/** Moves the first value under an alias to the name of the field; all aliases are removed. */
function takeAlias(metadata: Record<string, unknown>, name: string, aliases: readonly string[]): void {
  if (Object.hasOwn(metadata, name)) return;
  let found: unknown;
  for (const alias of aliases) {
    if (!Object.hasOwn(metadata, alias)) continue;
    found ||= metadata[alias];
    delete metadata[alias];
  }
  if (found) metadata[name] = found;
}

function isEmpty(value: unknown): boolean {
  if (value === '[""]' || !value) return true;
  return Array.isArray(value) && (value.length === 0 || (value.length === 1 && value[0] === ''));
}

function checkedValue(name: string, field: MetadataField, value: unknown, options: SchemeOptions): string {
  try {
    return pythonText(readerOf(field, options)(value));
  } catch (error) {
    const message = `Validation of '${name}' of type ${field.validator_type} failed: ${messageOf(error)}`;
    throw invalidMetadata(message, `metadata.${name}`);
  }
}

type Read = (value: unknown) => unknown;

function readerOf(field: MetadataField, options: SchemeOptions): Read {
  const { validator_type: type, validator_params: params } = field;
  if (type !== 'list') return itemReader(type, field, options);
  const { child_type: child = 'text', auto = true } = params;
  const readItem = itemReader(String(child), field, options);
  return (value) => listOf(value, auto === true).map(readItem);
}

/** Returns a list, also of a single value, or of JSON in a string. */
function listOf(value: unknown, auto: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!auto) throw new Error('it must be a list');
  if (typeof value !== 'string' || !/^\[.*\]$/s.test(value)) return [value];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed : [parsed];
}

const FIELDS: Readonly<Record<string, () => AnyField>> = {
  boolean: () => boolean('Value.'),
  date: () => date('Value.'),
  domain: () => domain('Value.'),
  email: () => email('Value.'),
  float: () => float('Value.'),
  integer: () => integer('Value.'),
  ip: () => ip('Value.'),
  keyword: () => keyword('Value.'),
  text: () => text('Value.'),
  uri: () => uri('Value.'),
};

function itemReader(
  type: string,
  { validator_params: params, suggestion_key: key }: MetadataField,
  options: SchemeOptions,
): Read {
  if (type === 'regex') return patternReader(String(params.validation_regex ?? ''));
  const values = Array.isArray(params.values) ? params.values.map(String) : [];
  const allowed = key === null ? values : [...values, ...options.suggestions(key)];
  const field = type === 'enum' ? enumeration('Value.', allowed) : FIELDS[type]?.();
  if (field === undefined) throw new Error(`"${type}" is not a kind of metadata`);
  const holder = group('Metadata', 'A value.', { value: field });
  return (value) => {
    const read = readObject(holder, { value }, { unknown: 'drop', path: 'metadata' }) as { value?: unknown };
    if (read.value === undefined) throw new Error('it is empty');
    return read.value;
  };
}

/** Matches from the start of the value, in linear time. */
function patternReader(source: string): Read {
  const pattern = RE2JS.compile(source);
  return (value) => {
    if (typeof value === 'string' && value !== '' && pattern.matcher(value).lookingAt()) return value;
    throw new Error(`${pythonText(value)} does not match the validator: ${source}`);
  };
}
