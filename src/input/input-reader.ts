import type { Static, TSchema } from 'typebox';
import { isObject } from '../json/json-object.ts';

export { isObject };

/** The supported keywords of JSON schema, with `allowed` and reading rules. */
export interface InputSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  readonly title?: string;
  readonly description?: string;
  /** The value of an input that is absent. It is read like any other, so it may be a short form. */
  readonly default?: unknown;
  /** Values that the documentation shows. The first one of a route is sent by a test. */
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  /** Members beside `properties`: kept when true, refused when false. Default: dropped. */
  readonly additionalProperties?: boolean;
  /** One pattern, for maps with arbitrary keys. */
  readonly patternProperties?: Readonly<Record<string, InputSchema>>;
  readonly items?: InputSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly InputSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The allowed values in words, if the schema does not describe them well. */
  readonly allowed?: string;
  /** Mark of schemas whose type is stated beside them; without meaning here. */
  readonly '~unsafe'?: unknown;
  readonly [READING]?: Reading;
}

/** Key of the reading rules of a schema. A symbol, so that documents made of the schema leave them out. */
export const READING = Symbol('reading');

/** Options of reading that JSON schema does not cover. */
export interface Reading {
  /** Converts an accepted form, such as a number in a string, into the checked one. Default: none. */
  readonly accept?: (value: unknown) => unknown;
  /** Converts the checked value into the one that the program works with. May throw domain errors. */
  readonly convert?: (value: never) => unknown;
  /** Leaves the value, null included, to the definition of its document. Default false. */
  readonly unchecked?: boolean;
  /** Treatment of a repeated query argument. Default: the first one is used. Lists accept all of them. */
  readonly repeated?: 'list' | 'wrong';
  /** The refusal of this value where clients rely on the text. Default: the wording of the service. */
  readonly refuse?: (problem: InputProblem) => Error | undefined;
}

/** A problem of an input. */
export class InputProblem {
  /** `unknown`: a member that is not described. */
  readonly kind: 'missing' | 'unknown' | 'wrong';
  /** Schema of the wrong or missing value; for `unknown`, that of the enclosing object. */
  readonly schema: InputSchema;
  readonly value: unknown;
  readonly #path: (string | number)[] = [];

  constructor(kind: InputProblem['kind'], schema: InputSchema, value: unknown) {
    this.kind = kind;
    this.schema = schema;
    this.value = value;
  }

  /** Returns the same problem relative to the enclosing object or list. */
  within(key: string | number): this {
    this.#path.push(key);
    return this;
  }

  /** The refusal that the schema has for it, if any. */
  get refusal(): Error | undefined {
    return this.schema[READING]?.refuse?.(this);
  }

  /** `rules[0].name`; empty for the input as a whole. */
  get at(): string {
    return this.#path.reduceRight<string>(
      (path, key) => (typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
      '',
    );
  }
}

/** Reads a value completely or returns what is wrong with it. */
export type InputReader<T> = (value: unknown) => T | InputProblem;

const ABSENT = Symbol('absent');

/** Returns the typed value, a problem, or ABSENT without a value and a default. */
type Read = (value: unknown) => unknown;

/**
 * Compiles a schema into the function that checks, completes and types an input: members that are not
 * described are dropped, null counts as absent where the schema does not list it, defaults are filled in. The result
 * shares with the input only what is not described.
 *
 * Closures instead of `typebox/compile`, whose import adds 10 MB and 60 ms to the 11 MB and 80 ms of the schema
 * builder, and which neither reads lenient forms nor says what is allowed. A search request of ten arguments takes
 * about 1 µs.
 */
export function inputReader<Schema extends TSchema>(schema: Schema): InputReader<Static<Schema>>;
export function inputReader(schema: InputSchema): InputReader<unknown>;
export function inputReader(schema: InputSchema): InputReader<unknown> {
  const read = readOf(schema);
  return (value) => {
    const result = read(value);
    return result === ABSENT ? new InputProblem('missing', schema, value) : result;
  };
}

const compiled = new WeakMap<InputSchema, Read>();

