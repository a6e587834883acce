import type { CollectionDefinition, StoredDocument } from '../../documents/collection-definition.ts';
import {
  type FlatField,
  ID_FIELD,
  KEYWORD_IGNORE_ABOVE,
  type SearchKind,
  TEXT_FIELD,
} from '../../documents/field-types.ts';
import type { IndexedValue } from '../query-tree.ts';
import { analyseValues, isAnalysed, type Token } from './analysis.ts';
import { parseDate } from './date-parsing.ts';
import { parseAddress } from './ip-address.ts';
import { lowercase } from './lowercase.ts';
import { parseDecimal, parseWholePart, WHOLE_NUMBER_LIMITS } from './number-parsing.ts';

/** What the index knows of one document. */
export interface IndexedDocument {
  /**
   * Path → indexed values in the order of the document, repeated ones included; a path without an indexed value is absent. Text
   * and ssdeep fields are in `tokens` alone. The keys of a `mapping` field stand at `path.key`, and all its values at `path` too.
   */
  readonly values: ReadonlyMap<string, readonly IndexedValue[]>;
  /**
   * Path → tokens, for the text and ssdeep fields that have a value, and for `__text__`. The path of a field whose values hold no
   * word is present with an empty list: the field exists.
   */
  readonly tokens: ReadonlyMap<string, readonly Token[]>;
}

export interface IndexedValuesOptions {
  /** The document's identifier. Default: the definition's `idField`, else the property `id`. */
  readonly id?: string;
}

/**
 * What the index holds of a document, field by field: lists and objects in lists flattened, values in their indexed form. `null`,
 * properties that the definition does not know and values that a field cannot hold are not indexed.
 */
export function indexedValues<T>(
  definition: CollectionDefinition<T>,
  document: T,
  options: IndexedValuesOptions = {},
): IndexedDocument {
  const collector = new ValueCollector();
  const root = fieldTree(definition);
  if (isObject(document)) collector.object(root, document);
  const id = options.id ?? collector.first(definition.idField) ?? collector.first(ID_FIELD);
  if (typeof id === 'string') collector.values.set(ID_FIELD, [id]);
  return collector.finish();
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

class ValueCollector {
  readonly values = new Map<string, IndexedValue[]>();
  readonly #texts = new Map<FlatField, string[]>();
  readonly #copied: string[] = [];

  object(tree: FieldTree, object: StoredDocument): void {
    for (const [name, value] of Object.entries(object)) {
      const child = descend(tree, name);
      if (child) this.#any(child, value);
    }
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

  #any(tree: FieldTree, value: unknown): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#any(tree, item);
    } else if (tree.field?.type === 'mapping') {
      this.#mapping(tree.field, tree.field.path, value);
    } else if (isObject(value)) {
      this.object(tree, value);
    } else if (tree.field) {
      this.#leaf(tree.field, value);
    }
  }

  #mapping(field: FlatField, path: string, value: unknown): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#mapping(field, path, item);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) this.#mapping(field, `${path}.${key}`, inner);
    } else {
      this.#leaf(field, value, path);
    }
  }

  #leaf(field: FlatField, value: unknown, path = field.path): void {
    if (field.copyToText) this.#copied.push(String(value));
    if (!field.indexed) return;
    if (isAnalysed(field.searchKind)) {
      append(this.#texts, field, String(value));
      return;
    }
    const indexed = INDEXED_FORM[field.searchKind](value);
    if (indexed === undefined) return;
    append(this.values, field.path, indexed);
    if (path !== field.path) append(this.values, path, indexed);
  }
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
    const whole = wholeNumber(value, 'integer');
    return whole === undefined ? undefined : Number(whole);
  },
  long: (value) => wholeNumber(value, 'long'),
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

function wholeNumber(value: unknown, kind: keyof typeof WHOLE_NUMBER_LIMITS): bigint | undefined {
  // The text of a large number is rounded to the digits that tell it from its neighbours; its value is exact.
  const whole = Number.isFinite(value) ? BigInt(Math.trunc(Number(value))) : parseWholePart(String(value))?.whole;
  const { min, max } = WHOLE_NUMBER_LIMITS[kind];
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
