import type { CustomFetchOptions } from 'openid-client';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readAtMost } from '../limits/bounded-answer.ts';

/** Milliseconds that an identity provider has for an answer. */
export const PROVIDER_TIMEOUT = 10_000;
const MAX_ANSWER = 1024 * 1024;

/**
 * `fetch` for identity providers: no redirects, an answer within 10 s and of at most 1 MiB, so that a provider that is broken or hostile
 * holds up nothing but its own logins.
 */
export async function providerFetch(url: string, options: RequestInit = {}): Promise<Response> {
  const deadline = AbortSignal.timeout(PROVIDER_TIMEOUT);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const answer = await fetch(url, { ...options, redirect: 'manual', signal });
  const body = await readAtMost(answer, MAX_ANSWER);
  // These statuses cannot have a body.
  const empty = answer.status === 204 || answer.status === 304 || body.length === 0;
  return new Response(empty ? null : body, {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  });
}

/**
 * Parameter of a code grant that holds the whole redirect address. openid-client takes that address from where the browser came back to, without
 * its query; ours has a query (contract/alert.md 2.2), and providers compare the whole of it (RFC 6749 section 4.1.3).
 */
export const REDIRECT_ADDRESS = 'whole_redirect_uri';

/** `providerFetch` for openid-client. */
export function openIdFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const { body } = options;
  if (body instanceof URLSearchParams) {
    const address = body.get(REDIRECT_ADDRESS);
    if (address !== null) body.set('redirect_uri', address);
    body.delete(REDIRECT_ADDRESS);
  }
  // The library allows for members that are undefined.
  return providerFetch(url, options as RequestInit);
}

/** @throws Error in words, also when the answer is no JSON object */
export async function fetchProviderJson(url: string): Promise<Record<string, unknown>> {
  const answer = await providerFetch(url, { headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`${url} answered with status ${answer.status}`);
  const value: unknown = await answer.json();
  if (!isObject(value)) {
    throw new Error(`${url} answered with something that is no JSON object`);
  }
  return value as Record<string, unknown>;
}
