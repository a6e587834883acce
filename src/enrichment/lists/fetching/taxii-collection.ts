import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../../json/json-object.ts';
import { jsonParts } from '../formats/json/json-parts.ts';
import type { JsonShape } from '../formats/json/json-scanner.ts';
import type { ListContent, ListSettings } from '../list-entry.ts';
import { fileBytes, fileDocuments, type RemoteContext } from './remote-context.ts';
import { collectionUrl, storedLine, TaxiiPoll } from './taxii-poll.ts';

const STORED: JsonShape = { objects: { '[]': 'object' } };
const OBJECTS_FILE = /^objects-\d+\.json(?:\.unfinished)?$/;

/**
 * Opens a collection of TAXII 2.1. It is asked for the objects that were added since the previous
 * update; the folder keeps all of them, and new ones replace those of the same identifier.
 */
export async function openTaxiiCollection(
  url: string,
  list: ListSettings,
  { connection, previous, folder, signal, progress }: RemoteContext,
): Promise<ListContent> {
  const after = previous?.addedAfter;
  // Without a time the server sends everything again.
  const old = await keptObjects(folder, after === undefined ? undefined : previous?.objects);
  const poll = new TaxiiPoll(connection, await collectionUrl(url, list, connection, signal), { signal, progress });
  const name = `objects-${Date.now()}.json`;
  const [path, unfinished] = [join(folder, name), join(folder, `${name}.unfinished`)];
  await pipeline(poll.objects(old === undefined ? undefined : after), createWriteStream(unfinished));
  if (old !== undefined && poll.identifiers.size === 0) {
    await rm(unfinished);
    return { changed: false };
  }
  await pipeline(merged(old, unfinished, poll.identifiers, signal), createWriteStream(path, { flush: true }));
  await rm(unfinished);
  const { addedAfter } = poll;
  const { size } = await stat(path);
  return {
    changed: true,
    documents: fileDocuments([{ path, place: poll.place }]),
    version: () => ({ objects: `${name} ${size}`, ...(addedAfter === undefined ? {} : { addedAfter }) }),
    close: async () => undefined,
  };
}

/** Returns the path of the previous objects, if they are whole. Removes those of updates that failed. */
async function keptObjects(folder: string, previous: string | undefined): Promise<string | undefined> {
  const [kept, size] = previous?.split(' ') ?? [];
  let found: string | undefined;
  for (const name of await readdir(folder)) {
    if (!OBJECTS_FILE.test(name)) continue;
    const path = join(folder, name);
    if (name === kept && (await stat(path)).size === Number(size)) found = path;
    else await rm(path, { force: true });
  }
  return found;
}

/** Yields the old objects but those that are replaced, then the new ones, as a STIX reader takes them. */
async function* merged(
  old: string | undefined,
  added: string,
  replaced: ReadonlySet<string>,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer> {
  yield storedLine();
  if (old !== undefined) {
    const options = { signal, onTooLarge: () => undefined };
    for await (const parts of jsonParts({ place: old, bytes: fileBytes(old) }, STORED, options)) {
      const kept = parts.filter(({ value }) => !isObject(value) || !replaced.has(String(value.id)));
      yield kept.map(({ value }) => storedLine(value)).join('');
    }
  }
  yield* fileBytes(added);
}
