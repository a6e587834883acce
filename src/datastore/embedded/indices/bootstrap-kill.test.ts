import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ALL_DOCUMENTS } from '../../../documents/all-documents.ts';
import { openAndKill } from '../../../testing/open-and-kill.ts';
import { bootstrapCollections } from '../../bootstrap/bootstrap-collections.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';

const DOCUMENTS = 20_000;
const LOCK_TIMES = { renewEvery: 20, patience: 200, lookEvery: 10 };
const ILM = { enabled: true, rollover_max_age: '30d', rollover_max_size: '50gb', indices: {} };
/** Milliseconds after the folder is open; the whole takes about a second, more on a busy machine. */
const KILLS = [10, 60, 150, 300, 500, 900, 1500];

/** One start, in a process that can be killed. */
const START = `
  import { ALL_DOCUMENTS } from ${JSON.stringify(new URL('../../../documents/all-documents.ts', import.meta.url).href)};
  import { bootstrapCollections } from ${JSON.stringify(new URL('../../bootstrap/bootstrap-collections.ts', import.meta.url).href)};
  import { SILENT } from ${JSON.stringify(new URL('../../port/datastore-logger.ts', import.meta.url).href)};
  import { openEmbeddedDatastore } from ${JSON.stringify(new URL('../embedded-datastore.ts', import.meta.url).href)};
  const { admin, capabilities } = await openEmbeddedDatastore({ folder: process.argv[1], prefix: 'test' });
  console.log('open');
  await bootstrapCollections({ admin, capabilities, definitions: ALL_DOCUMENTS, ilm: ${JSON.stringify(ILM)}, logger: SILENT,
    lockTimes: ${JSON.stringify(LOCK_TIMES)} });
  console.log('done');
  setInterval(() => {}, 1000);
`;

describe('a start that moves documents and is killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-bootstrap-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is finished by a later one, with every document', { timeout: 180_000 }, async () => {
    const [hit] = ALL_DOCUMENTS;
    const before = await openEmbeddedDatastore({ folder, prefix: 'test' });
    const hits = before.collection<object>({ ...hit, Type: {} });
    for (let first = 0; first < DOCUMENTS; first += 1000) {
      const items = Array.from({ length: 1000 }, (_, at) => ({
        kind: 'save' as const,
        id: `h${first + at}`,
        document: { howler: { id: `h${first + at}`, analytic: 'kill', detail: 'x'.repeat(500) } },
      }));
      await hits.bulk(items);
    }
    await before.close();

    let killed = 0;
    for (const delay of KILLS) killed += (await openAndKill(START, folder, delay)) ? 1 : 0;
    assert.ok(killed >= 2, 'no start was killed before it was done');

    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    try {
      const { admin, capabilities } = store;
      const options = { admin, capabilities, definitions: ALL_DOCUMENTS, ilm: ILM, logger: SILENT };
      const { collections } = await bootstrapCollections({ ...options, lockTimes: LOCK_TIMES });
      assert.equal(collections[0]?.writeIndex, 'test-hit-000001');
      const indices = await admin.list('test-hit*');
      assert.deepEqual(
        indices.map(({ name, documents, writeBlocked }) => [name, documents, writeBlocked]),
        [
          ['test-hit-000001', DOCUMENTS, false],
          ['test-hit_hot', DOCUMENTS, false],
        ],
      );
      let scanned = 0;
      for await (const batch of admin.scan('test-hit-000001', {})) scanned += batch.length;
      assert.equal(scanned, DOCUMENTS);
      assert.ok(await hasDocument(store));
    } finally {
      await store.close();
    }
  });
});

async function hasDocument(store: Awaited<ReturnType<typeof openEmbeddedDatastore>>): Promise<boolean> {
  for await (const batch of store.admin.scan('test-hit-000001', { after: 'h19998' })) {
    return batch[0]?.id === 'h19999' && JSON.stringify(batch[0].document).includes('kill');
  }
  return false;
}
