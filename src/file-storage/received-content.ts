import { createHash } from 'node:crypto';
import { InvalidInput, TooLarge } from '../errors/errors.ts';
import type { FileContent, PutFile, PutOptions } from './file-storage.ts';

/** Bytes given at once are hashed and written in slices, so that others have their turn. */
const SLICE = 1 << 20;

/**
 * Reads content to its end, gives each chunk to `write`, and tells hash and size.
 * Errors as of `FileStorage.put`; used inside `closingOnFailure`.
 */
export async function receiveContent(
  content: FileContent,
  { limit = Number.POSITIVE_INFINITY, expected, signal }: PutOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<PutFile> {
  if (expected !== undefined) assertSha256(expected);
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of interruptible(chunksOf(content), signal)) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError('the content of a file has to be bytes, not text or objects');
    size += chunk.byteLength;
    if (size > limit)
      throw new TooLarge('file_too_large', `The file is larger than ${limit} bytes, which is the limit.`);
    hash.update(chunk);
    await write(chunk);
  }
  const sha256 = hash.digest('hex');
  if (expected !== undefined && sha256 !== expected) {
    const message = `The content has the SHA-256 ${sha256}, not ${expected} as announced. It was damaged on the way: send it again.`;
    throw new InvalidInput('file_hash_mismatch', message);
  }
  return { sha256, size };
}

/** Runs `work` on content; on any failure it destroys a stream and ends a generator. */
export async function closingOnFailure<T>(content: FileContent, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ('destroy' in content && typeof content.destroy === 'function') content.destroy();
    else if ('return' in content && typeof content.return === 'function') {
      void Promise.resolve(content.return(undefined)).catch(() => undefined);
    }
    throw error;
  }
}

/** @throws InvalidInput `invalid_sha256` */
export function assertSha256(sha256: string): void {
  if (isSha256(sha256)) return;
  throw new InvalidInput(
    'invalid_sha256',
    `${JSON.stringify(String(sha256).slice(0, 80))} is no SHA-256: 64 lower-case hexadecimal digits are.`,
  );
}

export function isSha256(text: string): boolean {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

function chunksOf(content: FileContent): AsyncIterable<Uint8Array> {
  return content instanceof Uint8Array ? slicesOf(content) : content;
}

async function* slicesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += SLICE) yield bytes.subarray(start, start + SLICE);
}

/** Also ends a source that has stopped giving anything. */
async function* interruptible<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncIterable<T> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  // One waiting at a time: a race against one promise for all chunks would hold every chunk until the end.
  let interrupt: (reason: unknown) => void = () => undefined;
  const abort = () => interrupt(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let ended = false;
  try {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        interrupt = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // A generator that waits for its own source cannot return before that: not waited for.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
