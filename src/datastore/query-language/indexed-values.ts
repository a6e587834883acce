import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import {
  type FlatField,
  ID_FIELD,
  KEYWORD_IGNORE_ABOVE,
  type SearchKind,
  TEXT_FIELD,
} from '../../documents/schema/field-types.ts';
import type { IndexedValue } from '../port/query-tree.ts';
import { lowercase } from '../regular-language/code-points.ts';
import { analyseValues, isAnalysed, type Token } from './analysis.ts';
import { parseDate } from './date-parsing.ts';
import { parseAddress } from './ip-address.ts';
import { INTEGER_LIMITS, parseDecimal, parseIntegerPart } from './number-parsing.ts';
import { firstTokens } from './standard-tokenizer.ts';

/** The indexed values of one document. */
export interface IndexedDocument {
  /**
   * Indexed values by path, in the order of the document. Those of text are in `tokens` alone.
   * The keys of a `mapping` field stand at `path.key`, and all its values at `path` too.
   */
  readonly values: ReadonlyMap<string, readonly IndexedValue[]>;
  /** Tokens of text fields and `__text__` by path; a value without a word gives an empty list. */
  readonly tokens: ReadonlyMap<string, readonly Token[]>;
}

/**
 * Returns the indexed values of a document by field, with lists and objects in lists flattened.
 * `null`, unknown properties and values that a field cannot hold are not indexed.
 */
export function indexedValues<T>(
  definition: CollectionDefinition<T>,
  document: T,
  options: { readonly id?: string } = {},
): IndexedDocument {
  const collector = new ValueCollector();
  visitIndexedValues(definition, document, collector);
  const id = options.id ?? collector.first(definition.idField) ?? collector.first(ID_FIELD);
  if (typeof id === 'string') visitIdentifier(definition, id, collector);
  if (typeof id === 'string') collector.values.set(ID_FIELD, [id]);
  return collector.finish();
}

/** Takes what is indexed of a document, in its order. */
export interface IndexedValueSink {
  /** A value in its indexed form. `path` is the field's, or lies below it for a key of a `mapping` field. */
  value(field: FlatField, value: IndexedValue, path: string): void;
  /** A value of an analysed field. */
  text(field: FlatField, text: string): void;
  /** A value that goes into `__text__` too. */
  copied(text: string): void;
}

/** Passes the values of `indexedValues` to `sink` one by one, except for the identifier. */
export function visitIndexedValues<T>(definition: CollectionDefinition<T>, document: T, sink: IndexedValueSink): void {
  if (isObject(document)) visitObject(fieldTree(definition), document, sink);
}

/** Passes the identifier to `sink` where words without a field name find it. */
export function visitIdentifier(
  { fieldByPath, idField }: CollectionDefinition<never> | CollectionDefinition<unknown>,
  id: string,
  sink: Pick<IndexedValueSink, 'copied'>,
): void {
  if (!fieldByPath.get(ID_FIELD)?.copyToText) return;
  // The property that repeats it is copied already.
  if (idField === undefined || !fieldByPath.get(idField)?.copyToText) sink.copied(id);
}

interface FieldTree {
  readonly children: Map<string, FieldTree>;
  field?: FlatField;
}

const TREES = new WeakMap<object, FieldTree>();

