import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { InvalidInput, NotFound, Unavailable } from '../errors/errors.ts';
import type { ByteRange } from './file-storage.ts';

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

/**
 * Checks a range without regard to the size of the file.
 * @throws InvalidInput `invalid_range`
 */
export function assertRange({ offset, length = 0 }: ByteRange): void {
  if (Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0) return;
  throw new InvalidInput('invalid_range', 'A range has a first byte from 0 on and a length of 0 or more bytes.');
}

/**
 * `source` as callers get it: its length is checked, and of whole files the hash; the last chunk is
 * held back until then. Failures of the source become what `translate` says. Destroying either destroys both.
 */
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
      if (sound) done(null, held);
      else done(damaged(sha256));
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

function damaged(sha256: string): Unavailable {
  const message = `The stored bytes of the file ${sha256} are not what was stored. Restore it from a copy, or submit it again.`;
  return new Unavailable('file_damaged', message);
}