function readOf(schema: InputSchema): Read {
  const read = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, read);
  return read;
}

function compile(schema: InputSchema): Read {
  const check = checkOf(schema);
  const { accept, convert, unchecked = false } = schema[READING] ?? {};
  const usual = schema.default;
  const nullable = unchecked || takesNull(schema);
  return (given) => {
    let value = accept === undefined ? given : accept(given);
    if (value === undefined || (value === null && !nullable)) {
      if (usual === undefined) return ABSENT;
      value = (accept === undefined ? undefined : accept(usual)) ?? usual;
    }
    let checked = check(value);
    // Messages show what was sent.
    if (checked instanceof InputProblem && checked.at === '') checked = new InputProblem(checked.kind, schema, given);
    return convert === undefined || checked instanceof InputProblem ? checked : convert(checked as never);
  };
}

/** Returns whether the schema accepts null. */
function takesNull({ type, anyOf }: InputSchema): boolean {
  return type === 'null' || anyOf?.some(takesNull) === true;
}

function checkOf(schema: InputSchema): Read {
  if (schema[READING]?.unchecked) return anything;
  if (schema.anyOf !== undefined) return unionCheck(schema, schema.anyOf);
  if (schema.enum !== undefined) return testOf(schema, (value) => schema.enum?.includes(value) === true);
  if ('const' in schema) return testOf(schema, (value) => value === schema.const);
  return schema.type === undefined ? anything : CHECKS[schema.type](schema);
}

type TypeName = NonNullable<InputSchema['type']>;

const CHECKS: Readonly<Record<TypeName, (schema: InputSchema) => Read>> = {
  object: objectCheck,
  array: listCheck,
  string: (schema) => testOf(schema, stringTest(schema)),
  integer: (schema) => testOf(schema, numberTest(schema, Number.isSafeInteger)),
  number: (schema) => testOf(schema, numberTest(schema, Number.isFinite)),
  boolean: (schema) => testOf(schema, (value) => typeof value === 'boolean'),
  null: (schema) => testOf(schema, (value) => value === null),
};

const anything: Read = (value) => value;

function testOf(schema: InputSchema, test: (value: unknown) => boolean): Read {
  return (value) => (test(value) ? value : new InputProblem('wrong', schema, value));
}

/** Characters beyond the basic plane, which are two units of a string, count as one. */
function stringTest({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: InputSchema) {
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  return (value: unknown) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    (value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength)) &&
    (expression === undefined || expression.test(value));
}

function numberTest(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: InputSchema,
  isOfKind: (value: unknown) => boolean,
) {
  return (value: unknown) => isOfKind(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function unionCheck(schema: InputSchema, members: readonly InputSchema[]): Read {
  const alternatives = members.filter(({ type }) => type !== 'null').map(readOf);
  const nullable = takesNull(schema);
  return (value) => {
    if (value === null && nullable) return null;
    let first: unknown;
    for (const read of alternatives) {
      const result = read(value);
      if (result !== ABSENT && !(result instanceof InputProblem)) return result;
      first ??= result;
    }
    // What is wrong inside the only alternative says more than that there is none.
    return alternatives.length === 1 && first instanceof InputProblem && first.at !== ''
      ? first
      : new InputProblem('wrong', schema, value);
  };
}

function listCheck(schema: InputSchema): Read {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const read = readOf(items);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
      return new InputProblem('wrong', schema, value);
    }
    let list: unknown[] = value;
    for (let index = 0; index < value.length; index += 1) {
      const given: unknown = value[index];
      const item = read(given);
      if (item instanceof InputProblem) return item.within(index);
      if (item === ABSENT) {
        // Null is a value where anything is.
        if (items.type === undefined && items.anyOf === undefined) continue;
        return new InputProblem('wrong', items, given).within(index);
      }
      if (item === given) continue;
      if (list === value) list = [...value];
      list[index] = item;
    }
    return list;
  };
}

