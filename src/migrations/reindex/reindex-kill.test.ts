import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { assertReindexed, optionsFor } from '../../testing/migrations/reindex-fixture.ts';
import { seedVersion2 } from '../../testing/migrations/reindex-seeds.ts';
import { reindex } from './reindex.ts';

const SCRIPT = join(import.meta.dirname, '../../testing/migrations/run-killed-reindex.ts');
const DOCUMENTS = 30;
/** More calls that change something than a reindex of one index makes. */
const MAX_CALLS = 40;

const root = mkdtempSync(join(tmpdir(), 'triad-reindex-kill-'));
after(() => rmSync(root, { recursive: true, force: true }));

it('ends the same on the embedded engine when the process is killed after any call and started again', async () => {
  const seeded = join(root, 'seeded');
  const store = await openEmbeddedDatastore({ folder: seeded, prefix: 'kill' });
  await seedVersion2(store, 'view', DOCUMENTS);
  await store.close();
  for (let calls = 1; calls < MAX_CALLS; calls += 1) {
    const folder = join(root, `after-${calls}`);
    cpSync(seeded, folder, { recursive: true });
    const child = spawnSync(process.execPath, [SCRIPT, folder, String(calls)], { encoding: 'utf8', timeout: 120_000 });
    const again = await openEmbeddedDatastore({ folder, prefix: 'kill' });
    try {
      if (child.signal === null) {
        assert.equal(child.status, 0, child.stderr);
        assert.ok(calls > 8, 'it makes fewer calls than it has steps');
        await assertReindexed(again, 'view', DOCUMENTS);
        return;
      }
      assert.equal(child.signal, 'SIGKILL', child.stderr);
      await reindex(optionsFor(again, 'view'));
      await assertReindexed(again, 'view', DOCUMENTS);
    } finally {
      await again.close();
    }
  }
  assert.fail('it never ended by itself');
});
