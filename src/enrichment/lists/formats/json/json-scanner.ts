import { isUtf8 } from 'node:buffer';
import { ListProblem } from '../../list-entry.ts';
import { PartBytes } from './part-bytes.ts';

/**
 * The parts of a JSON document that are read. A string names a part. An object has the shapes of
 * values by key, those of the items of a list under `[]`, and under `}` the name of a part without a
 * value that marks the end.
 */
export type JsonShape = string | { readonly [key: string]: JsonShape };

export interface JsonPart {
  readonly name: string;
  readonly value: unknown;
  /** Its length in the document. */
  readonly bytes: number;
}

/** Objects and lists inside each other, at most. */
const MAX_DEPTH = 100;
const MAX_KEY = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

type Expectation = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'next';

interface Level {
  readonly isList: boolean;
  /** Undefined: nothing in it is read. */
  readonly shape: Exclude<JsonShape, string> | undefined;
  /** Shape of the value that comes next. */
  child: JsonShape | undefined;
}

/**
 * Reads JSON chunk by chunk and returns the parts that a shape names. Only the part that is read is in
 * memory.
 */
export class JsonScanner {
  readonly #place: string;
  readonly #root: JsonShape;
  readonly #bytes: PartBytes;
  readonly #levels: Level[] = [];
  #expected: Expectation = 'value';
  #isEmpty = true;
  /** Bytes before the current chunk. */
  #offset = 0;
  /** The word outside of strings or the string that a chunk ends in. */
  #token: 'none' | 'word' | 'string' | 'key' = 'none';
  #isEscaped = false;
  /** Name of the part that is read, its level, and where it began in this chunk. */
  #part: string | undefined;
  #partDepth = 0;
  #start = 0;
  /** Place in this chunk where the key that matters began; -1 when none does. */
  #keyStart = -1;
  #keyBefore = '';
  #parts: JsonPart[] = [];

  constructor(place: string, shape: JsonShape, onTooLarge: () => void) {
    this.#place = place;
    this.#root = shape;
    this.#bytes = new PartBytes(onTooLarge);
  }

  /** Returns the parts that end in a chunk. @throws ListProblem for bytes that are not JSON */
  read(chunk: Buffer): readonly JsonPart[] {
    this.#parts = [];
    this.#start = 0;
    if (this.#keyStart !== -1) this.#keyStart = 0;
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
    if (this.#part !== undefined) this.#bytes.add(chunk.subarray(this.#start));
    if (this.#keyStart !== -1)
      this.#keyBefore += chunk.toString('latin1', this.#keyStart, this.#keyStart + MAX_KEY + 1);
    this.#offset += chunk.length;
    return this.#parts;
  }

  /** Returns a number or word that the document ends with. @throws ListProblem for half a document */
  end(): readonly JsonPart[] {
    this.#parts = [];
    const isOpen = this.#levels.length > 0 || this.#token === 'string' || this.#token === 'key';
    if (isOpen) throw new ListProblem(this.#place, `it ends in the middle, after ${this.#offset} bytes`);
    if (this.#token === 'word') this.#endValue(Buffer.alloc(0), 0);
    if (this.#isEmpty) throw new ListProblem(this.#place, 'it is empty');
    return this.#parts;
  }

  /** Reads a token, or as much of it as the chunk has, and returns the place after it. */
  #step(chunk: Buffer, at: number): number {
    if (this.#token === 'string' || this.#token === 'key') return this.#readString(chunk, at);
    if (this.#token === 'word') return this.#readWord(chunk, at);
    const byte = chunk[at] ?? 0;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    this.#isEmpty = false;
    switch (this.#expected) {
      case 'next':
        return this.#readNext(chunk, at, byte);
      case 'colon':
        if (byte !== COLON) throw this.#problem(at, 'a colon is missing');
        this.#expected = 'value';
        return at + 1;
      case 'key or end':
        if (byte === CLOSE_OBJECT) return this.#close(chunk, at, byte);
        return this.#beginKey(at, byte);
      case 'key':
        return this.#beginKey(at, byte);
      case 'value or end':
        if (byte === CLOSE_LIST) return this.#close(chunk, at, byte);
        return this.#beginValue(at, byte);
      default:
        return this.#beginValue(at, byte);
    }
  }

  #beginKey(at: number, byte: number): number {
    if (byte !== QUOTE) throw this.#problem(at, 'a key in quotes is missing');
    this.#token = 'key';
    if (this.#part === undefined && this.#levels.at(-1)?.shape !== undefined) {
      this.#keyStart = at + 1;
      this.#keyBefore = '';
    }
    return at + 1;
  }

  #beginValue(at: number, byte: number): number {
    const level = this.#levels.at(-1);
    const shape = level === undefined ? this.#root : level.child;
    const isContainer = byte === OPEN_OBJECT || byte === OPEN_LIST;
    if (this.#part === undefined && typeof shape === 'string') {
      this.#part = shape;
      this.#partDepth = this.#levels.length;
      this.#start = at;
    }
    if (isContainer) {
      if (this.#levels.length >= MAX_DEPTH) throw this.#problem(at, `it is nested more than ${MAX_DEPTH} levels deep`);
      const isList = byte === OPEN_LIST;
      const entered = this.#part === undefined && typeof shape === 'object' ? shape : undefined;
      this.#levels.push({ isList, shape: entered, child: isList ? entered?.['[]'] : undefined });
      this.#expected = isList ? 'value or end' : 'key or end';
      return at + 1;
    }
    const isWord = byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a);
    if (byte !== QUOTE && !isWord) throw this.#problem(at, 'a value is missing');
    this.#token = byte === QUOTE ? 'string' : 'word';
    return at + 1;
  }

  #readString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) {
        const isKey = this.#token === 'key';
        this.#token = 'none';
        if (isKey) this.#endKey(chunk, at);
        else this.#endValue(chunk, at + 1);
        return at + 1;
      }
      if (byte === BACKSLASH) {
        at += 1;
        if (at >= chunk.length) this.#isEscaped = true;
      }
    }
    return at;
  }

  #readWord(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const isEnd = byte <= 0x20 || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST;
      if (!isEnd) continue;
      this.#endValue(chunk, at);
      return at;
    }
    return at;
  }