function objectCheck(schema: InputSchema): Read {
  const ofMap = mapValue(schema);
  const check = ofMap === undefined ? membersCheck(schema) : mapCheck(schema, ofMap);
  const { minProperties = 0 } = schema;
  return (value) => {
    const fits = isObject(value) && (minProperties === 0 || Object.keys(value).length >= minProperties);
    return fits ? check(value) : new InputProblem('wrong', schema, value);
  };
}

/** The schema of the values of a free map; undefined when it is not one. */
export function mapValue(schema: InputSchema): InputSchema | undefined {
  return schema.patternProperties === undefined ? undefined : Object.values(schema.patternProperties)[0];
}

type ObjectRead = (value: Readonly<Record<string, unknown>>) => unknown;

function mapCheck(schema: InputSchema, ofMap: InputSchema): ObjectRead {
  const read = readOf(ofMap);
  const isFree = ofMap.type === undefined && ofMap.anyOf === undefined && ofMap[READING] === undefined;
  if (isFree) return anything as ObjectRead;
  return (value) => {
    const map: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(value)) {
      if (name === '__proto__') return new InputProblem('unknown', schema, given).within(name);
      const item = read(given);
      if (item instanceof InputProblem) return item.within(name);
      if (item === ABSENT) return new InputProblem('missing', ofMap, given).within(name);
      map[name] = item;
    }
    return map;
  };
}

function membersCheck(schema: InputSchema): ObjectRead {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    read: readOf(member),
    optional: !required.includes(name) || (member[READING]?.unchecked && !member[READING].refuse),
  }));
  const stray = (value: Readonly<Record<string, unknown>>) =>
    additionalProperties === undefined
      ? undefined
      : Object.keys(value).find(
          (name) => name === '__proto__' || !(additionalProperties || Object.hasOwn(properties, name)),
        );
  return (value) => {
    const unknown = stray(value);
    if (unknown !== undefined) return new InputProblem('unknown', schema, value[unknown]).within(unknown);
    // In the order in which they were sent: messages and logs of changes follow it.
    const object: Record<string, unknown> = additionalProperties ? { ...value } : {};
    for (const { name, schema: member, read, optional } of members) {
      const item = read(Object.hasOwn(value, name) ? value[name] : undefined);
      if (item instanceof InputProblem) return item.within(name);
      if (item !== ABSENT) object[name] = item;
      else if (optional) delete object[name];
      else return new InputProblem('missing', member, undefined).within(name);
    }
    return object;
  };
}

/** Returns the allowed values of a schema in words: `a whole number from 0 to 65535`. */
export function wordsOf(schema: InputSchema): string {
  if (schema.allowed !== undefined) return schema.allowed;
  if (schema.anyOf !== undefined) return alternativesOf(schema.anyOf);
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  return schema.type === undefined ? 'any value' : WORDS[schema.type](schema);
}

const WORDS: Readonly<Record<TypeName, (schema: InputSchema) => string>> = {
  object: () => 'an object',
  array: ({ items, minItems = 0 }) => `${minItems > 0 ? 'a list, not empty,' : 'a list'} of ${itemWords(items)}`,
  string: ({ minLength = 0 }) => (minLength > 0 ? 'a string, not empty' : 'a string'),
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  number: (schema) => `a number${rangeOf(schema)}`,
  boolean: () => 'true or false',
  null: () => 'null',
};

function alternativesOf(members: readonly InputSchema[]): string {
  const constants = members.filter((member) => 'const' in member);
  const others = members.filter((member) => !('const' in member) && member.type !== 'null').map(wordsOf);
  const words = constants.length === 0 ? others : [`one of ${constants.map((one) => one.const).join(', ')}`, ...others];
  return `${words.join(' or ')}${members.some(takesNull) ? ', or null' : ''}`;
}

function itemWords(items: InputSchema | undefined): string {
  const names = { object: 'objects', string: 'strings', integer: 'whole numbers', number: 'numbers' } as const;
  return names[items?.type as keyof typeof names] ?? 'values';
}

function rangeOf({ minimum, maximum }: InputSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  return maximum === undefined ? '' : ` up to ${maximum}`;
}

/** A value in a message: strings in quotes and shortened, of others their kind. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  return typeof value === 'object' ? 'an object' : String(value);
}
