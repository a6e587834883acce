import type { CustomFetchOptions } from 'openid-client';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { boundedFetch } from '../limits/bounded-fetch.ts';

/** Milliseconds within which an identity provider has to answer. */
export const PROVIDER_TIMEOUT = 10_000;
const MAX_ANSWER = 1024 * 1024;

/** Fetches from a provider, which may be hostile: without redirects, within 10 s and at most 1 MiB. */
export function providerFetch(url: string, options: RequestInit = {}): Promise<Response> {
  return boundedFetch(url, { ...options, redirect: 'manual' }, { timeout: PROVIDER_TIMEOUT, size: MAX_ANSWER });
}

/**
 * Parameter of a code grant with the whole redirect address. openid-client removes the query of that
 * address; ours has one (contract/alert.md 2.2), and providers compare the whole address (RFC 6749 section 4.1.3).
 */
export const REDIRECT_ADDRESS = 'whole_redirect_uri';

/** Adapts `providerFetch` to openid-client. */
export function openIdFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const { body } = options;
  if (body instanceof URLSearchParams) {
    const address = body.get(REDIRECT_ADDRESS);
    if (address !== null) body.set('redirect_uri', address);
    body.delete(REDIRECT_ADDRESS);
  }
  // The type of the library permits undefined members.
  return providerFetch(url, options as RequestInit);
}

/** Fetches a JSON object. @param token sent as `Bearer` @throws Error in words for other answers */
export async function fetchProviderJson(url: string, token?: string): Promise<Record<string, unknown>> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await providerFetch(url, { headers: { accept: 'application/json', ...authorization } });
  if (answer.status !== 200) throw new Error(`${url} answered with status ${answer.status}`);
  const value: unknown = await answer.json();
  if (!isObject(value)) throw new Error(`${url} answered with something other than a JSON object`);
  return value;
}
