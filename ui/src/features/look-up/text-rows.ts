/** A value that was found in the pasted input. */
export interface Selector {
  readonly type: string;
  /** Without defanging. */
  readonly value: string;
  /** Place in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Purpose of the network of an address that is not public. */
  readonly reserved?: string | undefined;
}

export interface TextPart {
  readonly text: string;
  readonly selector?: Selector | undefined;
}

/** Characters of a row where its width is not known: longer lines continue on the next one. */
const ROW_LENGTH = 96;
/** Below it, marks would leave no room for the characters. */
const MIN_ROW_LENGTH = 16;
/** Characters that the frame and the shape of a marked value take. */
const MARK_LENGTH = 3;
const TAB_LENGTH = 8;
/** Letters of Hangul and above are drawn up to twice as wide. */
const FIRST_WIDE = 0x1100;

/** Divides a string into rows of one height, so that only those in sight are drawn. */
export class TextRows {
  readonly #text: string;
  readonly #selectors: readonly Selector[];
  readonly #starts: number[] = [];
  /** Number of the line that begins at a row; 0 where a line continues. */
  readonly #lines: number[] = [];

  /** @param length characters that fit into a row */
  constructor(text: string, selectors: readonly Selector[], length = ROW_LENGTH) {
    this.#text = text;
    this.#selectors = selectors.toSorted((left, right) => left.start - right.start);
    for (let start = 0, line = 1; start <= text.length; line += 1) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      this.#starts.push(start);
      this.#lines.push(line);
      const room = Math.max(MIN_ROW_LENGTH, length);
      for (let at = this.#endOfRow(start, end, room); at < end; at = this.#endOfRow(at, end, room)) {
        this.#starts.push(at);
        this.#lines.push(0);
      }
      start = end + 1;
    }
  }

  /** Returns where a row ends, between words if it can; `end` where the rest fits. */
  #endOfRow(start: number, end: number, length: number): number {
    let room = length;
    let wordStart = start;
    let next = firstAfter(this.#selectors, start, (one) => one.end);
    for (let at = start; at < end; at += 1) {
      for (; (this.#selectors[next]?.start ?? end) <= at; next += 1) room -= MARK_LENGTH;
      const code = this.#text.charCodeAt(at);
      room -= code === 9 ? TAB_LENGTH : code < FIRST_WIDE ? 1 : 2;
      if (room >= 0 || at === start) {
        if (code === 9 || code === 32) wordStart = at + 1;
        continue;
      }
      if (wordStart > start) return wordStart;
      // Both halves of a surrogate pair stand on one row.
      return isSecondHalf(code) && at - 1 > start ? at - 1 : at;
    }
    return end;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Returns the number of the line that begins here; undefined where a line continues. */
  lineAt(row: number): number | undefined {
    return this.#lines[row] || undefined;
  }

  /** Returns the place of the text with which a row begins. */
  placeOf(row: number): number {
    return this.#starts[row] ?? this.#text.length;
  }

  /** Returns the row that shows a place of the text. */
  rowOf(place: number): number {
    return Math.max(0, firstAfter(this.#starts, place, (start) => start) - 1);
  }

  /** Returns a row as parts that are selectors and parts between them. */
  partsAt(row: number): TextPart[] {
    const start = this.placeOf(row);
    const next = this.placeOf(row + 1);
    const rowText = this.#text.slice(start, next).replace(/\r?\n$/, '');
    const end = start + rowText.length;
    const parts: TextPart[] = [];
    let at = start;
    for (let index = firstAfter(this.#selectors, start, (one) => one.end); at < end; index += 1) {
      const selector = this.#selectors[index];
      const from = Math.min(end, Math.max(at, selector?.start ?? end));
      if (from > at) parts.push({ text: this.#text.slice(at, from) });
      const to = Math.min(end, selector?.end ?? end);
      if (to > from) parts.push({ text: this.#text.slice(from, to), selector });
      at = Math.max(from, to);
    }
    return parts;
  }
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Returns the first index whose place is above the given one; the places ascend. */
function firstAfter<Item>(items: readonly Item[], place: number, placeOf: (item: Item) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && placeOf(item) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
