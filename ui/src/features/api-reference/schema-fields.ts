import { nameOf, type OpenApiDocument, resolved, type Schema } from './openapi.ts';

/** One member of a body or an answer. */
export interface SchemaField {
  /** Dotted path; `[]` are the members of a list, `*` any name. Empty: the whole value. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface SchemaFields {
  readonly fields: readonly SchemaField[];
  /** True: there are more than the page draws. */
  readonly isCut: boolean;
}

const MAX_FIELDS = 150;
const MAX_DEPTH = 4;
const MAX_VALUES = 12;

/** Returns the members of a schema in lines. Deep, long and cyclic ones are cut. */
export function schemaFields(document: OpenApiDocument, schema: Schema): SchemaFields {
  const fields: SchemaField[] = [];
  let isCut = false;

  const add = (path: string, given: Schema, isRequired: boolean, above: readonly string[]) => {
    if (fields.length >= MAX_FIELDS) {
      isCut = true;
      return;
    }
    const names = given.$ref === undefined ? above : [...above, given.$ref];
    const isCycle = given.$ref !== undefined && above.includes(given.$ref);
    const whole = merged(document, given);
    const type = typeOf(document, given);
    if (path !== '' || whole.properties === undefined) {
      fields.push({ path, type, isRequired, description: given.description ?? whole.description ?? '' });
    }
    const depth = path.split('.').length;
    if (isCycle || (depth >= MAX_DEPTH && path !== '')) return;
    addMembers(path, whole, names);
  };

  const addMembers = (path: string, schema: Schema, above: readonly string[]) => {
    const prefix = path === '' ? '' : `${path}.`;
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      add(`${prefix}${name}`, member, schema.required?.includes(name) ?? false, above);
    }
    for (const member of Object.values(schema.patternProperties ?? {})) {
      const inner = merged(document, member);
      if (hasMembers(inner)) add(`${prefix}*`, member, false, above);
    }
    if (schema.items === undefined) return;
    const items = merged(document, schema.items);
    const isKnown = schema.items.$ref !== undefined && above.includes(schema.items.$ref);
    if (isKnown || !hasMembers(items)) return;
    addMembers(`${path}[]`, items, schema.items.$ref === undefined ? above : [...above, schema.items.$ref]);
  };

  add('', schema, true, []);
  if (fields.length === 0) fields.push({ path: '', type: typeOf(document, schema), isRequired: true, description: '' });
  return { fields, isCut };
}

function hasMembers({ properties, patternProperties, items }: Schema): boolean {
  return properties !== undefined || patternProperties !== undefined || items !== undefined;
}

/** Returns a schema with the members of those that it is made of, or of its only alternative. */
function merged(document: OpenApiDocument, given: Schema): Schema {
  const schema = resolved(document, given) ?? {};
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = alternatives;
  const parts = [...(schema.allOf ?? []), ...(alternatives.length === 1 && only !== undefined ? [only] : [])];
  const inner = parts.flatMap((part) => resolved(document, part) ?? []);
  if (inner.length === 0) return schema;
  const properties = Object.assign({}, ...[...inner, schema].map((one) => one.properties));
  const whole: Schema = Object.assign({}, ...inner, schema);
  return Object.keys(properties).length === 0 ? whole : { ...whole, properties };
}

/** Returns the type of a value as people read it: `string`, `list of integer`, `a | b`. */
export function typeOf(document: OpenApiDocument, schema: Schema, depth = 0): string {
  if (depth > MAX_DEPTH) return '…';
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return joined(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return joined([...new Set(alternatives.map((one) => typeOf(document, one, depth + 1)))]);
  }
  if (schema.type === 'array') return `${schema.items ? typeOf(document, schema.items, depth + 1) : ''}[]`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' | ') ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function joined(parts: readonly string[]): string {
  return parts.length > MAX_VALUES ? `${parts.slice(0, MAX_VALUES).join(' | ')} | …` : parts.join(' | ');
}
