import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { seedVersion2, version2Bytes } from '../../testing/migrations/reindex-seeds.ts';
import { version2Definition } from '../../testing/migrations/version-2-definitions.ts';
import { REINDEX_DEFINITIONS } from './reindex.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'start.mjs');
const DOCUMENTS = 100_000;
const LARGE = 'source.bytes:>=2147483648';

const folder = mkdtempSync(join(tmpdir(), 'triad-reindex-large-'));
after(() => rmSync(folder, { recursive: true, force: true }));

it('brings 100,000 alerts over although it was killed in the middle, and finds the numbers that an integer could not hold', async () => {
  const seeded = await open();
  await seedVersion2(seeded, 'hit', DOCUMENTS);
  assert.throws(
    () => compileQuery(LARGE, version2Definition('hit')),
    { code: 'invalid_query' },
    'an integer ends before',
  );
  await seeded.close();

  const first = run();
  await first.shows(/are copied to svc-reindex-hit_hot/);
  await sleep(300);
  first.child.kill('SIGKILL');
  assert.equal((await first.ended).signal, 'SIGKILL', first.shown());
  const half = await open();
  const [old] = await half.admin.list('svc-hit_hot');
  assert.deepEqual([old?.documents, old?.writeBlocked], [DOCUMENTS, true]);
  await half.close();

  const second = run();
  assert.equal((await second.ended).status, 0, second.shown());
  const store = await open();
  try {
    const large = Array.from({ length: DOCUMENTS }, (_, n) => version2Bytes(n)).filter((bytes) => bytes >= 2 ** 31);
    assert.equal(await found(store, REINDEX_DEFINITIONS.hit, LARGE), large.length);
    assert.equal(await found(store, REINDEX_DEFINITIONS.hit, 'howler.outline.target:"Host 99999"'), 1);
    const indices = (await store.admin.list('svc-*')).map(({ name, documents, writeBlocked }) => [
      name,
      documents,
      writeBlocked,
    ]);
    assert.deepEqual(indices, [
      ['svc-before-3.0.0-hit_hot', DOCUMENTS, true],
      ['svc-hit_hot', DOCUMENTS, false],
    ]);
  } finally {
    await store.close();
  }
});

function open(): Promise<Datastore> {
  return openEmbeddedDatastore({ folder, prefix: 'svc' });
}

function found(store: Datastore, definition: CollectionDefinition<unknown>, query: string): Promise<number> {
  const access = unrestricted('the test looks at its own documents');
  return store.collection(definition).count({ query: compileQuery(query, definition) }, access);
}

function run() {
  const child = spawn(process.execPath, [MAIN, 'reindex', '--index', 'hit', '--yes'], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, SVC_DATA_FOLDER: folder, SVC_CONF_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
  }
  const ended = new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.once('close', (status, signal) => resolve({ status, signal })),
  );
  const shows = async (pattern: RegExp) => {
    while (!pattern.test(shown)) {
      if (child.exitCode !== null) throw new Error(`it ended before it showed ${pattern}:\n${shown}`);
      await sleep(20);
    }
  };
  return { child, ended, shows, shown: () => shown };
}
