import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { type FlatField, ID_FIELD, TEXT_FIELD } from '../../../documents/schema/field-types.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { IndexedValue } from '../../port/query-tree.ts';
import { type AnalysedKind, analyseValues, isAnalysed } from '../../query-language/analysis.ts';
import { type IndexedValueSink, visitIdentifier, visitIndexedValues } from '../../query-language/indexed-values.ts';
import type { DocumentRow } from '../documents/document-reader.ts';
import { type AccessValues, accessText, isAccessField } from './access-kinds.ts';
import { type ColumnKind, columnKindOf } from './column-tables.ts';
import { joinTokens, mappingColumnPath, mappingEntryPrefix } from './token-text.ts';

/** Pairs of row and value of one column for the documents of a batch, in order of rows. */
export interface BatchColumn {
  readonly path: string;
  readonly kind: ColumnKind;
  /** True if the field is declared to hold several values, or a document of the batch has several. */
  list: boolean;
  /** True if a document of the batch has a value there more than once. */
  repeats: boolean;
  readonly rows: number[];
  readonly values: IndexedValue[];
  /** The values of the last long list. */
  readonly known: Set<IndexedValue>;
}

/** The length above which a list is kept as a set, for a time linear in its length. */
const MAX_SCANNED_VALUES = 16;

/** The access kind of documents without access fields. */
const NO_ACCESS = accessText(new Map());

/** Extracts columns from documents without allocating an object for each document. */
export class ColumnBatch implements IndexedValueSink {
  readonly keys: number[] = [];
  readonly sequences: number[] = [];
  readonly identifiers: string[] = [];
  /** Texts of the access kinds of the documents. */
  readonly accessTexts: string[] = [];
  readonly #columns = new Map<string, BatchColumn>();
  readonly #byField = new Map<FlatField, BatchColumn | undefined>();
  readonly #texts = new Map<FlatField, string[]>();
  #copied: string[] = [];
  readonly #access: AccessValues = new Map();
  #row = 0;

  get size(): number {
    return this.keys.length;
  }

  get columns(): Iterable<BatchColumn> {
    return this.#columns.values();
  }

  column(path: string): BatchColumn | undefined {
    return this.#columns.get(path);
  }

  add(definition: CollectionDefinition<unknown>, { key, seq, id, json }: DocumentRow): void {
    this.#row = this.keys.length;
    this.keys.push(key);
    this.sequences.push(seq);
    this.identifiers.push(id);
    visitIndexedValues(definition, parseJson(json), this);
    visitIdentifier(definition, id, this);
    this.#addTexts();
    this.#addAccess();
  }

  value(field: FlatField, value: IndexedValue, path: string): void {
    let column = this.#byField.get(field);
    if (column === undefined && !this.#byField.has(field)) {
      column = this.#columnOf(field);
      this.#byField.set(field, column);
    }
    if (!column) {
      if (isAccessField(field.path)) this.#noteAccess(field.path, value);
      return;
    }
    this.#append(column, value);
    if (path === field.path) return;
    const entries = this.#make(mappingColumnPath(field.path), 'string', true);
    this.#append(entries, mappingEntryPrefix(path.slice(field.path.length + 1)) + String(value));
  }

  text(field: FlatField, text: string): void {
    const texts = this.#texts.get(field);
    if (texts) texts.push(text);
    else this.#texts.set(field, [text]);
  }

  copied(text: string): void {
    this.#copied.push(text);
  }

  #noteAccess(path: string, value: IndexedValue): void {
    const values = this.#access.get(path);
    if (values) values.push(value);
    else this.#access.set(path, [value]);
  }

  #addAccess(): void {
    this.accessTexts.push(this.#access.size === 0 ? NO_ACCESS : accessText(this.#access));
    this.#access.clear();
  }

  #addTexts(): void {
    for (const [field, texts] of this.#texts) {
      if (isAnalysed(field.searchKind)) this.#appendTokens(field.path, field.searchKind, texts);
    }
    this.#texts.clear();
    if (this.#copied.length === 0) return;
    this.#appendTokens(TEXT_FIELD, 'text', this.#copied);
    this.#copied = [];
  }

  #appendTokens(path: string, kind: AnalysedKind, texts: readonly string[]): void {
    this.#append(this.#make(path, 'text', false), joinTokens(analyseValues(kind, texts)));
  }

  #append(column: BatchColumn, value: IndexedValue): void {
    if (column.rows.at(-1) === this.#row) {
      column.list = true;
      column.repeats ||= this.#isRepeated(column, value);
    }
    column.rows.push(this.#row);
    column.values.push(value);
  }

  /** Returns whether the list holds the value. Short lists are scanned: a set takes twice as long. */
  #isRepeated({ rows, values, known }: BatchColumn, value: IndexedValue): boolean {
    if (rows.at(-MAX_SCANNED_VALUES) !== this.#row) {
      for (let at = rows.length - 1; rows[at] === this.#row; at -= 1) if (values[at] === value) return true;
      known.clear();
      return false;
    }
    if (known.size === 0) for (const earlier of values.slice(-MAX_SCANNED_VALUES)) known.add(earlier);
    const count = known.size;
    return known.add(value).size === count;
  }

  /** Returns undefined for fields without a column; identifier and access have fixed ones. */
  #columnOf(field: FlatField): BatchColumn | undefined {
    const kind = field.path === ID_FIELD || isAccessField(field.path) ? undefined : columnKindOf(field.searchKind);
    return kind && this.#make(field.path, kind, field.multiValued || field.type === 'mapping');
  }

  #make(path: string, kind: ColumnKind, list: boolean): BatchColumn {
    const known = this.#columns.get(path);
    if (known) return known;
    const column = { path, kind, list, repeats: false, rows: [], values: [], known: new Set<IndexedValue>() };
    this.#columns.set(path, column);
    return column;
  }
}
