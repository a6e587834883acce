import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { InvalidInput, isTriadError, messageOf, TooLarge } from '../../errors/errors.ts';

/** A field of a form, or a file whose content streams in while the request is read. */
export type MultipartPart = MultipartField | MultipartFile;

export interface MultipartField {
  readonly kind: 'field';
  readonly name: string;
  readonly value: string;
}

export interface MultipartFile {
  readonly kind: 'file';
  readonly name: string;
  /** Last segment of the path that the caller sent; empty if there is none. */
  readonly filename: string;
  /** Fails with `invalid_multipart` when the body ends early. What is left unread is discarded. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface MultipartLimits {
  /** Bytes of a field, at most. */
  readonly fieldSize: number;
  /** Parts, at most. Default 20. */
  readonly parts?: number;
}

const USUAL_PARTS = 20;
/** Bytes of a file that wait for their reader. */
const FILE_BUFFER = 262_144;

/** Returns whether a request has a form with files. */
export function isMultipart({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/**
 * Yields the parts of a `multipart/form-data` body in their order, for routes with the body `stream`.
 * Files have no limit here: their reader has one. The rest of the body is discarded when the caller stops.
 * @throws InvalidInput `invalid_multipart` for a body that is not a form, or ends early; TooLarge `field_too_large`,
 * `too_many_parts`
 */
export async function* multipartParts(
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
  { fieldSize, parts = USUAL_PARTS }: MultipartLimits,
): AsyncGenerator<MultipartPart, void, undefined> {
  const parser = openParser(headers, { fieldSize, parts });
  const waiting: MultipartPart[] = [];
  const streams = new Set<BusboyFileStream>();
  let failure: Error | undefined;
  let isComplete = false;
  let wake: () => void = () => undefined;

  const fail = (error: unknown): void => {
    failure ??= isTriadError(error) ? error : invalidMultipart(messageOf(error));
    for (const stream of streams) stream.destroy(failure);
    wake();
  };
  const endEarly = (): void => {
    if (!raw.readableEnded) fail(new Error('the connection ended in the middle'));
  };
  parser.on('field', (name, value, _nameIsCut, isCut) => {
    if (isCut) return fail(fieldTooLarge(name, fieldSize));
    waiting.push({ kind: 'field', name: name ?? '', value });
    wake();
  });
  parser.on('file', (name, stream, filename) => {
    streams.add(stream);
    // Also while no one reads it: an unheard error would end the process.
    stream.on('error', fail);
    stream.once('close', () => streams.delete(stream));
    const content = readFile(stream, () => failure);
    waiting.push({ kind: 'file', name: name ?? '', filename: filename ?? '', content });
    wake();
  });
  parser.on('partsLimit', () => fail(tooManyParts(parts)));
  parser.on('error', fail);
  parser.on('finish', () => {
    isComplete = true;
    wake();
  });
  raw.on('close', endEarly);
  raw.on('error', fail);
  raw.pipe(parser);
  try {
    for (;;) {
      const part = waiting.shift();
      if (part !== undefined) {
        yield part;
      } else if (failure !== undefined) throw failure;
      else if (isComplete) return;
      else {
        for (const stream of streams) stream.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    raw.off('close', endEarly);
    raw.unpipe(parser);
    for (const stream of streams) stream.destroy();
    // Without a reader the caller could not finish sending, and would not see the answer.
    raw.resume();
  }
}

async function* readFile(stream: BusboyFileStream, failure: () => Error | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw failure() ?? invalidMultipart(messageOf(error));
  }
}

function openParser(headers: FastifyRequest['headers'], limits: Required<MultipartLimits>): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits, fileHwm: FILE_BUFFER });
  } catch (error) {
    throw invalidMultipart(messageOf(error));
  }
}

function invalidMultipart(reason: string): InvalidInput {
  return new InvalidInput(
    'invalid_multipart',
    `The request body is not a complete multipart/form-data form: ${reason}.`,
  );
}

function fieldTooLarge(name: string | undefined, limit: number): TooLarge {
  return new TooLarge('field_too_large', `The part "${name}" is longer than ${limit} bytes, which is the limit.`);
}

function tooManyParts(limit: number): TooLarge {
  return new TooLarge('too_many_parts', `The form has more than ${limit} parts. Send only those that are documented.`);
}
