import type { ListDocument } from '../../list-entry.ts';
import { utf8Bytes } from '../utf8-bytes.ts';
import { type JsonPart, JsonScanner, type JsonShape } from './json-scanner.ts';

/**
 * Yields the parts of one or several JSON values that follow each other, those of each chunk
 * together. Only the part that is read is in memory: a document of any length takes the space of its
 * largest part. What is skipped is checked for its brackets, commas and quotes alone.
 * @param onTooLarge called for each part above 1 MB, which is skipped
 * @throws ListProblem for input that is not JSON, ends in the middle, or is nested too deep, with
 * the byte
 */
export async function* jsonParts(
  document: ListDocument,
  shape: JsonShape,
  { signal, onTooLarge }: { readonly signal: AbortSignal; readonly onTooLarge: () => void },
): AsyncGenerator<readonly JsonPart[]> {
  const scanner = new JsonScanner(document.place, shape, onTooLarge);
  for await (const chunk of utf8Bytes(document, signal)) {
    const parts = scanner.read(chunk);
    if (parts.length > 0) yield parts;
  }
  const last = scanner.end();
  if (last.length > 0) yield last;
}
