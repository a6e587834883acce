import duckdb from '@duckdb/node-bindings';
import type { IndexedValue } from '../../port/query-tree.ts';
import type { ColumnKind, ColumnType } from './column-types.ts';

type Vector = duckdb.Vector;

/** Sparse values: the rows that have one, ascending; in lists several times. */
export interface SparseValues {
  readonly rows: readonly number[];
  readonly values: readonly IndexedValue[];
}

const NO_VALUES: SparseValues = { rows: [], values: [] };
const STRING_BYTES = 16;
/** Strings up to here lie inside the vector, longer ones behind a pointer. */
const INLINE_BYTES = 12;
const WORD = 2 ** 32;

/**
 * Fills the vectors of a data chunk. The client's own vectors keep an object for each value and compute validity with bigints,
 * which costs several times what the database needs to store the rows.
 */
export function fillVector(vector: Vector, type: ColumnType, rowCount: number, given: SparseValues | undefined): void {
  const values = given ?? NO_VALUES;
  if (type.list) fillList(vector, type.kind, rowCount, values);
  else fillScalars(vector, type.kind, rowCount, values);
}

/** The values of a column in which every row has one. */
export function denseValues(values: readonly IndexedValue[]): SparseValues {
  return { rows: values.map((_, row) => row), values };
}

function fillScalars(vector: Vector, kind: ColumnKind, rowCount: number, { rows, values }: SparseValues): void {
  writeValidity(vector, rowCount, rows);
  if (rows.length > 0) WRITERS[kind](vector, rowCount, rows, values);
}

function fillList(vector: Vector, kind: ColumnKind, rowCount: number, { rows, values }: SparseValues): void {
  writeValidity(vector, rowCount, rows);
  const total = values.length;
  duckdb.list_vector_reserve(vector, total);
  duckdb.list_vector_set_size(vector, total);
  // Offset and length of each row, 64 bits each; both stay far below 32 bits.
  const entries = new Uint32Array(rowCount * 4);
  for (let at = 0; at < total; at += 1) {
    const entry = (rows[at] ?? 0) * 4;
    if (entries[entry + 2] === 0) entries[entry] = at;
    entries[entry + 2] = (entries[entry + 2] ?? 0) + 1;
  }
  copy(vector, entries);
  if (total === 0) return;
  const places = values.map((_, at) => at);
  WRITERS[kind](duckdb.list_vector_get_child(vector), total, places, values);
}

function writeValidity(vector: Vector, rowCount: number, rows: readonly number[]): void {
  if (isEveryRow(rowCount, rows)) return;
  const bits = new Uint32Array(2 * Math.ceil(rowCount / 64));
  for (const row of rows) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, bits.buffer, 0, bits.byteLength);
}

function isEveryRow(rowCount: number, rows: readonly number[]): boolean {
  if (rows.length < rowCount) return false;
  let distinct = 0;
  for (let at = 0; at < rows.length; at += 1) if (rows[at] !== rows[at - 1]) distinct += 1;
  return distinct === rowCount;
}

type Writer = (vector: Vector, size: number, places: readonly number[], values: readonly IndexedValue[]) => void;

const WRITERS: Record<ColumnKind, Writer> = {
  text: writeStrings,
  string: writeStrings,
  whole: writeWhole,
  float(vector, size, places, values) {
    const data = new Float32Array(size);
    for (let at = 0; at < places.length; at += 1) data[places[at] ?? 0] = values[at] as number;
    copy(vector, data);
  },
  boolean(vector, size, places, values) {
    const data = new Uint8Array(size);
    for (let at = 0; at < places.length; at += 1) data[places[at] ?? 0] = values[at] === true ? 1 : 0;
    copy(vector, data);
  },
};

function writeWhole(vector: Vector, size: number, places: readonly number[], values: readonly IndexedValue[]): void {
  const data = new BigInt64Array(size);
  const words = new Int32Array(data.buffer);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    const value = values[at];
    if (typeof value === 'number') {
      words[2 * place] = (value % WORD) | 0;
      words[2 * place + 1] = Math.floor(value / WORD);
    } else {
      data[place] = value as bigint;
    }
  }
  copy(vector, data);
}

/** Short strings are written here, the others by the database, which owns what their pointers point at. */
function writeStrings(vector: Vector, size: number, places: readonly number[], values: readonly IndexedValue[]): void {
  const data = new Uint8Array(size * STRING_BYTES);
  const long: number[] = [];
  for (let at = 0; at < places.length; at += 1) {
    if (!writeInline(data, (places[at] ?? 0) * STRING_BYTES, values[at] as string)) long.push(at);
  }
  copy(vector, data);
  for (const at of long) duckdb.vector_assign_string_element(vector, places[at] ?? 0, values[at] as string);
}

function writeInline(data: Uint8Array, start: number, text: string): boolean {
  const { length } = text;
  if (length > INLINE_BYTES) return false;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 127) {
      data.fill(0, start, start + STRING_BYTES);
      return false;
    }
    data[start + 4 + at] = unit;
  }
  data[start] = length;
  return true;
}

function copy(vector: Vector, data: Uint8Array | Uint32Array | Float32Array | BigInt64Array): void {
  duckdb.copy_data_to_vector(vector, 0, data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}
