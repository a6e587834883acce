import { readList } from '../../enrichment/lists/formats/read-list.ts';
import type { ListDocument, ListEntry, ListSettings } from '../../enrichment/lists/list-entry.ts';

/** Returns the settings of a list of which a test says some. */
export function listSettingsOf(settings: Partial<ListSettings>): ListSettings {
  return {
    name: 'test',
    format: 'text',
    path: null,
    url: null,
    collection: null,
    interval: null,
    opinion: null,
    confidence: 0.5,
    classification: null,
    match: null,
    column: null,
    expires: null,
    username: null,
    password: null,
    api_key: null,
    ...settings,
  };
}

/** Reads a list of one document to its end. Small chunks show that nothing depends on where they end. */
export async function readListText(
  settings: Partial<ListSettings>,
  content: string | Uint8Array,
  size = 65_536,
): Promise<{ entries: ListEntry[]; leftOut: Record<string, number>; chunks: number[] }> {
  const bytes = Buffer.from(content);
  async function* chunksOf() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  return readListDocuments(settings, [{ place: 'list', bytes: chunksOf() }]);
}

/** Reads documents to their end. */
export async function readListDocuments(settings: Partial<ListSettings>, given: readonly ListDocument[]) {
  async function* documents() {
    yield* given;
  }
  const signal = new AbortController().signal;
  const { entries, notUnderstood } = readList(documents(), { list: listSettingsOf(settings), signal });
  const found: ListEntry[] = [];
  const chunks: number[] = [];
  for await (const chunk of entries) {
    found.push(...chunk);
    chunks.push(chunk.length);
  }
  return { entries: found, leftOut: Object.fromEntries(notUnderstood()), chunks };
}
