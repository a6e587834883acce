import { SourceFailure } from '../source-failure.ts';
import { MAX_ANSWER_BYTES, parsedBody, rejectRedirect } from './answer-body.ts';
import { retryTimeOf } from './call-repetition.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** Characters of a message of a source. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Returns the content of the envelope.
 * @throws SourceFailure for an error status, an error in the envelope, or another answer than JSON
 * in an envelope
 */
export async function readEnvelope(answer: HttpAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  const { status } = answer;
  rejectRedirect(answer);
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
