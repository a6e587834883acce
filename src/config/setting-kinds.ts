import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { flagOf, integer as inputInteger, number as inputNumber, reading } from '../input/input-kinds.ts';

/**
 * Kinds of settings. Each says what is allowed in a form that the reader checks, the message of a
 * refusal states and docs/configuration.md prints. Environment variables are strings: every kind also
 * takes its values written as one.
 */

interface Pattern {
  readonly pattern: string;
  readonly allowed: string;
}
interface Range {
  /** Default 0. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A whole number. `usual` undefined: it must be given. */
export const integer = (description: string, usual?: number, range: Range = {}) =>
  inputInteger({ description, ...(usual === undefined ? {} : { default: usual }), minimum: 0, ...range });

export const number = (description: string, usual: number, range: Range = {}) =>
  inputNumber({ description, default: usual, minimum: 0, ...range });

export const text = (description: string, usual: string, pattern?: Pattern) =>
  Type.String({ description, default: usual, ...pattern });

/** A string that passes a check which no pattern expresses; `allowed` describes it. */
export const checkedText = (
  description: string,
  usual: string,
  { allowed, fits }: { readonly allowed: string; readonly fits: (text: string) => boolean },
) =>
  reading(Type.String({ description, default: usual, allowed }), {
    accept: (value) => (typeof value !== 'string' || fits(value) ? value : UNFIT),
  });

/** Stands for a string that does not fit: as a value of another type, it is refused. */
const UNFIT = Symbol('unfit');

/** A value that may be absent. */
const orNothing = <Schema extends TSchema>(schema: Schema, description: string) =>
  reading(Type.Union([schema, Type.Null()], { description, default: null }), {
    accept: (value) => (value === '' ? null : value),
  });

export const optionalText = (description: string, pattern?: Pattern) =>
  orNothing(Type.String({ ...pattern }), description);

/** An absolute address that may be absent. */
export const optionalAddress = (description: string) => optionalText(description, ADDRESS);

/** Absolute addresses. */
export const ADDRESS: Pattern = {
  pattern: '^https?://[^\\s/]+',
  allowed: 'an address that starts with http:// or https://',
};

/** Scheme, host and port by which browsers reach a service; may be absent. */
export const optionalOrigin = (description: string) =>
  optionalText(description, {
    pattern: '^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$',
    allowed: 'an address without a path, such as https://triad.example.org',
  });

/** The setting `<service>.public_url`. `loadConfig` replaces an absent one by `http.public_url`. */
export const publicUrl = (service: string) =>
  optionalOrigin(`Public URL of the ${service} alone. Default: \`http.public_url\`.`);

export const optionalInteger = (description: string, minimum: number) =>
  orNothing(inputInteger({ minimum }), description);

export const onOff = (description: string, usual: boolean) => trueOrFalse({ description, default: usual });

export const optionalOnOff = (description: string) => orNothing(trueOrFalse({}), description);

const trueOrFalse = (options: object) =>
  reading(Type.Boolean({ ...options }), {
    accept: (value) => (typeof value === 'string' ? (flagOf(value) ?? value) : value),
  });

/** Accepts one of these strings, case-insensitive. */
const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  reading(Type.Unsafe<Values[number]>({ enum: [...values], ...options }), {
    accept: (value) => values.find((one) => one.toLowerCase() === String(value).toLowerCase()) ?? value,
  });

export const choice = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  usual: Values[number],
) => oneOf(values, { description, default: usual });

export const optionalChoice = <const Values extends readonly string[]>(values: Values, description: string) =>
  orNothing(oneOf(values), description);

/** Strings. @param usual separated by commas, as in a variable */
export const textList = (description: string, usual = '', pattern?: Pattern) =>
  reading(Type.Array(Type.String({ ...pattern }), { description, default: listOfText(usual) }), {
    accept: (value) => acceptText(value, listOfText),
  });

/** Strings that may be absent, which differs from an empty list. */
export const optionalTextList = (description: string, pattern?: Pattern) =>
  orNothing(
    reading(Type.Array(Type.String({ ...pattern })), { accept: (value) => acceptText(value, listOfText) }),
    description,
  );

/** Some of these strings, at least one; by default all. In a variable they are separated by commas. */
export const someOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  reading(
    Type.Array(oneOf(values), {
      description,
      default: [...values],
      minItems: 1,
      allowed: `a list of ${values.join(', ')}`,
    }),
    {
      accept: (value) => acceptText(value, listOfText),
    },
  );

/** Settings by name, of which no others are known. */
export const section = <Settings extends TProperties>(settings: Settings): TObject<Settings> =>
  reading(Type.Object(settings, { default: {}, additionalProperties: false, allowed: 'a mapping' }), {
    accept: (value) => acceptText(value, parseJson),
  });

/** A list of mappings. With `shorthand`, a string stands for the mapping with that key alone. */
export const sections = <Item extends TSchema>(
  item: Item,
  description: string,
  { shorthand, ...options }: { readonly default?: Partial<Static<Item>>[]; readonly shorthand?: string } = {},
) =>
  reading(Type.Array(item, { description, default: [], ...options, allowed: 'a list of mappings' }), {
    accept: (value) => {
      const list = acceptText(value, listOfText);
      if (shorthand === undefined || !Array.isArray(list)) return list;
      return list.map((one: unknown) => (typeof one === 'string' ? { [shorthand]: one } : one));
    },
  });

/** Values by names that the operator chooses. */
export const mapOf = <Value extends TSchema>(
  value: Value,
  description: string,
  {
    allowed = 'a mapping',
    usual = {},
  }: { readonly allowed?: string; readonly usual?: Readonly<Record<string, unknown>> } = {},
) =>
  reading(Type.Record(Type.String(), value, { description, allowed, default: usual }), {
    accept: (given) => acceptText(given, parseJson),
  });

export const port = (description: string, usual: number) =>
  integer(`${description} 0: any free port.`, usual, { maximum: 65_535 });

/** `30d`, `12h`. */
export const AGE: Pattern = { pattern: '^[1-9][0-9]*(ms|s|m|h|d)$', allowed: 'an age such as 30d or 12h' };

/** Returns the value that a string represents, or the string itself if there is none. */
function acceptText(value: unknown, read: (text: string) => unknown): unknown {
  return typeof value === 'string' ? (read(value) ?? value) : value;
}

/** `a, b` or a JSON list. */
function listOfText(text: string): unknown {
  if (text.trimStart().startsWith('[')) return parseJson(text);
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
