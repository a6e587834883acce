import type { TSchema, Type as TypeBox } from 'typebox';

/** JSON schemas of the forms that settings and routes need, with the types that TypeBox infers from them. */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Intersect'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

type Schema = { readonly [keyword: string]: unknown };
type Schemas = { readonly [name: string]: Schema };

/** A copy of a schema that may be missing is not one of these: what is optional is the member, not the value. */
const optional = new WeakSet<Schema>();

function plain(type: string) {
  return (options?: Schema): Schema => ({ type, ...options });
}

function object(properties: Schemas, options?: Schema): Schema {
  const required = Object.entries(properties).flatMap(([name, schema]) => (optional.has(schema) ? [] : [name]));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
}

function maybe(schema: Schema): Schema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

/** What else is said of the object, such as its description, was said of the whole one. */
function partial({ properties }: { readonly properties: Schemas }): Schema {
  return object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, maybe(schema)])));
}

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Intersect: (allOf: readonly Schema[], options?: Schema) => ({ allOf, ...options }),
  Literal: (value: string | number | boolean, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  Optional: maybe,
  Partial: partial,
  /** Of texts: other keys are not known here. */
  Record: (_: TSchema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: plain('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/**
 * As `Type` of TypeBox, of which only the types are used: its own module brings 372 others, 12 MB of memory and a seventh of the
 * processor time of a start. The schemas are plain JSON and lack TypeBox's hidden marks, so its `Value` does not take them.
 */
export const Type = builders as unknown as Builders;
