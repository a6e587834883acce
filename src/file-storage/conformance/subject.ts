import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before } from 'node:test';
import type { ByteRange, FileStorage } from '../file-storage.ts';

/** One adapter, as the suite takes it. */
export interface FileStorageSubject {
  readonly name: string;
  /** Fresh, empty, isolated from every other. */
  open(): Promise<OpenFileStorage>;
  /** Why it cannot be tested here; the suite then registers one skipped test. */
  readonly unavailable?: string | undefined;
}

export interface OpenFileStorage {
  readonly storage: FileStorage;
  /** A second handle on the same files, as another process has it. */
  readonly peer: FileStorage;
  /** Writes other bytes over a stored file, behind the back of the storage. */
  damage(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Counts the objects in the storage, finished or not: files, parts, uploads. */
  remains(): Promise<number>;
  /** Closes both and removes everything. */
  dispose(): Promise<void>;
}

/** Opens the subject once for the tests of an area and removes it after them. */
export function openForArea(subject: FileStorageSubject): { readonly current: OpenFileStorage } {
  let open: OpenFileStorage | undefined;
  before(async () => {
    open = await subject.open();
  });
  after(async () => {
    await open?.dispose();
  });
  return {
    get current() {
      if (open === undefined) throw new Error('the subject is not open yet');
      return open;
    },
  };
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Content that differs by `seed` and has no pattern that a mistake by whole blocks would keep. */
export function someBytes(size: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let index = 0; index < size; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** Yields the bytes in chunks, as a stream of unknown length. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}

export async function readAll(storage: FileStorage, sha256: string, range?: ByteRange): Promise<Buffer> {
  const { stream } = await storage.open(sha256, range);
  return buffer(stream);
}

/** All files of a storage, and how they were cut into batches. */
export async function listAll(storage: FileStorage, after?: string) {
  const batches = await Array.fromAsync(storage.list(after === undefined ? {} : { after }));
  return { files: batches.flat(), sizes: batches.map((batch) => batch.length) };
}
