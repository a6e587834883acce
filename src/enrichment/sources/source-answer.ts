import { outsideJson } from '../outside-json.ts';
import type { Source } from './sources.ts';

/**
 * What a source answers to GET of one of its paths: `api_response` of its envelope.
 * @param path with its slashes, `/types/`
 * @param timeout milliseconds
 * @throws Error in words when it does not answer in time, with success, or in the envelope
 */
export async function askSource({ url }: Source, path: string, timeout: number): Promise<unknown> {
  const body = await outsideJson(`${url}${path}`, timeout);
  if (typeof body !== 'object' || body === null || !('api_response' in body)) {
    throw new Error('its answer is not in the envelope of the protocol');
  }
  return body.api_response;
}
