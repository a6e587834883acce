import { readAtMost } from '../identity/limits/bounded-answer.ts';

/** Bytes of an answer. */
const MAX_SIZE = 5_000_000;

/**
 * Requests JSON from another service, at an address of the settings.
 * @param timeout milliseconds for the whole answer
 * @throws Error in words without a successful answer in JSON of at most 5 MB
 */
export async function outsideJson(address: string, timeout: number): Promise<unknown> {
  const answer = await fetch(address, {
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    // A redirect would choose the server that this one calls.
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  const body = await readAtMost(answer, MAX_SIZE);
  if (!answer.ok) throw new Error(`it answered with status ${answer.status}`);
  return JSON.parse(body.toString('utf8'));
}
