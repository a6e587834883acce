import { promisify } from 'node:util';
import { brotliDecompress, inflate, unzip } from 'node:zlib';
import { rejectImpossible } from '../../../json/json-limits.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import { SourceFailure } from '../source-failure.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** Bytes of an answer, compressed and uncompressed. */
export const MAX_ANSWER_BYTES = 10_000_000;

const UNPACK: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Encodings of answers that are understood. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Rejects an answer that redirects: a source must not choose which server is called.
 * @throws SourceFailure `unusable`
 */
export function rejectRedirect({ status }: Pick<HttpAnswer, 'status'>): void {
  if (status < 300 || status >= 400) return;
  throw new SourceFailure('unusable', `it redirects (status ${status}), which is not followed`, { status });
}

/** Returns the unpacked text of an answer. @throws SourceFailure `unusable` */
export async function bodyText(answer: HttpAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<string> {
  return (await unpackedBody(answer, maxBytes)).toString('utf8');
}

/** Returns the JSON of an answer. @throws SourceFailure `unusable` */
export async function parsedBody(answer: HttpAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  const text = await bodyText(answer, maxBytes);
  try {
    const value = parseJson(text);
    rejectImpossible(value, text, { mayHoldNul: true });
    return value;
  } catch (cause) {
    throw new SourceFailure('unusable', 'its answer is not JSON that this program can read', { cause });
  }
}

function unpackedBody({ headers, body }: HttpAnswer, maxBytes: number): Buffer | Promise<Buffer> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || body.length === 0) return body;
  const unpack = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
  if (unpack === undefined) throw new SourceFailure('unusable', `its answer has the unknown encoding "${encoding}"`);
  return unpack(body, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    throw new SourceFailure('unusable', `its answer cannot be unpacked, or has more than ${maxBytes} bytes`, { cause });
  });
}
