import { promisify } from 'node:util';
import { brotliDecompress, inflate, unzip } from 'node:zlib';
import { rejectImpossible } from '../../../json/json-limits.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import { SourceFailure } from '../source-failure.ts';
import { retryTimeOf } from './call-repetition.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** Bytes of an answer, compressed and uncompressed. */
export const MAX_ANSWER_BYTES = 10_000_000;
/** Characters of a message of a source. */
const MAX_MESSAGE_LENGTH = 1_000;

const UNPACK: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Encodings of answers that are understood. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Returns the content of the envelope.
 * @throws SourceFailure for an error status, an error in the envelope, or another answer than JSON
 * in an envelope
 */
export async function readEnvelope(answer: HttpAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    throw new SourceFailure('unusable', `it redirects (status ${status}), which is not followed`, { status });
  }
  const isError = status >= 400;
  const body = await parsedBody(answer, maxBytes).catch((error: unknown) => {
    if (isError) return undefined;
    throw error;
  });
  const envelope = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const pluginMessage = messageIn(envelope);
  if (isError) {
    const retryTime = retryTimeOf(answer, Date.now());
    const retryAt = retryTime === undefined ? undefined : new Date(retryTime);
    throw new SourceFailure('status', `it answered with status ${status}`, { status, pluginMessage, retryAt });
  }
  const { api_response: response } = envelope;
  if (response === undefined) throw new SourceFailure('unusable', 'its answer is not in the envelope of the protocol');
  if (response === null && pluginMessage !== undefined) {
    throw new SourceFailure('status', 'it answered with an error message', { status, pluginMessage });
  }
  return response;
}

async function parsedBody(answer: HttpAnswer, maxBytes: number): Promise<unknown> {
  const text = (await unpackedBody(answer, maxBytes)).toString('utf8');
  try {
    const value = parseJson(text);
    rejectImpossible(value, text, { mayHoldNul: true });
    return value;
  } catch (cause) {
    throw new SourceFailure('unusable', 'its answer is not JSON that this program can take', { cause });
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

/** Fetchers that fail name the error in their result, too. */
function messageIn(envelope: Readonly<Record<string, unknown>>): string | undefined {
  const { api_error_message: message, api_response: response } = envelope;
  return (
    lineOf(message) ??
    (typeof response === 'object' && response !== null
      ? lineOf('error' in response ? response.error : undefined)
      : undefined)
  );
}

function lineOf(message: unknown): string | undefined {
  if (typeof message !== 'string') return undefined;
  const line = message.slice(0, MAX_MESSAGE_LENGTH).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}
