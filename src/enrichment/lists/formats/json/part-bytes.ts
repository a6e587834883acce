/** Bytes of one part, at most. Larger ones are skipped. */
export const MAX_PART = 1_048_576;

/** Collects the bytes of a part, which may be spread over several chunks. */
export class PartBytes {
  readonly #onTooLarge: () => void;
  #chunks: Buffer[] = [];
  #length = 0;
  #isTooLarge = false;

  /** @param onTooLarge called once for each part that is too large, which is not kept */
  constructor(onTooLarge: () => void) {
    this.#onTooLarge = onTooLarge;
  }

  add(bytes: Buffer): void {
    if (this.#isTooLarge || bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length <= MAX_PART) {
      this.#chunks.push(bytes);
      return;
    }
    this.#isTooLarge = true;
    this.#chunks = [];
    this.#onTooLarge();
  }

  /** Returns the bytes of the part, undefined if it is too large, and begins the next part. */
  take(): Buffer | undefined {
    const [first] = this.#chunks;
    const isWhole = this.#chunks.length === 1 && first !== undefined;
    const bytes = this.#isTooLarge ? undefined : isWhole ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    this.#isTooLarge = false;
    return bytes;
  }
}
