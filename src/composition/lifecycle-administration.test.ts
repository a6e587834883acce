import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { loadConfig } from '../config/config.ts';
import { bootstrapCollections } from '../datastore/bootstrap/bootstrap-collections.ts';
import { ALL_DOCUMENTS } from '../documents/all-documents.ts';
import { openLifecycleAdministration } from './lifecycle-administration.ts';
import { openDatastore } from './open-adapters.ts';

describe('generations by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-lifecycle-'));
  const config = loadConfig({ environment: { SVC_DATA_FOLDER: folder, SVC_CONF_FOLDER: folder } });
  const logger = pino({ level: 'silent' });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (enabled: boolean) => {
    const store = await openDatastore(config, { logger });
    const { admin, capabilities } = store;
    const ilm = { ...config.datastore.ilm, enabled };
    await bootstrapCollections({ admin, capabilities, definitions: ALL_DOCUMENTS, ilm, logger });
    await store.close();
  };
  const withAdministration = async (
    work: (administration: Awaited<ReturnType<typeof openLifecycleAdministration>>) => Promise<void>,
  ) => {
    const administration = await openLifecycleAdministration(config, { logger });
    try {
      await work(administration);
    } finally {
      await administration.close();
    }
  };

  it('never deletes an index that is used', async () => {
    await start(false);
    await withAdministration(async (administration) => {
      await assert.rejects(administration.deleteLegacy('hit'), { code: 'index_in_use' });
      await assert.rejects(administration.rollOver('hit'), { code: 'lifecycle_missing' });
      await assert.rejects(administration.deleteLegacy('hits'), { code: 'unknown_collection' });
      assert.equal((await administration.list()).length, ALL_DOCUMENTS.length);
    });
  });

  it('never deletes the only index of a collection whose alias was lost', async () => {
    await start(false);
    const alias = (kind: 'add' | 'remove') => ({ kind, index: 'svc-hit_hot', alias: 'svc-hit' });
    const switchAlias = async (kind: 'add' | 'remove') => {
      const store = await openDatastore(config, { logger });
      await store.admin.switchAliases([alias(kind)]);
      await store.close();
    };
    await switchAlias('remove');
    await withAdministration(async (administration) => {
      await assert.rejects(administration.deleteLegacy('hit'), { code: 'index_in_use' });
      const hit = (await administration.list()).find(({ collection }) => collection === 'hit');
      assert.equal(hit?.state, 'no alias');
    });
    await switchAlias('add');
  });

  it('lists, rolls over, and deletes what the lifecycle replaced', async () => {
    await start(true);
    await withAdministration(async (administration) => {
      assert.equal(await administration.rollOver('hit'), 'svc-hit-000002');
      const states = async () =>
        (await administration.list()).flatMap(({ collection, name, state }) =>
          collection === 'hit' ? [`${name} ${state}`] : [],
        );
      assert.deepEqual(await states(), ['svc-hit-000001 older', 'svc-hit-000002 writes', 'svc-hit_hot legacy']);
      assert.equal(await administration.deleteLegacy('hit'), 'svc-hit_hot');
      assert.deepEqual(await states(), ['svc-hit-000001 older', 'svc-hit-000002 writes']);
      await assert.rejects(administration.deleteLegacy('hit'), { code: 'index_missing' });
    });
  });
});