function fieldTree(definition: CollectionDefinition<never> | CollectionDefinition<unknown>): FieldTree {
  const known = TREES.get(definition);
  if (known) return known;
  const root: FieldTree = { children: new Map() };
  for (const field of definition.fields) {
    let node = root;
    for (const name of field.path.split('.')) {
      const child = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.field = field;
  }
  TREES.set(definition, root);
  return root;
}

class ValueCollector implements IndexedValueSink {
  readonly values = new Map<string, IndexedValue[]>();
  readonly #texts = new Map<FlatField, string[]>();
  readonly #copied: string[] = [];

  value(field: FlatField, value: IndexedValue, path: string): void {
    append(this.values, field.path, value);
    if (path !== field.path) append(this.values, path, value);
  }

  text(field: FlatField, text: string): void {
    append(this.#texts, field, text);
  }

  copied(text: string): void {
    this.#copied.push(text);
  }

  first(path: string | undefined): IndexedValue | undefined {
    return path === undefined ? undefined : this.values.get(path)?.[0];
  }

  finish(): IndexedDocument {
    const tokens = new Map<string, readonly Token[]>();
    for (const [field, texts] of this.#texts) {
      if (isAnalysed(field.searchKind)) tokens.set(field.path, analyseValues(field.searchKind, texts));
    }
    if (this.#copied.length > 0) tokens.set(TEXT_FIELD, analyseValues('text', this.#copied));
    return { values: this.values, tokens };
  }
}

function visitObject(tree: FieldTree, object: StoredDocument, sink: IndexedValueSink): void {
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const child = descend(tree, name);
    if (child) visitAny(child, object[name], sink);
  }
}

function visitAny(tree: FieldTree, value: unknown, sink: IndexedValueSink): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) visitAny(tree, item, sink);
  } else if (tree.field?.type === 'mapping') {
    visitMapping(tree.field, tree.field.path, value, sink);
  } else if (isObject(value)) {
    visitObject(tree, value, sink);
  } else if (tree.field) {
    visitLeaf(tree.field, value, tree.field.path, sink);
  }
}

function visitMapping(field: FlatField, path: string, value: unknown, sink: IndexedValueSink): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) visitMapping(field, path, item, sink);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) visitMapping(field, `${path}.${key}`, inner, sink);
  } else {
    visitLeaf(field, value, path, sink);
  }
}

function visitLeaf(field: FlatField, value: unknown, path: string, sink: IndexedValueSink): void {
  const { searchedTokens: most } = field;
  const text = () => (most === undefined ? String(value) : firstTokens(String(value), most));
  if (field.copyToText) sink.copied(text());
  if (!field.indexed) return;
  if (isAnalysed(field.searchKind)) {
    sink.text(field, text());
    return;
  }
  const indexed = INDEXED_FORM[field.searchKind](value);
  if (indexed !== undefined) sink.value(field, indexed, path);
}

/** A property name may be dotted: `{"a.b": 1}` is `{"a": {"b": 1}}`. */
function descend(tree: FieldTree, name: string): FieldTree | undefined {
  const child = tree.children.get(name);
  if (child || !name.includes('.')) return child;
  return name.split('.').reduce<FieldTree | undefined>((node, part) => node?.children.get(part), tree);
}

type IndexedForm = (value: unknown) => IndexedValue | undefined;

const INDEXED_FORM: Record<SearchKind, IndexedForm> = {
  keyword: (value) => shortKeyword(String(value)),
  lowercase_keyword: (value) => {
    const kept = shortKeyword(String(value));
    return kept === undefined ? undefined : lowercase(kept);
  },
  text: () => undefined,
  ssdeep: () => undefined,
  integer: (value) => {
    const whole = integer(value, 'integer');
    return whole === undefined ? undefined : Number(whole);
  },
  long: (value) => integer(value, 'long'),
  float: (value) => {
    const number = Math.fround(typeof value === 'number' ? value : (parseDecimal(String(value)) ?? Number.NaN));
    return Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    if (value === 'true') return true;
    return value === 'false' || value === '' ? false : undefined;
  },
  date: (value) => (value instanceof Date ? value.getTime() : parseDate(String(value))),
  ip: (value) => parseAddress(String(value)),
  none: () => undefined,
};

function shortKeyword(text: string): string | undefined {
  return text.length > KEYWORD_IGNORE_ABOVE ? undefined : text;
}

function integer(value: unknown, kind: keyof typeof INTEGER_LIMITS): bigint | undefined {
  // The text of a large number is rounded to the digits that tell it from its neighbours; its value is exact.
  const whole = Number.isFinite(value) ? BigInt(Math.trunc(Number(value))) : parseIntegerPart(String(value))?.whole;
  const { min, max } = INTEGER_LIMITS[kind];
  return whole === undefined || whole < min || whole > max ? undefined : whole;
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function isObject(value: unknown): value is StoredDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
