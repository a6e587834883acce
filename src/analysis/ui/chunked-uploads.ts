import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { InvalidInput, NotFound, TooLarge } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { FileHold, FileUse } from '../files/file-use.ts';
import type { ReceivedFile } from '../files/received-file.ts';

export interface ChunkedUploadsDependencies {
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly storage: Pick<FileStorage, 'put' | 'open' | 'stat'>;
  readonly fileUse: FileUse;
  readonly fileRecords: Pick<Collection<FileRecord>, 'get'>;
  readonly files: Pick<AnalysisFiles, 'receive'>;
  /** Bytes of a file, at most. */
  readonly maxFileSize: number;
}

/** A part of a file that a browser uploads, as flow.js numbers them, from 1. */
export interface ChunkPlace {
  readonly identifier: string;
  readonly number: number;
  readonly total: number;
}

interface StoredChunk {
  readonly sha256: string;
  readonly size: number;
  readonly hold: FileHold;
}

/** Milliseconds after which chunks of an upload that was given up are forgotten. */
const LIFETIME = 3_600_000;
/** Bytes of a chunk, and chunks of a file. */
const MAX_CHUNK_SIZE = 64 << 20;
const MAX_CHUNKS = 10_000;
/** Bytes that a user may have in uploads, in files of the largest size, within an hour. */
const MAX_FILES_AN_HOUR = 50;
const IDENTIFIER_LENGTH = 36;
const ACCESS = unrestricted('chunks that are files of their own stay');

/** Collects files that browsers upload in chunks, for an hour and for their user alone. */
export class ChunkedUploads {
  readonly #parts: ChunkedUploadsDependencies;

  constructor(dependencies: ChunkedUploadsDependencies) {
    this.#parts = dependencies;
  }

  /** Returns the identifier of an upload as messages show it. */
  static identifierOf(given: string): string {
    return given.slice(0, IDENTIFIER_LENGTH).replaceAll('-', '_');
  }

  async has(username: string, place: ChunkPlace): Promise<boolean> {
    return (await this.#chunk(username, place.identifier, place.number)) !== undefined;
  }

  /**
   * Stores a chunk, and returns whether the upload is complete.
   * @throws InvalidInput `invalid_chunk`; TooLarge `file_too_large`, also for a size that was announced;
   * TooLarge `too_many_uploads`, when the user uploads more than 50 of the largest files in an hour
   */
  async store(
    username: string,
    place: ChunkPlace & { readonly totalSize: number },
    content: AsyncIterable<Uint8Array>,
  ): Promise<boolean> {
    const { storage, fileUse, maxFileSize, coordination } = this.#parts;
    const { identifier, number, total, totalSize } = place;
    if (number > total || total > MAX_CHUNKS) {
      const message = `The chunk ${number} of ${total} is not one: chunks count from 1, up to ${MAX_CHUNKS}.`;
      throw new InvalidInput('invalid_chunk', message, { response: '' });
    }
    if (totalSize > maxFileSize) throw tooLarge(totalSize, maxFileSize);
    const { sha256, size } = await storage.put(content, { limit: Math.min(MAX_CHUNK_SIZE, maxFileSize) });
    const hold = await fileUse.hold(sha256);
    const used = await coordination.counters.increment(`upload-bytes:${username}`, LIFETIME, { by: size });
    if (used > MAX_FILES_AN_HOUR * maxFileSize) {
      await this.#remove({ sha256, size, hold });
      throw new TooLarge('too_many_uploads', 'You have uploaded too much within an hour. Try again later.');
    }
    const chunk: StoredChunk = { sha256, size, hold };
    await coordination.tokens.put(keyOf(username, identifier, number), chunk, LIFETIME);
    return this.#isComplete(username, place);
  }

  /**
   * Puts the chunks of an upload together and stores the file; the chunks stay until `remove`.
   * @throws NotFound `chunks_missing`; TooLarge `file_too_large`
   */
  async assemble(username: string, identifier: string): Promise<ReceivedFile> {
    const chunks: StoredChunk[] = [];
    for (let number = 1; number <= MAX_CHUNKS; number += 1) {
      const chunk = await this.#chunk(username, identifier, number);
      if (chunk === undefined) break;
      chunks.push(chunk);
    }
    const { maxFileSize, storage } = this.#parts;
    const size = chunks.reduce((sum, chunk) => sum + chunk.size, 0);
    if (size > maxFileSize) throw tooLarge(size, maxFileSize);
    const stored = await Promise.all(chunks.map(({ sha256 }) => storage.stat(sha256)));
    if (chunks.length === 0 || stored.includes(undefined)) throw uploadMissing(identifier);
    return this.#parts.files.receive(this.#joined(chunks));
  }

  /** Forgets an upload, and removes the bytes of chunks that no file has. */
  async remove(username: string, identifier: string): Promise<void> {
    const { tokens } = this.#parts.coordination;
    for (let number = 1; number <= MAX_CHUNKS; number += 1) {
      const chunk = (await tokens.take(keyOf(username, identifier, number))) as StoredChunk | undefined;
      if (chunk === undefined) return;
      await this.#remove(chunk);
    }
  }

  /** Looks from the end, where a chunk is missing until the upload is complete. */
  async #isComplete(username: string, { identifier, total }: ChunkPlace): Promise<boolean> {
    for (let number = total; number > 0; number -= 1) {
      if ((await this.#chunk(username, identifier, number)) === undefined) return false;
    }
    return true;
  }

  async #chunk(username: string, identifier: string, number: number): Promise<StoredChunk | undefined> {
    const key = keyOf(username, identifier, number);
    return (await this.#parts.coordination.tokens.get(key)) as StoredChunk | undefined;
  }

  async *#joined(chunks: readonly StoredChunk[]): AsyncIterable<Uint8Array> {
    for (const { sha256 } of chunks) yield* (await this.#parts.storage.open(sha256)).stream;
  }

  async #remove({ sha256, hold }: StoredChunk): Promise<void> {
    const { fileUse, fileRecords } = this.#parts;
    await fileUse.delete(sha256, async () => (await fileRecords.get(sha256, ACCESS)) !== undefined, [hold]);
  }
}

/** Returns the refusal of an upload that is not there, as clients know it. */
export function uploadMissing(identifier: string): NotFound {
  const message = `No files were found for ID ${identifier}. Try again...`;
  return new NotFound('chunks_missing', message, { response: { sid: null, started: false } });
}

function tooLarge(size: number, limit: number): TooLarge {
  return new TooLarge('file_too_large', `File too big to be scanned (${size} > ${limit}).`, { response: {} });
}

function keyOf(username: string, identifier: string, number: number): string {
  return `upload:${username}:${identifier}:${number}`;
}
