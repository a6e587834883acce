import { type TUnsafe, Type } from 'typebox';

import { ALL_DOCUMENTS } from './all-documents.ts';
import type { DocumentDefinition } from './schema/document-definition.ts';
import type { FieldSpec, GroupContent, ValueContent } from './schema/field-spec.ts';
import { FIELD_TYPES, type SearchKind } from './schema/field-types.ts';
import { regexOf } from './schema/values/patterns.ts';

type Schema = { readonly [keyword: string]: unknown };

/**
 * JSON schema of documents of a kind as they are answered.
 * Every object has a `title` that is unique among all kinds, so that a description of an interface can show it once.
 * Made once for a definition.
 */
export function jsonSchema<T>(definition: DocumentDefinition<T>): TUnsafe<T> {
  const known = objectSchemas.get(definition.root);
  return Type.Unsafe<T>(known ?? objectSchema(definition.root, definition.description));
}

const objectSchemas = new WeakMap<GroupContent, Schema>();
const titles = uniqueTitles();

function objectSchema(group: GroupContent, description: string): Schema {
  const known = objectSchemas.get(group);
  if (known !== undefined) return known;
  const fields = Object.entries(group.fields);
  const required = fields.filter(([, spec]) => !spec.optional).map(([name]) => name);
  const schema: Schema = {
    title: titles.get(group) ?? group.name,
    type: 'object',
    description,
    properties: Object.fromEntries(fields.map(([name, spec]) => [name, fieldSchema(spec)])),
    ...(required.length > 0 ? { required } : {}),
  };
  objectSchemas.set(group, schema);
  return schema;
}

function fieldSchema(spec: FieldSpec): Schema {
  const { content, description } = spec;
  const notes = { description, ...(spec.deprecated ? { deprecated: true } : {}) };
  if (content.kind === 'group') {
    const schema = objectSchema(content, description);
    return spec.list ? { type: 'array', items: schema, ...notes } : schema;
  }
  if (content.kind === 'mapping') {
    const item = content.item.content;
    const values = item.kind === 'group' ? objectSchema(item, content.item.description) : fieldSchema(content.item);
    return { type: 'object', additionalProperties: values, ...notes };
  }
  const value = valueSchema(content);
  return spec.list ? { type: 'array', items: value, ...notes } : { ...value, ...notes, ...defaultOf(spec) };
}

function defaultOf(spec: FieldSpec): Schema {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof spec.default) && spec.default !== 'NOW';
  return isPlain ? { default: spec.default } : {};
}

const TEXT: Schema = { type: 'string' };

const SCHEMAS: Readonly<Record<SearchKind, Schema>> = {
  keyword: TEXT,
  lowercase_keyword: TEXT,
  text: TEXT,
  ssdeep: TEXT,
  integer: { type: 'integer', format: 'int32' },
  long: { type: 'integer', format: 'int64' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  ip: TEXT,
  none: TEXT,
};
const EMAIL: Schema = { type: 'string', format: 'email' };

/** Longer patterns tell a reader nothing. */
const MAX_SHOWN_PATTERN_LENGTH = 100;

function valueSchema(content: ValueContent): Schema {
  const pattern = regexOf(content);
  return {
    ...(content.type === 'email' ? EMAIL : SCHEMAS[FIELD_TYPES[content.type].searchKind]),
    ...(content.values === undefined ? {} : { enum: content.values }),
    ...(content.minimum === undefined ? {} : { minimum: content.minimum }),
    ...(pattern === undefined || pattern.length > MAX_SHOWN_PATTERN_LENGTH ? {} : { pattern }),
  };
}

/** Kinds keep their name; of objects with one name the first does, later ones prefix their field's. */
function uniqueTitles(): ReadonlyMap<GroupContent, string> {
  const titleOf = new Map<GroupContent, string>();
  const taken = new Set<string>();
  const take = (group: GroupContent, ...wishes: string[]) => {
    const title = wishes.find((wish) => !taken.has(wish));
    if (title === undefined) throw new Error(`No free title for the object ${group.name}.`);
    taken.add(title);
    titleOf.set(group, title);
  };
  for (const definition of ALL_DOCUMENTS) take(definition.root, definition.title);
  const visit = (group: GroupContent, path: readonly string[]) => {
    if (!titleOf.has(group)) {
      const names = path.map(pascalCase);
      take(group, group.name, `${names.slice(-2).join('')}`, names.join(''));
    }
    for (const [name, { content }] of Object.entries(group.fields)) {
      const inner = content.kind === 'mapping' ? content.item.content : content;
      if (inner.kind === 'group') visit(inner, [...path, name]);
    }
  };
  for (const definition of ALL_DOCUMENTS) visit(definition.root, [definition.name]);
  return titleOf;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
