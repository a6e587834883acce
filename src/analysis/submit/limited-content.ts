import { TooLarge } from '../../errors/errors.ts';

/** Refuses a file in the words of the public system. */
export function fileTooLarge(size: number | bigint, limit: number): TooLarge {
  return new TooLarge('file_too_large', `File too big to be scanned (${size} > ${limit}).`, { response: {} });
}

/** Passes content on up to the limit, if there is one. @throws TooLarge `file_too_large` */
export async function* limitedContent(
  content: AsyncIterable<Uint8Array>,
  limit: number | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (limit !== undefined && size > limit) throw fileTooLarge(size, limit);
    yield chunk;
  }
}
