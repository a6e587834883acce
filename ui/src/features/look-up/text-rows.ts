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

/** Characters of a row: longer lines continue on the next one. */
const ROW_LENGTH = 96;

/** Divides a string into rows of one height, so that only those in sight are drawn. */
export class TextRows {
  readonly #text: string;
  readonly #selectors: readonly Selector[];
  readonly #starts: number[] = [];
  /** Number of the line that begins at a row; 0 where a line continues. */
  readonly #lines: number[] = [];

  constructor(text: string, selectors: readonly Selector[]) {
    this.#text = text;
    this.#selectors = selectors.toSorted((left, right) => left.start - right.start);
    for (let start = 0, line = 1; start <= text.length; line += 1) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      this.#starts.push(start);
      this.#lines.push(line);
      for (let at = start + ROW_LENGTH; at < end; at += ROW_LENGTH) {
        this.#starts.push(at);
        this.#lines.push(0);
      }
      start = end + 1;
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Returns the number of the line that begins here; undefined where a line continues. */
  lineAt(row: number): number | undefined {
    return this.#lines[row] || undefined;
  }

  /** Returns the row that shows a place of the text. */
  rowOf(place: number): number {
    return Math.max(0, firstAfter(this.#starts, place, (start) => start) - 1);
  }

  /** Returns a row as parts that are selectors and parts between them. */
  partsAt(row: number): TextPart[] {
    const start = this.#starts[row] ?? this.#text.length;
    const next = this.#starts[row + 1] ?? this.#text.length;
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
