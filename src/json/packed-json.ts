import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const zip = promisify(gzip);

/** JSON text that is sent again and again; packed once, for the first who accepts gzip. */
export class PackedJson {
  readonly plain: Buffer;
  #packed: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.plain = Buffer.from(text);
  }

  /** Returns the text in gzip. */
  packed(): Promise<Buffer> {
    this.#packed ??= zip(this.plain);
    return this.#packed;
  }
}
