import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Quality 5 makes 28 kB of 550 kB of field descriptions; gzip makes 44 kB. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const zip = promisify(gzip);
const compress = promisify(brotliCompress);

export type Encoding = 'br' | 'gzip';

/** JSON text that is sent again and again; packed once in each encoding, for the first who accepts it. */
export class PackedJson {
  readonly plain: Buffer;
  readonly #packed: Partial<Record<Encoding, Promise<Buffer>>> = {};

  constructor(text: string) {
    this.plain = Buffer.from(text);
  }

  /** Returns the text in an encoding. */
  packed(encoding: Encoding): Promise<Buffer> {
    this.#packed[encoding] ??= encoding === 'br' ? compress(this.plain, BROTLI) : zip(this.plain);
    return this.#packed[encoding];
  }
}
