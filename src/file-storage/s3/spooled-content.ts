import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, Unavailable } from '../../errors/errors.ts';

/** Buffers content until its hash, the file name, is known: in memory, or beyond in an unlinked file. */
export class SpooledContent {
  readonly #folder: string;
  readonly #inMemory: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #file: FileHandle | undefined;

  /** `inMemory`: bytes up to which no file is made. */
  constructor(folder: string, inMemory: number) {
    this.#folder = folder;
    this.#inMemory = inMemory;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.byteLength;
    if (this.#file === undefined && this.#size <= this.#inMemory) {
      this.#chunks.push(chunk);
      return;
    }
    try {
      if (this.#file === undefined) {
        this.#file = await openNameless(this.#folder);
        for (const earlier of this.#chunks.splice(0)) await this.#file.writeFile(earlier);
      }
      await this.#file.writeFile(chunk);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** All of it, when it is in memory. */
  get bytes(): Uint8Array | undefined {
    return this.#file === undefined ? Buffer.concat(this.#chunks, this.#size) : undefined;
  }

  /** Reads from `position` until `buffer` is full or the file ends. Returns the filled part. */
  async read(position: number, buffer: Buffer): Promise<Uint8Array> {
    let filled = 0;
    while (this.#file !== undefined && filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  async discard(): Promise<void> {
    this.#chunks = [];
    await this.#file?.close().catch(() => undefined);
  }

  #unavailable(cause: unknown): Unavailable {
    const said = messageOf(cause);
    const message = `A file could not be held in ${this.#folder} on its way to the S3 server: ${said}. Free space there, or choose another folder.`;
    return new Unavailable('file_storage_unavailable', message, { cause, retryAfter: 5 });
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `triad-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
