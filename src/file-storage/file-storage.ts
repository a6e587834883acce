import type { Readable } from 'node:stream';

/**
 * PORT: bytes of files, addressed by the SHA-256 of their content.
 * The suite in `conformance/` tests what every adapter guarantees.
 *
 * - A file is complete or absent: no reader sees a part of one, regardless of failures. Once `put` has resolved, the
 *   file survives a crash of the program and of the machine.
 * - The same content is one file, written once, regardless of how many processes put it.
 * - References and retention are the caller's concern. Code that deletes unreferenced files skips young ones
 *   (`storedAt`) and holds a lock against callers that are about to reference the same content.
 *
 * SHA-256 is 64 lower-case hexadecimal digits; anything else is InvalidInput `invalid_sha256`.
 * Every method rejects with Unavailable `file_storage_unavailable` when the storage cannot be reached, is full, refuses
 * or is closed; a retry may succeed.
 */
export interface FileStorage {
  /**
   * Stores content and hashes it on the way; memory stays bounded for any size.
   * Errors of the content's source are passed on unchanged. Nothing is stored when it rejects; the source is closed.
   * @throws TooLarge `file_too_large` as soon as it is longer than `limit`
   * @throws InvalidInput `file_hash_mismatch` when it is not what `expected` says
   * @throws the reason that `signal` was aborted with
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
   * All files by SHA-256 from behind `after`, in batches of at most 1,000; it may be left at any point.
   * What is put or deleted meanwhile may be in it or not; everything else is in it once.
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

/** Receives what adapters report to operators beside their errors. */
export interface FileStorageLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
