import { InvalidInput } from '../errors/errors.ts';
import { allowedValues, mapValue, type SettingSchema, withoutNull } from './setting-schema.ts';

/** A value with the place it came from: a file, a variable, a flag. */
export interface Source {
  readonly place: string;
}

/**
 * Checks a value against its schema and fills in the defaults. Texts stand for numbers, booleans and lists too, since variables
 * are texts.
 * @throws InvalidInput `unknown_setting`, `invalid_setting`; the message names key, place and what is allowed.
 */
export function readSetting(schema: SettingSchema, value: unknown, key: string, source: Source): unknown {
  const { schema: wanted, nullable } = withoutNull(schema);
  if (value === undefined) return defaultOf(schema, key, source);
  if (value === null || value === '') {
    if (nullable) return null;
    if (value === null && (wanted.type === 'object' || wanted.type === 'array')) return defaultOf(schema, key, source);
  }
  if (wanted.type === 'object') return readObject(wanted, value, key, source);
  if (wanted.type === 'array') return readList(wanted, value, key, source);
  const read = readScalar(wanted, value);
  if (read === undefined) refuse(schema, value, key, source);
  return read;
}

/** The value of a key that nobody set. Objects: the defaults of their keys. */
export function defaultOf(schema: SettingSchema, key: string, source: Source): unknown {
  if (schema.properties) return readObject(schema, {}, key, source);
  if (schema.default === undefined) {
    throw new InvalidInput(
      'invalid_setting',
      `${source.place}: ${key} is missing; it must be ${allowedValues(schema)}.`,
      {
        at: key,
      },
    );
  }
  // Defaults may be short forms, such as hosts without all their keys.
  const { schema: wanted } = withoutNull(schema);
  if (wanted.type === 'array') return readList(wanted, schema.default, key, source);
  return structuredClone(schema.default);
}

function readObject(schema: SettingSchema, given: unknown, key: string, source: Source): unknown {
  const value = typeof given === 'string' ? parseJson(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(schema, given, key, source);
  const ofMap = mapValue(schema);
  const read: Record<string, unknown> = {};
  if (ofMap) {
    for (const [name, item] of Object.entries(value)) {
      if (name === '__proto__') refuse(schema, given, key, source);
      read[name] = readSetting(ofMap, item, `${key}.${name}`, source);
    }
    return read;
  }
  const properties = schema.properties ?? {};
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) {
      const pathOf = (member: string): string => (key === '' ? member : `${key}.${member}`);
      throw unknownSetting(`${source.place}: `, pathOf(name), Object.keys(properties).map(pathOf));
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const item = (value as Record<string, unknown>)[name];
    read[name] = readSetting(property, item, key === '' ? name : `${key}.${name}`, source);
  }
  return read;
}

/** Creates an `unknown_setting` error of one line, with the nearest of the known names. */
export function unknownSetting(place: string, name: string, known: readonly string[]): InvalidInput {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `${place}${name} is not a setting.${hint} docs/configuration.md lists all settings.`;
  return new InvalidInput('unknown_setting', message, { at: name });
}

/** Returns the known name that `name` was most likely meant to be; undefined when none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .sort((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, name.length / 5) ? best.one : undefined;
}

/** Counts the insertions, deletions and replacements that turn one string into the other. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

function readList(schema: SettingSchema, given: unknown, key: string, source: Source): unknown {
  const { items, shorthand } = schema;
  const value = typeof given === 'string' ? listOfText(given) : given;
  if (!Array.isArray(value) || !items) refuse(schema, given, key, source);
  return value.map((item: unknown, index) => {
    const whole = shorthand !== undefined && typeof item === 'string' ? { [shorthand]: item } : item;
    return readSetting(items, whole, `${key}[${index}]`, source);
  });
}

/** `a, b` or a JSON list. */
function listOfText(text: string): unknown {
  if (text.trimStart().startsWith('[')) return parseJson(text);
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TRUE = ['true', 'yes', 'on', '1'];
const FALSE = ['false', 'no', 'off', '0'];

/** Undefined when the value is not allowed. */
function readScalar(schema: SettingSchema, value: unknown): unknown {
  if (schema.enum) return schema.enum.find((one) => one === value || one.toLowerCase() === String(value).toLowerCase());
  if (schema.type === 'boolean') {
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
    if (TRUE.includes(word)) return true;
    return FALSE.includes(word) ? false : undefined;
  }
  if (schema.type === 'integer' || schema.type === 'number') return readNumber(schema, value);
  if (typeof value !== 'string') return undefined;
  return schema.pattern === undefined || new RegExp(schema.pattern).test(value) ? value : undefined;
}

function readNumber(schema: SettingSchema, value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  if (schema.type === 'integer' && !Number.isSafeInteger(number)) return undefined;
  if (schema.minimum !== undefined && number < schema.minimum) return undefined;
  if (schema.maximum !== undefined && number > schema.maximum) return undefined;
  return number;
}

/** Settings whose values never get into a message. */
const SECRET_KEY = /password$|secret$|_key$|url$|(^|\.)api_keys(\.|$)/;

function refuse(schema: SettingSchema, value: unknown, key: string, source: Source): never {
  const shown = SECRET_KEY.test(key) ? 'The value' : (JSON.stringify(value)?.slice(0, 80) ?? 'Nothing');
  throw new InvalidInput(
    'invalid_setting',
    `${source.place}: ${key} must be ${wordsOf(schema)}. ${shown} is not allowed.`,
    { at: key },
  );
}

function wordsOf(schema: SettingSchema): string {
  const { schema: wanted } = withoutNull(schema);
  return wanted.enum ? `one of ${allowedValues(schema)}` : allowedValues(schema);
}
