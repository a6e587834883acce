import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ENTRY_TIMES, hasEntries } from '../../analysis/replay/entry-files.ts';
import { type Command, type CommandContext, type ExitStatus, type FlagValues, WrongUse } from '../command.ts';
import { type Connection, connectionOf } from '../connection.ts';
import { answerOf, printable, reasonOf } from './replay-calls.ts';
import { exportEntries, importEntries } from './replay-entries.ts';

const CONNECTION = {
  server: { value: 'required', description: 'address of the analysis service; default: this machine' },
  user: { value: 'required', description: 'user whose key is in TRIAD_API_KEY; default: admin' },
} as const;
/** Documents of one export. */
const MAX_DOCUMENTS = 10_000;
const PAGE = 100;
const SUFFIX = '.al_bundle';
/** Identifiers that may be the name of a file. */
const NAME = /^[0-9A-Za-z_-]{1,64}$/;
const REQUESTED = 'metadata.replay:requested';

/** Commands that take submissions, alerts and lists to another installation, as files in a folder. */
export const REPLAY_COMMANDS: readonly Command[] = [
  {
    name: 'replay export',
    usage: 'FOLDER',
    summary:
      'Write bundles of the submissions and alerts that were requested to be replayed into a folder, and note them as done. The server needs analysis.ui.allow_replay.',
    flags: {
      ...CONNECTION,
      submissions: { value: 'required', description: `Lucene query of the submissions; default: ${REQUESTED}` },
      alerts: { value: 'required', description: `Lucene query of the alerts; default: ${REQUESTED}` },
      lists: {
        value: 'required',
        description: `what else is exported, as far as it changed since the last export: ${Object.keys(ENTRY_TIMES).join(', ')}; default: none`,
      },
    },
    run: exportAll,
  },
  {
    name: 'replay import',
    usage: 'FOLDER',
    summary:
      'Import the bundles and lists of a folder. For lists the server needs analysis.ui.allow_replay. Those that are imported are deleted; the others stay.',
    flags: {
      ...CONNECTION,
      'min-classification': { value: 'required', description: 'lowest classification of what is imported' },
      'rescan-services': { value: 'required', description: 'services that run again, separated by commas' },
      keep: { value: 'none', description: 'keep the files' },
    },
    run: importAll,
  },
];

async function exportAll(context: CommandContext, flags: FlagValues, folder: string): Promise<ExitStatus> {
  const connection = connectionOf(context, flags);
  const types = typesOf(flags.lists?.[0]);
  await mkdir(folder, { recursive: true });
  let failed = 0;
  for (const [index, idField, query] of [
    ['submission', 'sid', flags.submissions?.[0] ?? REQUESTED],
    ['alert', 'alert_id', flags.alerts?.[0] ?? REQUESTED],
  ] as const) {
    for (const id of await idsOf(connection, index, idField, query, context.ending)) {
      const name = `${index}_${id}${SUFFIX}`;
      try {
        if (!NAME.test(id)) throw new Error('the identifier cannot be the name of a file');
        const path = `bundle/${id}/${index === 'alert' ? '?use_alert=true' : ''}`;
        const { body } = await answerOf(connection, path, { signal: context.ending });
        const unfinished = join(folder, `.${name}.part`);
        try {
          if (body === null) throw new Error('the answer is empty');
          await pipeline(Readable.fromWeb(body), createWriteStream(unfinished), { signal: context.ending });
          await rename(unfinished, join(folder, name));
        } finally {
          await rm(unfinished, { force: true });
        }
        await answerOf(connection, `replay/${index}/${id}/`, { method: 'POST', signal: context.ending });
        context.print(`exported\t${name}`);
      } catch (error) {
        if (context.ending.aborted) throw error;
        failed += 1;
        context.print(`failed\t${printable(name)}\t${printable(reasonOf(error))}`);
      }
    }
  }
  for (const type of types) {
    try {
      for await (const name of exportEntries(connection, type, folder, context.ending)) {
        context.print(`exported\t${name}`);
      }
    } catch (error) {
      if (context.ending.aborted) throw error;
      failed += 1;
      context.print(`failed\t${type}\t${printable(reasonOf(error))}`);
    }
  }
  return failed === 0 ? 0 : 1;
}

/** @throws WrongUse */
function typesOf(lists: string | undefined): readonly string[] {
  const types = (lists ?? '').split(',').filter((type) => type !== '');
  const unknown = types.find((type) => !Object.hasOwn(ENTRY_TIMES, type));
  if (unknown === undefined) return [...new Set(types)];
  throw new WrongUse(`--lists has ${unknown}, which is none of ${Object.keys(ENTRY_TIMES).join(', ')}.`);
}

async function importAll(context: CommandContext, flags: FlagValues, folder: string): Promise<ExitStatus> {
  const connection = connectionOf(context, flags);
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
    throw new WrongUse(`${folder} is not a folder.`);
  }
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && isOurs(entry.name));
  const services = flags['rescan-services']?.[0];
  const minimum = flags['min-classification']?.[0];
  const query = new URLSearchParams({
    exist_ok: 'true',
    to_ingest: 'true',
    ...(services === undefined ? {} : { rescan_services: services }),
    ...(minimum === undefined ? {} : { min_classification: minimum }),
  });
  let failed = 0;
  for (const { name } of names.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, name);
    try {
      if (hasEntries(name)) await importEntries(connection, path, minimum, context.ending);
      else {
        // Read while it is sent.
        const body = await openAsBlob(path);
        await answerOf(connection, `bundle/?${query}`, { method: 'POST', body, signal: context.ending });
      }
      if (flags.keep === undefined) await rm(path);
      context.print(`imported\t${printable(name)}`);
    } catch (error) {
      if (context.ending.aborted) throw error;
      failed += 1;
      context.print(`failed\t${printable(name)}\t${printable(reasonOf(error))}`);
    }
  }
  return failed === 0 ? 0 : 1;
}

function isOurs(name: string): boolean {
  return !name.startsWith('.') && (name.endsWith(SUFFIX) || hasEntries(name));
}

async function idsOf(
  connection: Connection,
  index: string,
  idField: string,
  query: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let offset = 0; offset < MAX_DOCUMENTS; offset += PAGE) {
    const filters = index === 'submission' ? 'state:completed' : 'NOT extended_scan:submitted';
    const page = { query, filters, fl: idField, sort: `${idField} asc`, offset: `${offset}`, rows: `${PAGE}` };
    const answer = await answerOf(connection, `search/${index}/?${new URLSearchParams(page)}`, { signal });
    const { api_response } = (await answer.json()) as { api_response: { items: Record<string, unknown>[] } };
    ids.push(...api_response.items.map((item) => String(item[idField])));
    if (api_response.items.length < PAGE) break;
  }
  return ids;
}
