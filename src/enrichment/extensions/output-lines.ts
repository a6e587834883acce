/** Splits output that arrives in chunks into lines. Blank lines are left out. */
export class OutputLines {
  readonly #onLine: (line: string) => void;
  readonly #maxLength: number;
  #line = '';

  /** @param maxLength characters of a line; the rest of a longer one is dropped */
  constructor(onLine: (line: string) => void, maxLength: number) {
    this.#onLine = onLine;
    this.#maxLength = maxLength;
  }

  add(chunk: string): void {
    const [first = '', ...others] = chunk.split('\n');
    this.#append(first);
    for (const part of others) {
      this.end();
      this.#append(part);
    }
  }

  /** Passes on the line that has no line feed yet. */
  end(): void {
    const line = this.#line.replace(/\r$/, '');
    this.#line = '';
    if (line.trim() !== '') this.#onLine(line);
  }

  #append(part: string): void {
    this.#line += part.slice(0, Math.max(0, this.#maxLength - this.#line.length));
  }
}
