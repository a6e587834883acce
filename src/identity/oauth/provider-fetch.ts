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

async function readAtMost(answer: Response, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > limit) throw new Error(`the answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws Error in words, also when the answer is no JSON object */
export async function fetchProviderJson(url: string): Promise<Record<string, unknown>> {
  const answer = await providerFetch(url, { headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`${url} answered with status ${answer.status}`);
  const value: unknown = await answer.json();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${url} answered with something that is no JSON object`);
  }
  return value as Record<string, unknown>;
}
