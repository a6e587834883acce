import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ENTRY_TIMES, type Entry, readEntries, writeEntries } from '../../analysis/replay/entry-files.ts';
import type { Connection } from '../connection.ts';
import { answerOf, CallRejected, contentOf } from './replay-calls.ts';

/** Entries of a file, and of a request. */
const MAX_ENTRIES = 1000;
/** Characters of the entries of a file, and of a request, unless one alone has more. */
const MAX_LENGTH = 2_000_000;
const PAGE = 100;
/** A time, or `*` before anything was exported. */
const CHECKPOINT = /^(?:\*|\d{4}-\d\d-\d\dT[\d:.]{5,20}Z)$/;

interface Page {
  readonly items: readonly Readonly<Record<string, string>>[];
  readonly next_deep_paging_id?: string;
}

/**
 * Writes the entries of a kind that changed since the last export into files of a folder.
 * The server keeps how far it came, after each file.
 * @yields the name of each file
 */
export async function* exportEntries(
  connection: Connection,
  type: string,
  folder: string,
  signal: AbortSignal,
): AsyncIterable<string> {
  const time = ENTRY_TIMES[type] ?? 'updated';
  const { checkpoint } = await contentOf<{ checkpoint: string }>(connection, `replay/checkpoint/${type}/`, {
    ...{ method: 'PUT', signal },
  });
  if (!CHECKPOINT.test(checkpoint)) throw new Error(`the checkpoint of ${type} is not a time: ${checkpoint}`);
  let entries: Entry[] = [];
  let length = 0;
  let reached: string | undefined;
  // Inclusive: others may have been stored at the same time.
  const query = `${time}:[${checkpoint} TO *]`;
  for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
    const page = { query, fl: `id,${time}`, sort: `${time} asc`, rows: `${PAGE}`, deep_paging_id: cursor };
    const found: Page = await contentOf(connection, `search/${type}/?${new URLSearchParams(page)}`, { signal });
    for (const { id = '', [time]: changed } of found.items) {
      const entry = await entryOf(connection, type, id, signal);
      if (entry === undefined) continue;
      entries.push(entry);
      length += JSON.stringify(entry).length;
      reached = changed ?? reached;
      if (entries.length < MAX_ENTRIES && length < MAX_LENGTH) continue;
      yield await written();
    }
    cursor = found.items.length === 0 ? undefined : found.next_deep_paging_id;
  }
  if (entries.length > 0) yield await written();

  async function written(): Promise<string> {
    const name = await writeEntries(folder, type, entries, signal);
    if (reached !== undefined) await putCheckpoint(connection, type, reached, signal);
    [entries, length] = [[], 0];
    return name;
  }
}

/** Imports the entries of a file in parts. Imported again, they change nothing. */
export async function importEntries(
  connection: Connection,
  path: string,
  minimum: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { type, entries } = await readEntries(path);
  const query = new URLSearchParams(minimum === undefined ? {} : { min_classification: minimum });
  let part: Entry[] = [];
  let length = 0;
  for (const [index, entry] of entries.entries()) {
    part.push(entry);
    length += JSON.stringify(entry).length;
    const isLast = index === entries.length - 1;
    if (!isLast && part.length < MAX_ENTRIES && length < MAX_LENGTH) continue;
    await answerOf(connection, `replay/entries/${type}/?${query}`, { method: 'POST', json: part, signal });
    [part, length] = [[], 0];
  }
}

/** Returns an entry with all of its members; undefined when it was deleted meanwhile. */
async function entryOf(
  connection: Connection,
  type: string,
  id: string,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  try {
    const entry = await contentOf<object>(connection, `${type}/${encodeURIComponent(id)}/`, { signal });
    return { ...(withoutNulls(entry) as Entry), id };
  } catch (error) {
    if (error instanceof CallRejected && error.status === 404) return undefined;
    throw error;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Stores a checkpoint by a GET request with a body, as public clients do; fetch sends none. */
async function putCheckpoint(
  { server, user, apiKey }: Connection,
  type: string,
  checkpoint: string,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ checkpoint });
  const headers = {
    ...{ 'x-user': user, 'x-apikey': apiKey },
    ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const send = server.startsWith('https:') ? httpsRequest : httpRequest;
  send(`${server}/api/v4/replay/checkpoint/${type}/`, { method: 'GET', headers, signal }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  })
    .on('error', reject)
    .end(body);
  const status = await promise;
  if (status !== 200) throw new CallRejected(status, 'the checkpoint was not stored');
}
