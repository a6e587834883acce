import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapCollections } from '../datastore/bootstrap/bootstrap-collections.ts';
import type { LifecycleSettings } from '../datastore/bootstrap/lifecycle-settings.ts';
import { ALL, EVERYTHING, fill, thingDefinition } from '../datastore/conformance/things.ts';
import { openEmbeddedDatastore } from '../datastore/embedded/embedded-datastore.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { SILENT } from '../datastore/port/datastore-logger.ts';
import type { IndexAdmin } from '../datastore/port/index-admin.ts';
import type { CollectionDefinition } from '../documents/schema/collection-definition.ts';
import { type LifecycleJobDependencies, lifecycleJob } from './lifecycle-job.ts';

const DAY = 86_400_000;

describe('the lifecycle job', () => {
  const definition = thingDefinition({ name: 'hit' });
  const definitions = [definition as CollectionDefinition<unknown>];
  let store: Datastore;
  let compacted: string[];

  beforeEach(async () => {
    store = await openEmbeddedDatastore({ folder: 'memory', prefix: 'job' });
    compacted = [];
    const { admin, capabilities } = store;
    await bootstrapCollections({ admin, capabilities, definitions, ilm: ilm(), logger: SILENT });
  });
  afterEach(async () => {
    await store.close();
  });

  const watched = (admin: IndexAdmin): IndexAdmin =>
    new Proxy(admin, {
      get(target, name: keyof IndexAdmin) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        if (name === 'compact') {
          return async (index: string) => {
            compacted.push(index);
            await target.compact(index);
          };
        }
        return value.bind(target);
      },
    });
  const run = (changes: Partial<LifecycleJobDependencies> = {}, dryRun = false) => {
    const job = lifecycleJob({ admin: watched(store.admin), definitions, ilm: ilm(), logger: SILENT, ...changes });
    return job.run({ signal: new AbortController().signal, dryRun, progress: () => undefined });
  };
  const generations = async () =>
    (await store.admin.list('job-hit-*')).map(({ name, aliases }) => [
      name.slice(-1),
      ...aliases.map((alias) => `${alias.name.slice('job-hit'.length)}${alias.writeIndex ? '*' : ''}`),
    ]);

  it('begins a generation when the present one is old or large enough, and not before', async () => {
    const things = store.collection(definition);
    await fill(things, [{ thing_id: 'one' }]);
    assert.deepEqual(await run(), [{ name: 'job-hit', outcome: 'done', changed: 0 }]);
    assert.deepEqual(await generations(), [['1', '*']]);
    const small = ilm({ rollover_max_size: '1b' });
    assert.deepEqual(await run({ ilm: small }, true), [
      { name: 'job-hit', outcome: 'skipped', changed: 0, detail: 'a dry run knows nothing of generations' },
    ]);
    assert.deepEqual(await generations(), [['1', '*']]);
    assert.deepEqual(await run({ ilm: small }), [{ name: 'job-hit', outcome: 'done', changed: 1 }]);
    assert.deepEqual(await generations(), [
      ['1', ''],
      ['2', '*'],
    ]);
    await fill(things, [{ thing_id: 'two' }]);
    await sleep(2);
    await run({ ilm: ilm({ rollover_max_age: '1ms' }) });
    assert.deepEqual(await generations(), [
      ['1', ''],
      ['2', ''],
      ['3', '*'],
    ]);
    await run({ ilm: ilm({ rollover_max_age: '1ms' }) });
    assert.equal((await generations()).length, 3, 'an empty generation was rolled over');
    assert.equal(await things.count(ALL, EVERYTHING), 2);
  });

  it('merges each generation once when it is old enough since its rollover, then marks it as cold', async () => {
    const things = store.collection(definition);
    await fill(things, [{ thing_id: 'one' }]);
    await store.admin.rollover('job-hit', { force: true });
    let age = 0;
    const now = () => Date.now() + age;
    await run({ now });
    assert.deepEqual(compacted, []);
    age = 31 * DAY;
    await run({ now });
    await run({ now });
    assert.deepEqual(compacted, ['job-hit-000001']);
    assert.deepEqual(await generations(), [
      ['1', '', '_warm'],
      ['2', '*'],
    ]);
    age = 91 * DAY;
    await run({ now });
    await run({ now });
    assert.deepEqual(compacted, ['job-hit-000001'], 'merged again');
    assert.deepEqual(await generations(), [
      ['1', '', '_cold'],
      ['2', '*'],
    ]);
    await things.update('one', [{ op: 'set', path: 'port', value: 7 }]);
    assert.equal((await things.get('one', EVERYTHING))?.port, 7, 'a cold generation is written to as any other');
  });

  it('does every phase of a generation that got old while nothing ran', async () => {
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    await store.admin.rollover('job-hit', { force: true });
    await run({ now: () => Date.now() + 100 * DAY });
    assert.deepEqual(compacted, ['job-hit-000001']);
    assert.deepEqual((await generations())[0], ['1', '', '_cold']);
  });

  it('skips phases that no one asked for', async () => {
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    await store.admin.rollover('job-hit', { force: true });
    await run({ ilm: ilm({ indices: {} }), now: () => Date.now() + 1000 * DAY });
    assert.deepEqual([compacted, (await generations())[0]], [[], ['1', '']]);
  });

  it('reports a collection that fails', async () => {
    const admin = new Proxy(store.admin, {
      get(target, name: keyof IndexAdmin) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        return name === 'rollover' ? () => Promise.reject(new Error('The disk is full.')) : value.bind(target);
      },
    });
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    assert.deepEqual(await run({ admin }), [
      { name: 'job-hit', outcome: 'failed', changed: 0, detail: 'The disk is full.' },
    ]);
  });

  it('has nothing to do when the lifecycle is off', async () => {
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    assert.deepEqual(await run({ ilm: ilm({ enabled: false, rollover_max_size: '1b' }) }), []);
    assert.equal((await generations()).length, 1);
  });
});

function ilm(changes: Partial<LifecycleSettings> = {}): LifecycleSettings {
  const hit = { enabled: true, warm: '30d', warm_forcemerge_segments: 3, cold: '90d' };
  return { enabled: true, rollover_max_age: '30d', rollover_max_size: '50gb', indices: { hit }, ...changes };
}
