import { createReadStream } from 'node:fs';
import { jsonParts } from './formats/json/json-parts.ts';
import type { JsonPart, JsonShape } from './formats/json/json-scanner.ts';

/**
 * Yields the parts of a large JSON file. The event loop serves other requests after every 64 KB,
 * and only one part is in memory at a time. Parts above 1 MB are skipped.
 * @throws ListProblem for a file that is not JSON; errors of the file system
 */
export function jsonFileParts(
  path: string,
  shape: JsonShape,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonPart[]> {
  const document = { place: path, bytes: createReadStream(path) };
  return jsonParts(document, shape, { signal, onTooLarge: () => undefined });
}
