import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedDatastore } from '../src/datastore/embedded/embedded-datastore.ts';
import { MATCH_ALL } from '../src/datastore/port/query-tree.ts';
import { unrestricted } from '../src/datastore/port/read-access.ts';
import { hitDocument } from '../src/documents/kinds/hit.ts';
import type { CollectionDefinition, StoredDocument } from '../src/documents/schema/collection-definition.ts';
import { isTriadError } from '../src/errors/errors.ts';
import { version2Definition } from '../src/testing/migrations/version-2-definitions.ts';
import { benchAlert } from './alert-documents.ts';
import { watchMemory } from './memory.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';

/**
 * `node bench/reindex.ts [--alerts 1000000]`: stores alerts under the mapping of version 2.12.0 on the
 * embedded engine, then runs
 * `triad reindex --index hit --yes` and measures it from the start of the process to its end, which comes when searches find everything.
 * Exit status 1 when a goal was missed.
 */
const { values: flags } = parseArgs({ options: { alerts: { type: 'string', default: '1000000' } } });
const ALERTS = Number(flags.alerts);
const BULK = 1000;
const EVERYTHING = unrestricted('the bench looks at its own documents');
const folder = mkdtempSync(join(tmpdir(), 'triad-bench-reindex-'));

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

async function counted(definition: CollectionDefinition<StoredDocument>, query = MATCH_ALL): Promise<number> {
  const store = await openEmbeddedDatastore({ folder, prefix: 'svc' });
  try {
    for (;;) {
      try {
        return await store.collection(definition).count({ query }, EVERYTHING);
      } catch (error) {
        if (!isTriadError(error) || !['columns_rebuilding', 'search_timeout'].includes(error.code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  } finally {
    await store.close();
  }
}

async function seed(): Promise<void> {
  const old = version2Definition('hit');
  const store = await openEmbeddedDatastore({ folder, prefix: 'svc' });
  const now = Date.now();
  for (let from = 0; from < ALERTS; from += BULK) {
    const items = Array.from({ length: Math.min(BULK, ALERTS - from) }, (_, at) => {
      const id = `bench${String(from + at).padStart(8, '0')}`;
      const alert = benchAlert(from + at, now) as { howler: object };
      return { kind: 'save' as const, id, document: { ...alert, howler: { ...alert.howler, id } } };
    });
    await store.collection(old).bulk(items);
    if (from % 100_000 === 0) say(`  ${from.toLocaleString('en')} alerts stored`);
  }
  await store.close();
  if ((await counted(old)) !== ALERTS) throw new Error('not every alert was stored');
}

async function reindex(): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../src/start.mjs'), 'reindex', '--index=hit', '--yes'],
    {
      env: { ...process.env, SVC_DATA_FOLDER: folder, SVC_DATASTORE_INDEX_PREFIX: 'svc', SVC_CONF_FOLDER: folder },
      stdio: 'inherit',
    },
  );
  const memory = watchMemory(child.pid ?? 0);
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  memory.stop();
  if (status !== 0) throw new Error(`triad reindex ended with status ${status}`);
  return { seconds: (performance.now() - started) / 1000, megabytes: memory.peak() };
}

try {
  say(`storing ${ALERTS.toLocaleString('en')} alerts under the mapping of version 2.12.0`);
  await seed();
  say('reindexing');
  const { seconds, megabytes } = await reindex();
  const present = hitDocument as unknown as CollectionDefinition<StoredDocument>;
  const large = await counted(present, {
    kind: 'range',
    field: 'source.bytes',
    lower: { value: 2 ** 31, inclusive: true },
  });
  if (large === 0) throw new Error('no number above 2^31 is found');
  say(`${large.toLocaleString('en')} alerts have a number of bytes from 2^31 on`);
  const figures: readonly Figure[] = [
    { name: 'reindex of hit', value: ALERTS / seconds, unit: 'alerts/s', goal: 15_000 },
    { name: 'peak of memory', value: megabytes, unit: 'MB', goal: 1024 },
  ];
  process.stdout.write(`${table(figures)}\n`);
  process.exitCode = figures.every(reached) ? 0 : GOAL_MISSED;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
