import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileContent, FileStorage } from '../../file-storage/file-storage.ts';
import type { ByteSource } from '../formats/byte-source.ts';
import type { Identity } from '../identification/identification.ts';
import type { FileHold } from './file-use.ts';

/** A file whose bytes are in the file storage. */
export interface ReceivedFile {
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The first 64 KiB: small files need not be read again. */
  readonly head: Buffer;
  /** Keeps the bytes until a document refers to them. */
  readonly hold: FileHold;
  /** Given when identification began while the file was stored. */
  readonly identity?: Promise<Identity>;
}

/** A file in the storage, of which the start may be in memory. */
export type StoredFile = Pick<ReceivedFile, 'sha256' | 'size'> & Partial<Pick<ReceivedFile, 'head'>>;

/** Bytes of the start of a file that stay in memory. */
const KEPT = 64 * 1024;
const SLICE = 1 << 20;

/** Computes what the storage does not, while content passes through. */
export class PassingDigests {
  readonly #md5 = createHash('md5');
  readonly #sha1 = createHash('sha1');
  readonly #head: Uint8Array[] = [];
  #headSize = 0;

  /** @param onEnd called with the whole content of a small file, before it is stored */
  async *through(content: FileContent, onEnd?: (content: Buffer) => void): AsyncIterable<Uint8Array> {
    let size = 0;
    for await (const chunk of content instanceof Uint8Array ? slicesOf(content) : content) {
      this.#md5.update(chunk);
      this.#sha1.update(chunk);
      this.#keep(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
    if (size === this.#headSize) onEnd?.(Buffer.concat(this.#head));
  }

  digest(): Pick<ReceivedFile, 'md5' | 'sha1' | 'head'> {
    return { md5: this.#md5.digest('hex'), sha1: this.#sha1.digest('hex'), head: Buffer.concat(this.#head) };
  }

  #keep(chunk: Uint8Array): void {
    if (this.#headSize === KEPT) return;
    // A copy, because the chunk may be a part of a buffer that is used again.
    const kept = Buffer.from(chunk.subarray(0, KEPT - this.#headSize));
    this.#head.push(kept);
    this.#headSize += kept.length;
  }
}

function* slicesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += SLICE) yield bytes.subarray(start, start + SLICE);
}

/** Returns the bytes of a stored file, of which the start may be in memory. */
export function storedSource(
  storage: Pick<FileStorage, 'open'>,
  { sha256, size, head = Buffer.alloc(0) }: StoredFile,
): ByteSource {
  return {
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length);
      if (end <= offset) return Buffer.alloc(0);
      if (end <= head.length) return head.subarray(offset, end);
      const { stream } = await storage.open(sha256, { offset, length: end - offset });
      return buffer(stream);
    },
  };
}
