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
import { type LifecycleJob, type LifecycleJobOptions, startLifecycleJob } from './lifecycle-job.ts';

const DAY = 86_400_000;

describe('the lifecycle job', () => {
  const definition = thingDefinition({ name: 'hit' });
  const definitions = [definition as CollectionDefinition<unknown>];
  let store: Datastore;
  let job: LifecycleJob | undefined;
  let compacted: string[];

  beforeEach(async () => {
    store = await openEmbeddedDatastore({ folder: 'memory', prefix: 'job' });
    compacted = [];
    const { admin, capabilities } = store;
    await bootstrapCollections({ admin, capabilities, definitions, ilm: ilm(), logger: SILENT });
  });
  afterEach(async () => {
    await job?.stop();
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
  const start = (options: Partial<LifecycleJobOptions> = {}): LifecycleJob => {
    job = startLifecycleJob({
      admin: watched(store.admin),
      definitions,
      ilm: ilm(),
      logger: SILENT,
      interval: DAY,
      ...options,
    });
    return job;
  };
  const generations = async () =>
    (await store.admin.list('job-hit-*')).map(({ name, aliases }) => [
      name.slice(-1),
      ...aliases.map((alias) => `${alias.name.slice('job-hit'.length)}${alias.writeIndex ? '*' : ''}`),
    ]);

  it('begins a generation when the present one is old or large enough, and not before', async () => {
    const things = store.collection(definition);
    await fill(things, [{ thing_id: 'one' }]);
    await start().runNow();
    assert.deepEqual(await generations(), [['1', '*']]);
    await job?.stop();
    await start({ ilm: ilm({ rollover_max_size: '1b' }) }).runNow();
    assert.deepEqual(await generations(), [
      ['1', ''],
      ['2', '*'],
    ]);
    await fill(things, [{ thing_id: 'two' }]);
    await job?.stop();
    await sleep(2);
    await start({ ilm: ilm({ rollover_max_age: '1ms' }) }).runNow();
    assert.deepEqual(await generations(), [
      ['1', ''],
      ['2', ''],
      ['3', '*'],
    ]);
    await job?.runNow();
    assert.equal((await generations()).length, 3, 'an empty generation was rolled over');
    assert.equal(await things.count(ALL, EVERYTHING), 2);
  });

  it('merges each generation once when it is old enough since its rollover, then marks it as cold', async () => {
    const things = store.collection(definition);
    await fill(things, [{ thing_id: 'one' }]);
    await store.admin.rollover('job-hit', { force: true });
    let age = 0;
    const now = () => Date.now() + age;
    await start({ now }).runNow();
    assert.deepEqual(compacted, []);
    age = 31 * DAY;
    await job?.runNow();
    await job?.runNow();
    assert.deepEqual(compacted, ['job-hit-000001']);
    assert.deepEqual(await generations(), [
      ['1', '', '_warm'],
      ['2', '*'],
    ]);
    age = 91 * DAY;
    await job?.runNow();
    await job?.runNow();
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
    await start({ now: () => Date.now() + 100 * DAY }).runNow();
    assert.deepEqual(compacted, ['job-hit-000001']);
    assert.deepEqual((await generations())[0], ['1', '', '_cold']);
  });

  it('skips phases that nobody asked for', async () => {
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    await store.admin.rollover('job-hit', { force: true });
    await start({ ilm: ilm({ indices: {} }), now: () => Date.now() + 1000 * DAY }).runNow();
    assert.deepEqual([compacted, (await generations())[0]], [[], ['1', '']]);
  });

  it('runs by itself, logs what fails, tries it again, and stops', async () => {
    const errors: string[] = [];
    const logger = { ...SILENT, error: (_details: object, message: string) => errors.push(message) };
    let failures = 2;
    const admin = new Proxy(store.admin, {
      get(target, name: keyof IndexAdmin) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        if (name !== 'rollover') return value.bind(target);
        return async (...args: Parameters<IndexAdmin['rollover']>) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The disk is full.');
          return target.rollover(...args);
        };
      },
    });
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    start({ admin, logger, interval: 1, ilm: ilm({ rollover_max_size: '1b' }) });
    for (let round = 0; round < 500 && (await generations()).length < 2; round += 1) await sleep(2);
    assert.equal((await generations()).length, 2);
    assert.equal(errors.length, 2);
    assert.match(errors[0] ?? '', /job-hit could not go on: The disk is full\. It is tried again later/);
    await job?.stop();
    failures = 0;
    await sleep(10);
    assert.equal(failures, 0, 'it runs on after it was stopped');
  });

  it('has nothing to do when the lifecycle is off', async () => {
    await fill(store.collection(definition), [{ thing_id: 'one' }]);
    await start({ ilm: ilm({ enabled: false, rollover_max_size: '1b' }) }).runNow();
    assert.equal((await generations()).length, 1);
  });
});

function ilm(changes: Partial<LifecycleSettings> = {}): LifecycleSettings {
  const hit = { enabled: true, warm: '30d', warm_forcemerge_segments: 3, cold: '90d' };
  return { enabled: true, rollover_max_age: '30d', rollover_max_size: '50gb', indices: { hit }, ...changes };
}
