import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COPIED, everyDocument, tableOf } from '../../../testing/copied-columns.ts';
import { openAndKill } from '../../../testing/open-and-kill.ts';
import { SEARCHABLE } from '../../../testing/searchable-kind.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';
import { COLUMN_FILE } from './column-database.ts';

const DOCUMENTS = 12_000;
/** Milliseconds after the folder is open; the whole takes about a second, more on a busy machine. */
const KILLS = [60, 250, 500, 900, 1500];

const COPY = `
  import { COPIED, copyAll, everyDocument } from ${JSON.stringify(new URL('../../../testing/copied-columns.ts', import.meta.url).href)};
  import { SEARCHABLE } from ${JSON.stringify(new URL('../../../testing/searchable-kind.ts', import.meta.url).href)};
  import { openEmbeddedDatastore } from ${JSON.stringify(new URL('../embedded-datastore.ts', import.meta.url).href)};
  const store = await openEmbeddedDatastore({ folder: process.argv[1], prefix: 'test' });
  if (await store.admin.exists('test-copied_hot')) await store.admin.delete('test-copied_hot');
  console.log('open');
  await copyAll(store, SEARCHABLE, COPIED);
  await everyDocument(store, COPIED);
  console.log('done');
  setInterval(() => {}, 1000);
`;

describe('a copy that is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-copy-kill-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves columns that come to hold what the documents say', { timeout: 240_000 }, async () => {
    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    const items = Array.from({ length: DOCUMENTS }, (_, at) => ({
      kind: 'save' as const,
      id: `d${at}`,
      document: {
        status: at % 3 ? 'Open' : 'closed',
        title: `Title ${at}`,
        tags: ['a', `t${at % 7}`],
        message: [`the fox number ${at}`, 'jumps'],
        severity: at % 2 ? at : 3_000_000_000 + at,
        labels: { key: `v${at % 5}` },
      },
    }));
    for (let first = 0; first < DOCUMENTS; first += 1000) {
      await store.collection(SEARCHABLE).bulk(items.slice(first, first + 1000));
    }
    await everyDocument(store, SEARCHABLE);
    await store.close();

    let killed = 0;
    for (const delay of KILLS) {
      killed += (await openAndKill(COPY, folder, delay)) ? 1 : 0;
      const found = await searched(folder);
      const columns = await tableOf(folder, 'test-copied_hot');
      assert.equal(columns.length, found);
      rmSync(join(folder, COLUMN_FILE));
      await searched(folder);
      assert.deepEqual(columns, await tableOf(folder, 'test-copied_hot'), `killed after ${delay} ms`);
    }
    assert.ok(killed >= 2, 'no copy was killed before it was done');
  });
});

/** Waits for the columns of both indices; how many documents the copy has. */
async function searched(folder: string): Promise<number> {
  const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
  try {
    assert.equal(await everyDocument(store, SEARCHABLE), DOCUMENTS);
    return await everyDocument(store, COPIED);
  } finally {
    await store.close();
  }
}
