/**
 * Returns the body of an answer to `fetch`. The rest of a larger body is never loaded.
 * @param limit bytes
 * @throws Error when the body is larger
 */
export async function readAtMost(answer: Response, limit: number): Promise<Buffer<ArrayBuffer>> {
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
