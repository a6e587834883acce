const WINDOW = 7;
const MIN_BLOCK_SIZE = 3;
/** Characters of a part of the hash; the second part has half as many. */
const LENGTH = 64;
const HALF = LENGTH / 2;
/** Block sizes 3, 6, 12 and so on; enough for files of 192 GiB. */
const MAX_BLOCKS = 31;
/** The lowest six bits of the initial value of the hash of a block: only they reach the output. */
const INITIAL = 0x27;
const PRIME = 0x13;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Computes ssdeep, a context-triggered piecewise hash, of a stream of known length.
 * Source: Kornblum, Identifying almost identical files using context triggered piecewise hashing, 2006. Only block sizes
 * that can still appear in the hash are followed, as in ssdeep 2.14.
 */
export class SsdeepHash {
  readonly #size: number;
  /** Index of the smallest and behind the largest block size that is followed. */
  #first = 0;
  #end = 1;
  readonly #hashes = new Uint8Array(MAX_BLOCKS).fill(INITIAL);
  readonly #halfHashes = new Uint8Array(MAX_BLOCKS).fill(INITIAL);
  readonly #lengths = new Uint8Array(MAX_BLOCKS);
  /** Codes of the characters by block size; -1 where there is none. */
  readonly #codes = new Int8Array(MAX_BLOCKS * LENGTH).fill(-1);
  readonly #halfCodes = new Int8Array(MAX_BLOCKS).fill(-1);
  readonly #window = new Uint8Array(WINDOW);
  #position = 0;
  #sum1 = 0;
  #sum2 = 0;
  #sum3 = 0;

  /** @param size bytes that will come */
  constructor(size: number) {
    this.#size = size;
  }

  update(chunk: Uint8Array): void {
    const window = this.#window;
    const hashes = this.#hashes;
    const halves = this.#halfHashes;
    let position = this.#position;
    let sum1 = this.#sum1;
    let sum2 = this.#sum2;
    let sum3 = this.#sum3;
    let first = this.#first;
    let end = this.#end;
    let firstSize = MIN_BLOCK_SIZE * 2 ** first;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      sum2 = (sum2 - sum1 + WINDOW * byte) | 0;
      sum1 = sum1 + byte - (window[position] as number);
      window[position] = byte;
      position = position === WINDOW - 1 ? 0 : position + 1;
      sum3 = (sum3 << 5) ^ byte;
      for (let block = first; block < end; block += 1) {
        hashes[block] = (((hashes[block] as number) * PRIME) ^ byte) & 63;
        halves[block] = (((halves[block] as number) * PRIME) ^ byte) & 63;
      }
      const rolled = (sum1 + sum2 + sum3) >>> 0;
      if (rolled % firstSize !== firstSize - 1) continue;
      this.#endPieces(rolled, firstSize);
      first = this.#first;
      end = this.#end;
      firstSize = MIN_BLOCK_SIZE * 2 ** first;
    }
    this.#position = position;
    this.#sum1 = sum1;
    this.#sum2 = sum2;
    this.#sum3 = sum3;
  }

  /** Returns `block size:hash:hash for twice that size`. */
  digest(): string {
    let block = this.#first;
    while (MIN_BLOCK_SIZE * 2 ** block * LENGTH < this.#size && block < MAX_BLOCKS - 1) block += 1;
    block = Math.min(block, this.#end - 1);
    while (block > this.#first && (this.#lengths[block] as number) < HALF) block -= 1;

    const isPieceOpen = (this.#sum1 + this.#sum2 + this.#sum3) >>> 0 !== 0;
    const length = this.#lengths[block] as number;
    const last = isPieceOpen ? this.#hashes[block] : this.#codes[block * LENGTH + length];
    const whole = this.#characters(block, length) + characterOf(last);
    let half = '';
    if (block < this.#end - 1) {
      const shortened = Math.min(this.#lengths[block + 1] as number, HALF - 1);
      const lastOfHalf = isPieceOpen ? this.#halfHashes[block + 1] : this.#halfCodes[block + 1];
      half = this.#characters(block + 1, shortened) + characterOf(lastOfHalf);
    } else if (isPieceOpen) half = characterOf(this.#hashes[block]);
    return `${MIN_BLOCK_SIZE * 2 ** block}:${whole}:${half}`;
  }

  #characters(block: number, length: number): string {
    let text = '';
    for (let at = 0; at < length; at += 1) text += characterOf(this.#codes[block * LENGTH + at]);
    return text;
  }

  /** Ends the piece of every block size that the rolling hash is a boundary of. */
  #endPieces(rolled: number, firstSize: number): void {
    let blockSize = firstSize;
    for (let block = this.#first; block < this.#end; block += 1) {
      if (rolled % blockSize !== blockSize - 1) return;
      this.#endPiece(block);
      blockSize *= 2;
    }
  }

  #endPiece(block: number): void {
    const length = this.#lengths[block] as number;
    if (length === 0) this.#followNext(block);
    this.#codes[block * LENGTH + length] = this.#hashes[block] as number;
    this.#halfCodes[block] = this.#halfHashes[block] as number;
    if (length === LENGTH - 1) {
      this.#dropFirst();
      return;
    }
    this.#lengths[block] = length + 1;
    this.#hashes[block] = INITIAL;
    if (length + 1 >= HALF) return;
    this.#halfHashes[block] = INITIAL;
    this.#halfCodes[block] = -1;
  }

  /** The next block size begins with the hash of the one before. */
  #followNext(block: number): void {
    if (block !== this.#end - 1 || this.#end === MAX_BLOCKS) return;
    this.#hashes[this.#end] = this.#hashes[block] as number;
    this.#halfHashes[this.#end] = this.#halfHashes[block] as number;
    this.#end += 1;
  }

  /** Stops following the smallest block size once it cannot appear in the hash. */
  #dropFirst(): void {
    if (this.#end - this.#first < 2) return;
    if (MIN_BLOCK_SIZE * 2 ** this.#first * LENGTH >= this.#size) return;
    if ((this.#lengths[this.#first + 1] as number) < HALF) return;
    this.#first += 1;
  }
}

function characterOf(code: number | undefined): string {
  return code === undefined || code < 0 ? '' : (ALPHABET[code] ?? '');
}
