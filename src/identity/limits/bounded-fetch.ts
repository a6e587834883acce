/** Fetches an answer within `timeout` milliseconds and up to `size` bytes, else throws an Error. */
export async function boundedFetch(
  url: string,
  options: RequestInit,
  { timeout, size }: { readonly timeout: number; readonly size: number },
): Promise<Response> {
  const deadline = AbortSignal.timeout(timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const { body, status, statusText, headers } = await fetch(url, { ...options, signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > size) throw new Error(`the answer is larger than ${size} bytes`);
    chunks.push(chunk);
  }
  // Responses with these statuses have no body.
  const isEmpty = status === 204 || status === 304 || length === 0;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, statusText, headers });
}
