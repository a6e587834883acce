import type { Readable } from 'node:stream';

/**
 * PORT: bytes of files, found by the SHA-256 of their content. `conformance/` says in tests what every adapter keeps.
 *
 * - A file is whole or it is not there: nobody sees a part of one, whatever fails or is killed meanwhile. Once `put` has answered, the
 *   file survives a crash of the program and of the machine.
 * - The same content is one file, however often and by however many processes it is put; it is written once.
 * - Who still needs a file, and until when, is the caller's matter. Somebody who deletes files that nobody refers to leaves out the
 *   young ones (`storedAt`) and holds a lock against those who are about to refer to the same content again.
 *
 * SHA-256 is 64 lower-case hexadecimal digits everywhere; anything else is InvalidInput `invalid_sha256`.
 * Every method rejects with Unavailable `file_storage_unavailable` when the storage cannot be reached, is full, refuses or is closed;
 * a retry may succeed.
 */
export interface FileStorage {
  /**
   * Stores content, hashing it as it comes; memory stays bounded whatever the size. Errors of the content's source are passed on
   * as they are. Nothing is stored when it rejects; the source is closed.
   * @throws TooLarge `file_too_large` as soon as it is longer than `limit`
   * @throws InvalidInput `file_hash_mismatch` when it is not what `expected` says
   * @throws whatever `signal` was aborted with
   */
  put(content: FileContent, options?: PutOptions): Promise<PutFile>;
  /**
   * A stream of the content. It is open when this resolves: read it to the end or destroy it.
   * Whole content is hashed on the way: when it is not what was stored, the stream fails with Unavailable `file_damaged` before its
   * last bytes are given out. A range is only checked for its length.
   * @throws NotFound `file_missing`
   * @throws InvalidInput `invalid_range` when the range begins behind the end
   */
  open(sha256: string, range?: ByteRange): Promise<OpenFile>;
  /** Undefined when there is no such file. */
  stat(sha256: string): Promise<StoredFile | undefined>;
  /** Nothing happens when there is no such file. */
  delete(sha256: string): Promise<void>;
  /**
   * All files in the order of their SHA-256, in batches of at most 1,000, from behind `after` on. What is put or deleted meanwhile may
   * be in it or not; everything else is in it once. May be left at any point and continued later by `after`.
   */
  list(options?: { readonly after?: string }): AsyncIterable<readonly StoredFile[]>;
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /** Waits for nothing: streams and writes that are under way fail. */
  close(): Promise<void>;
}

/** Bytes at once, or chunks of bytes: a `Readable`, a generator. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** Most bytes that are accepted. Default: no limit. */
  readonly limit?: number;
  /** SHA-256 that the content is said to have. */
  readonly expected?: string;
  readonly signal?: AbortSignal;
}

export interface PutFile {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export interface StoredFile extends PutFile {
  /** When the content was put first. */
  readonly storedAt: Date;
}

export interface ByteRange {
  /** First byte, from 0. The end of the file itself gives an empty stream. */
  readonly offset: number;
  /** Default: to the end. What reaches behind the end is cut off. */
  readonly length?: number;
}

export interface OpenFile {
  readonly stream: Readable;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes that the stream gives. */
  readonly length: number;
}

/** What adapters tell operators about, beside their errors. */
export interface FileStorageLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
