import { type TSchema, Type } from 'typebox';

interface Described {
  readonly description?: string;
}

/** A value of the schema, or null. */
export function nullable<Schema extends TSchema>(schema: Schema, options: Described = {}) {
  return Type.Union([schema, Type.Null()], { ...options });
}

/** A string, or null. */
export function nullableText(description: string) {
  return nullable(Type.String(), { description });
}
