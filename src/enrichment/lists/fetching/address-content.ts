import type { ListContent, ListSettings } from '../list-entry.ts';
import type { ListAnswer } from './list-connection.ts';
import { counted, type RemoteContext } from './remote-context.ts';
import { gunzipped, unpackedBytes } from './unpacked-bytes.ts';

/** Opens a file at an address, if it changed since the previous version (RFC 9110 section 13.1). */
export async function openAddress(
  url: string,
  _list: ListSettings,
  { connection, previous, folder, progress }: RemoteContext,
): Promise<ListContent> {
  const answer = await connection.get(url, conditionsOf(previous));
  if (answer.status === 304) return { changed: false };
  const { place } = answer;
  async function* documents() {
    yield { place, bytes: unpackedBytes(bodyOf(answer, progress), { place, folder }) };
  }
  return { changed: true, documents: documents(), version: () => versionOf(answer), close: async () => undefined };
}

/** Returns the content of an answer as the server keeps it, without the compression of the transfer. */
export function bodyOf(
  { bytes, header, place }: ListAnswer,
  progress: RemoteContext['progress'],
): AsyncIterable<Buffer> {
  const length = header('content-length');
  const body = counted(bytes, { progress, total: length === undefined ? undefined : Number(length) });
  return header('content-encoding')?.toLowerCase() === 'gzip' ? gunzipped(body, place) : body;
}

/** Returns the headers that ask for content only if it changed. */
export function conditionsOf(previous: RemoteContext['previous']): Record<string, string> {
  return {
    ...(previous?.etag === undefined ? {} : { 'if-none-match': previous.etag }),
    ...(previous?.lastModified === undefined ? {} : { 'if-modified-since': previous.lastModified }),
  };
}

/** Returns what an answer says of its version. */
export function versionOf({ header }: ListAnswer): Record<string, string> {
  const [etag, lastModified] = [header('etag'), header('last-modified')];
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}
