import { type Static, type TArray, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import { type InputProblem, type InputSchema, READING, type Reading } from './input-reader.ts';

/**
 * Kinds of inputs that take more forms of a value than JSON schema describes: query strings, forms and
 * environment variables hold strings alone, and clients of the public systems rely on the same leniency in JSON.
 */

interface Described {
  readonly description?: string;
  readonly allowed?: string;
  readonly examples?: readonly unknown[];
}
interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** `schema` with reading rules; they are added to those that it has. */
export function reading<Schema extends TSchema>(schema: Schema, rules: Reading): Schema {
  const value: Reading = { ...(schema as InputSchema)[READING], ...rules };
  // TypeBox keeps the kind of a schema in properties that a spread leaves out.
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(schema),
    [READING]: { value, enumerable: true },
  });
}

/** `schema` with another example. */
export function withExample<Schema extends TSchema>(schema: Schema, example: unknown): Schema {
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(schema),
    examples: { value: [example], enumerable: true },
  });
}

/** Refuses problems of the value in words that clients rely on. Undefined: the usual words. */
export function refusing<Schema extends TSchema>(
  schema: Schema,
  refuse: (problem: InputProblem) => Error | undefined,
): Schema {
  return reading(schema, { refuse });
}

/** Checks with `schema`, then hands over what `convert` makes of the value. */
export function converted<Schema extends TSchema, T>(
  schema: Schema,
  convert: (value: Static<Schema>) => T,
): TUnsafe<T> {
  return reading(schema, { convert: convert as (value: never) => unknown }) as unknown as TUnsafe<T>;
}

/** A string. An empty one counts as absent. */
export function text(options: Described & { readonly default?: string } = {}) {
  return reading(Type.String({ ...options }), { accept: (value) => (value === '' ? undefined : value) });
}

/**
 * A string; numbers and booleans count as their text.
 * @param options.keepEmpty an empty string is a value, as items of lists need it; default: it counts as absent
 */
export function anyText({
  keepEmpty = false,
  ...options
}: Described & { readonly default?: string; readonly keepEmpty?: boolean } = {}) {
  return reading(Type.String({ ...options }), {
    accept: (value) => {
      if (value === '' && !keepEmpty) return undefined;
      return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : value;
    },
  });
}

/** A whole number, also as a string. An empty string counts as absent. */
export function integer(options: Described & Range & { readonly default?: number } = {}) {
  return reading(Type.Integer({ ...options }), { accept: acceptNumber });
}

/** A number, also as a string. An empty string counts as absent. */
export function number(options: Described & Range & { readonly default?: number } = {}) {
  return reading(Type.Number({ ...options }), { accept: acceptNumber });
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function acceptNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? undefined : (numberOf(value) ?? value);
}

/** The number that a string writes; undefined when it does not write one. */
export function numberOf(value: string): number | undefined {
  const digits = value.trim();
  return NUMBER.test(digits) ? Number(digits) : undefined;
}

const YES: readonly string[] = ['true', 'yes', 'on', '1'];
const NO: readonly string[] = ['false', 'no', 'off', '0'];

/** Returns the boolean that a string represents, if any. */
export function flagOf(value: string): boolean | undefined {
  const word = value.trim().toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

interface FlagOptions extends Described {
  /** Value of an empty string, as in `?x=` or `?x`. Default false. */
  readonly empty?: boolean;
  /** Value of any other string. Default false, as in the public systems. */
  readonly other?: boolean;
}

/** True or false, default false. In strings `true`, `yes`, `on` and `1` mean true. */
export function flag({ empty = false, other = false, ...options }: FlagOptions = {}) {
  return reading(Type.Boolean({ ...options, default: false }), {
    accept: (value) => {
      if (typeof value === 'number') return value !== 0;
      if (typeof value !== 'string') return value;
      return value === '' ? empty : (flagOf(value) ?? other);
    },
  });
}

/** A flag, default false. Of strings, only `true` in any case means true. */
export function saysTrue(options: Described = {}) {
  return reading(Type.Boolean({ ...options, default: false }), {
    accept: (value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : value),
  });
}

/** True if the argument is present, with any value. */
export function presence(options: { readonly description: string }) {
  return reading(Type.Boolean({ ...options, default: false }), { accept: (value) => value !== undefined });
}

/** A list; a single value counts as a list of one. */
export function listOf<Items extends TSchema>(
  items: Items,
  options: Described & { readonly default?: readonly Static<Items>[]; readonly maxItems?: number } = {},
): TArray<Items> {
  return reading(Type.Array(items, { ...options }), {
    accept: (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
  });
}

/** A string, or a list joined with commas. Without any name it counts as absent. */
export function joinedText(options: Described = {}) {
  return reading(Type.String({ ...options }), {
    repeated: 'list',
    accept: (value) => {
      const joined = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(',') : value;
      return typeof joined === 'string' && namesIn(joined).length === 0 ? undefined : joined;
    },
  });
}

/** A list of names, `a, b` or a list of strings. Without any name it counts as absent. */
export function names(options: Described = {}): TUnsafe<readonly string[]> {
  return converted(joinedText(options), namesIn);
}

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A string that may be sent once; a repetition is refused, because programs read it differently. */
export function singleText(options: Described = {}) {
  return reading(text(options), { repeated: 'wrong' });
}

/**
 * A document as a client sends it, which its definition checks later (see `readDocument`).
 * Here only `members` are checked, unless they are a `field`; the rest is handed over as it is.
 */
export function documentOf<const Members extends TProperties>(
  members: Members,
  options: {
    readonly description?: string;
    readonly minProperties?: number;
    readonly examples?: readonly unknown[];
  } = {},
): TUnsafe<Static<TObject<Members>> & Readonly<Record<string, unknown>>> {
  return Type.Unsafe(Type.Object(members, { ...options, additionalProperties: true }));
}

/** A member of a document, described here and checked by the definition of the document. */
export function field(schema: TSchema): TUnsafe<unknown> {
  return reading(Type.Unsafe<unknown>(schema), { unchecked: true });
}

/** One of these strings. */
export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: Described & { readonly default?: Values[number] } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}
