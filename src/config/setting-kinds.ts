import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { flagOf, integer, number, reading } from '../input/input-kinds.ts';

/**
 * Kinds of settings. Each says what is allowed in a form that the reader checks, the message of a
 * refusal states and docs/configuration.md prints. Environment variables are strings: every kind also
 * takes its values written as one.
 */

type Described<Value> = { readonly description: string; readonly default: Value };
type Patterned = { readonly pattern?: string; readonly allowed?: string };

export { integer, number };

export const text = (options: Described<string> & Patterned) => Type.String(options);

/** A value that may be absent. */
const orNothing = <Schema extends TSchema>(schema: Schema, options: { readonly description: string }) =>
  reading(Type.Union([schema, Type.Null()], { ...options, default: null }), {
    accept: (value) => (value === '' ? null : value),
  });

export const optionalText = ({ description, ...options }: { readonly description: string } & Patterned) =>
  orNothing(Type.String(options), { description });

/** An absolute address that may be absent. */
export const optionalAddress = (options: { readonly description: string }) =>
  optionalText({
    ...options,
    pattern: '^https?://[^\\s/]+',
    allowed: 'an address that starts with http:// or https://',
  });

/** Scheme, host and port by which browsers reach a service; may be absent. */
export const optionalOrigin = (options: { readonly description: string }) =>
  optionalText({
    ...options,
    pattern: '^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$',
    allowed: 'an address without a path, such as https://triad.example.org',
  });

/**
 * The setting `<service>.public_url`; `loadConfig` puts `http.public_url` in its place when it is
 * absent.
 */
export const publicUrl = (service: string) =>
  optionalOrigin({ description: `Public URL of the ${service} service alone. Default: \`http.public_url\`.` });

export const optionalInteger = ({
  description,
  ...options
}: {
  readonly description: string;
  readonly minimum: number;
}) => orNothing(integer(options), { description });

export const onOff = (options: Described<boolean>) => trueOrFalse(options);

export const optionalOnOff = (options: { readonly description: string }) => orNothing(trueOrFalse({}), options);

const trueOrFalse = (options: object) =>
  reading(Type.Boolean({ ...options }), {
    accept: (value) => (typeof value === 'string' ? (flagOf(value) ?? value) : value),
  });

/** Accepts one of these strings, case-insensitive. */
const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  reading(Type.Unsafe<Values[number]>({ enum: [...values], ...options }), {
    accept: (value) => values.find((one) => one.toLowerCase() === String(value).toLowerCase()) ?? value,
  });

export const choice = <const Values extends readonly string[]>(values: Values, options: Described<Values[number]>) =>
  oneOf(values, options);

export const optionalChoice = <const Values extends readonly string[]>(
  values: Values,
  options: { readonly description: string },
) => orNothing(oneOf(values), options);

export const textList = (options: Described<string[]>) =>
  reading(Type.Array(Type.String(), options), { accept: (value) => acceptText(value, listOfText) });

/** Settings by name, of which no others are known. */
export const section = <Settings extends TProperties>(settings: Settings): TObject<Settings> =>
  reading(Type.Object(settings, { default: {}, additionalProperties: false, allowed: 'a mapping' }), {
    accept: (value) => acceptText(value, parseJson),
  });

/**
 * A list of mappings. Where `shorthand` names one of their keys, an item that is a string stands for
 * the mapping with that key alone.
 */
export const sections = <Item extends TSchema>(
  item: Item,
  { shorthand, ...options }: Described<Partial<Static<Item>>[]> & { readonly shorthand?: string },
) =>
  reading(Type.Array(item, { ...options, allowed: 'a list of mappings' }), {
    accept: (value) => {
      const list = acceptText(value, listOfText);
      if (shorthand === undefined || !Array.isArray(list)) return list;
      return list.map((one: unknown) => (typeof one === 'string' ? { [shorthand]: one } : one));
    },
  });

/** Values by names that the operator chooses. */
export const mapOf = <Value extends TSchema>(
  value: Value,
  options: { readonly description: string; readonly allowed?: string },
) =>
  reading(Type.Record(Type.String(), value, { allowed: 'a mapping', ...options, default: {} }), {
    accept: (given) => acceptText(given, parseJson),
  });

export const port = (description: string, usual: number) =>
  integer({ description: `${description} 0: any free port.`, default: usual, minimum: 0, maximum: 65_535 });

/** `30d`, `12h`. */
export const AGE_PATTERN = '^[1-9][0-9]*(ms|s|m|h|d)$';
/** `50gb`. */
export const SIZE_PATTERN = '^[1-9][0-9]*(b|kb|mb|gb|tb|pb)$';

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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
