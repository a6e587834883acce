import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../../json/json-object.ts';
import { jsonParts } from '../formats/json/json-parts.ts';
import { type ListContent, ListProblem, type ListSettings } from '../list-entry.ts';
import { bodyOf, conditionsOf, versionOf } from './address-content.ts';
import type { ListAnswer } from './list-connection.ts';
import { fileBytes, fileDocuments, type RemoteContext } from './remote-context.ts';
import { limited, MAX_LIST_BYTES } from './unpacked-bytes.ts';

const MAX_MANIFEST = 64 * 1024 ** 2;
const MAX_EVENTS = 50_000;
const EVENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EVENT_FILE = /^[0-9a-f-]{36}-\d+\.json(?:\.unfinished)?$/i;

/**
 * Opens a feed of MISP: `manifest.json`, and a file for each of its events. The folder keeps the
 * events; only those whose time of change differs are fetched.
 */
export async function openMispFeed(url: string, _list: ListSettings, context: RemoteContext): Promise<ListContent> {
  const { connection, previous, folder, progress, signal } = context;
  const manifest = new URL(url.endsWith('manifest.json') ? url : `${url.replace(/\/?$/, '/')}manifest.json`);
  const answer = await connection.get(manifest.href, conditionsOf(previous));
  if (answer.status === 304) return { changed: false };
  const events = eventsOf(answer.place, await manifestOf(answer));
  const files = events.map(({ uuid, timestamp }) => `${uuid}-${timestamp}.json`);
  const digest = createHash('sha256').update(files.join('\n')).digest('hex');
  if (previous?.events === digest) return { changed: false };
  const there = new Set(await removeOthers(folder, new Set(files)));
  let length = 0;
  for (const [index, { uuid }] of events.entries()) {
    const path = join(folder, files[index] ?? '');
    if (there.has(files[index] ?? '')) continue;
    const event = await connection.get(new URL(`${uuid}.json`, manifest).href);
    const before = length;
    const bytes = bodyOf(event, (done) => {
      length = before + done;
      progress(length, undefined);
    });
    await pipeline(
      limited(bytes, event.place, MAX_LIST_BYTES - before),
      createWriteStream(`${path}.unfinished`, { flush: true }),
    );
    await assertEvent(`${path}.unfinished`, event.place, signal);
    await rename(`${path}.unfinished`, path);
  }
  return {
    changed: true,
    documents: fileDocuments(
      events.map(({ uuid }, index) => ({
        path: join(folder, files[index] ?? ''),
        place: new URL(`${uuid}.json`, answer.place).href,
      })),
    ),
    version: () => ({ ...versionOf(answer), events: digest }),
    close: async () => undefined,
  };
}

/** Rejects a file that is not an event before it is kept, because it is not fetched again. */
async function assertEvent(path: string, place: string, signal: AbortSignal): Promise<void> {
  let isEvent = false;
  const options = { signal, onTooLarge: () => undefined };
  for await (const _ of jsonParts({ place, bytes: fileBytes(path) }, { Event: { '}': 'event' } }, options))
    isEvent = true;
  if (!isEvent) throw new ListProblem(place, 'it is not a MISP event: it has no object with the key "Event"');
}

async function manifestOf(answer: ListAnswer): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of limited(
    bodyOf(answer, () => undefined),
    answer.place,
    MAX_MANIFEST,
  ))
    chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new ListProblem(answer.place, 'it is not JSON', { cause });
  }
}

/**
 * Returns the events of a manifest by identifier. Names of files come from it, so that both parts
 * are checked.
 */
function eventsOf(place: string, manifest: unknown) {
  if (!isObject(manifest)) throw new ListProblem(place, 'it is not a manifest, which has an entry for each event');
  const events = Object.entries(manifest).map(([uuid, about]) => {
    const timestamp = isObject(about) ? String(about.timestamp) : '';
    if (!EVENT.test(uuid) || !/^\d{1,15}$/.test(timestamp)) {
      throw new ListProblem(place, `its entry "${uuid.slice(0, 50)}" is not a UUID with a timestamp`);
    }
    return { uuid, timestamp };
  });
  if (events.length > MAX_EVENTS) throw new ListProblem(place, `it has more than ${MAX_EVENTS} events`);
  return events.sort((left, right) => (left.uuid < right.uuid ? -1 : 1));
}

/** Removes the events of the folder that are not wanted, and returns the names of the others. */
async function removeOthers(folder: string, wanted: ReadonlySet<string>): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => EVENT_FILE.test(name));
  for (const name of names) if (!wanted.has(name)) await rm(join(folder, name), { force: true });
  return names.filter((name) => wanted.has(name));
}
