import { TextDecoder } from 'node:util';
import { type ListDocument, ListProblem } from '../list-entry.ts';

/** Encodings by their mark, which is the first character of the content. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Yields the content without its byte order mark. UTF-16 becomes UTF-8.
 * @throws ListProblem for UTF-16 that is broken; UTF-8 is not checked
 */
export async function* utf8Bytes({ place, bytes }: ListDocument, signal: AbortSignal): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const given of bytes) {
    signal.throwIfAborted();
    let chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (head !== undefined) {
      chunk = Buffer.concat([head, chunk]);
      if (chunk.length < 3) {
        head = chunk;
        continue;
      }
      head = undefined;
      const [encoding, mark] = MARKS.find(([, bytes]) => bytes.every((byte, index) => chunk[index] === byte)) ?? [];
      chunk = chunk.subarray(mark?.length ?? 0);
      if (encoding?.startsWith('utf-16')) decoder = new TextDecoder(encoding, { fatal: true });
    }
    if (chunk.length > 0) yield decoder === undefined ? chunk : decoded(place, decoder, chunk);
  }
  if (head !== undefined && head.length > 0) yield head;
  if (decoder !== undefined) decoded(place, decoder, undefined);
}

function decoded(place: string, decoder: TextDecoder, chunk: Buffer | undefined): Buffer {
  try {
    return Buffer.from(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
  } catch (cause) {
    throw new ListProblem(place, 'it begins as UTF-16 and is not. Save it as UTF-8', { cause });
  }
}