  #endKey(chunk: Buffer, at: number): void {
    this.#expected = 'colon';
    const level = this.#levels.at(-1);
    if (this.#keyStart === -1 || level === undefined) return;
    const key = this.#keyBefore + chunk.toString('latin1', this.#keyStart, at);
    this.#keyStart = -1;
    const isOwn = key !== '[]' && key !== '}' && level.shape !== undefined && Object.hasOwn(level.shape, key);
    level.child = isOwn ? level.shape?.[key] : undefined;
  }

  #endValue(chunk: Buffer, end: number): void {
    this.#token = 'none';
    this.#expected = this.#levels.length === 0 ? 'value' : 'next';
    if (this.#part === undefined || this.#partDepth !== this.#levels.length) return;
    this.#bytes.add(chunk.subarray(this.#start, end));
    const bytes = this.#bytes.take();
    if (bytes !== undefined)
      this.#parts.push({ name: this.#part, value: this.#parsed(bytes, end), bytes: bytes.length });
    this.#part = undefined;
  }

  #readNext(chunk: Buffer, at: number, byte: number): number {
    if (byte !== COMMA) return this.#close(chunk, at, byte);
    this.#expected = this.#levels.at(-1)?.isList === true ? 'value' : 'key';
    return at + 1;
  }

  #close(chunk: Buffer, at: number, byte: number): number {
    const level = this.#levels.at(-1);
    if (byte !== (level?.isList === true ? CLOSE_LIST : CLOSE_OBJECT)) {
      throw this.#problem(at, 'a comma or a closing bracket is missing');
    }
    this.#levels.pop();
    const end = level?.shape?.['}'];
    if (typeof end === 'string') this.#parts.push({ name: end, value: undefined, bytes: 0 });
    this.#endValue(chunk, at + 1);
    return at + 1;
  }

  #parsed(bytes: Buffer, end: number): unknown {
    const reason = isUtf8(bytes) ? 'it has a part that is not JSON' : 'it is not valid UTF-8';
    try {
      if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8'));
    } catch {}
    throw new ListProblem(this.#place, `${reason}, before byte ${this.#offset + end + 1}`);
  }

  #problem(at: number, reason: string): ListProblem {
    return new ListProblem(`${this.#place}, byte ${this.#offset + at + 1}`, `it is not JSON: ${reason}`);
  }
}
