import { boundedFetch } from './bounded-fetch.ts';

/** Bytes of an answer. */
const MAX_SIZE = 5_000_000;

/** Requests JSON within `timeout` ms; throws an Error in words without an answer of at most 5 MB. */
export async function outsideJson(address: string, timeout: number): Promise<unknown> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  // A redirect would choose the server that this one calls.
  const answer = await boundedFetch(address, { headers, redirect: 'error' }, { timeout, size: MAX_SIZE });
  if (!answer.ok) throw new Error(`it answered with status ${answer.status}`);
  return answer.json();
}
