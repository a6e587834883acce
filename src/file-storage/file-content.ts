import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { InvalidInput, NotFound, TooLarge, Unavailable } from '../errors/errors.ts';
import type { ByteRange, FileContent, PutFile, PutOptions } from './file-storage.ts';

/** Bytes given at once are hashed and written in slices, so that others have their turn. */
const SLICE = 1 << 20;

/** Passes content to `write` chunk by chunk and returns hash and size. Errors as `FileStorage.put`. */
export async function receiveContent(
  content: FileContent,
  { limit = Number.POSITIVE_INFINITY, expected, signal }: PutOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<PutFile> {
  if (expected !== undefined) assertSha256(expected);
  const hash = createHash('sha256');
  let size = 0;
  const chunks = content instanceof Uint8Array ? slicesOf(content) : content;
  for await (const chunk of interruptible(chunks, signal)) {
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

/** A portion of a file: `length` bytes from `offset` on. `whole` is true when that is the entire file. */
export interface Portion {
  readonly offset: number;
  readonly length: number;
  readonly whole: boolean;
}

/** @throws InvalidInput `invalid_range` */
export function portionOf(size: number, range: ByteRange | undefined): Portion {
  if (range === undefined) return { offset: 0, length: size, whole: true };
  assertRange(range);
  const { offset, length = size } = range;
  if (offset > size) {
    throw new InvalidInput('invalid_range', `The range begins at byte ${offset}; the file has ${size} bytes.`);
  }
  const given = Math.min(length, size - offset);
  return { offset, length: given, whole: given === size };
}

/** Checks a range without regard to the size of the file. @throws InvalidInput `invalid_range` */
export function assertRange({ offset, length = 0 }: ByteRange): void {
  if (Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0) return;
  throw new InvalidInput('invalid_range', 'A range has a first byte from 0 on and a length of 0 or more bytes.');
}

/** Checks length and, of whole files, hash before the last chunk; destroying either stream ends both. */
export function givenStream(
  source: Readable,
  sha256: string,
  { length, whole }: Portion,
  translate: (error: unknown) => Error,
): Readable {
  const hash = whole ? createHash('sha256') : undefined;
  let left = length;
  let held: Uint8Array | undefined;
  const given = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash?.update(chunk);
      left -= chunk.byteLength;
      const earlier = held;
      held = chunk;
      if (earlier === undefined) done();
      else done(null, earlier);
    },
    flush(done) {
      const sound = left === 0 && (hash === undefined || hash.digest('hex') === sha256);
      if (sound) return done(null, held);
      const message = `The stored bytes of the file ${sha256} are not what was stored. Restore it from a copy, or submit it again.`;
      done(new Unavailable('file_damaged', message));
    },
  });
  source.once('error', (error) => given.destroy(translate(error)));
  source.once('close', () => {
    if (!source.readableEnded) given.destroy(translate(new Error('the source ended in the middle')));
  });
  given.once('close', () => source.destroy());
  return source.pipe(given);
}

export function fileMissing(sha256: string, cause?: unknown): NotFound {
  return new NotFound('file_missing', `There is no file with the SHA-256 ${sha256}.`, { cause });
}
