import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { type DatastoreSubject, openForArea } from '../../conformance/subject.ts';
import { EVERYTHING, found } from '../../conformance/things.ts';
import { type DatastoreLogger, SILENT } from '../../port/datastore-logger.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import { bootstrapCollections } from '../bootstrap-collections.ts';
import type { LockTimes } from '../bootstrap-lock.ts';
import { type LifecycleSettings, lifecycleNames } from '../lifecycle-settings.ts';
import { isUsedAsBefore, verify, writeOn, writesOn } from './bootstrap-checks.ts';
import { cleanUp, type Start, type State, startOf } from './bootstrap-starts.ts';
import { type Fault, faultyAdmin } from './faulty-admin.ts';

export interface BootstrapSubject extends DatastoreSubject {
  /** True if the server supports lifecycles. Tests without lifecycles run in both cases. */
  readonly hasLifecycle: boolean;
  /** Documents before the bootstrap. Default 40. */
  readonly documents?: number;
  /** Interrupts at every step, or at every so many. Default 1. */
  readonly stepsBetweenFaults?: number;
  /**
   * Interrupts moves alone, in two ways instead of four: for servers, where each try takes seconds.
   * Default false.
   */
  readonly movesOnly?: boolean;
  /** For the test that writes meanwhile, in milliseconds. Default 0. */
  readonly settleTime?: number;
  /** Default: short ones, for a store that answers at once. */
  readonly lockTimes?: LockTimes;
}

const SHORT_LOCK_TIMES: LockTimes = { renewEvery: 10, patience: 100, lookEvery: 5 };

const WITH_LIFECYCLE: readonly State[] = [
  'nothing',
  'legacy',
  'legacy without alias',
  'generations',
  'generations without alias',
  'bare',
];
const WITHOUT_LIFECYCLE: readonly State[] = ['nothing', 'legacy', 'legacy without alias', 'generations', 'bare'];
const FAULTS: readonly Fault['kind'][] = ['before', 'after', 'killed before', 'killed after'];

/** Tests that the bootstrap loses no data, for every initial state and every interruption. */
export function bootstrapArea(subject: BootstrapSubject): void {
  const { documents = 40, stepsBetweenFaults = 1, lockTimes = SHORT_LOCK_TIMES, movesOnly = false } = subject;
  const faults: readonly Fault['kind'][] = movesOnly ? ['before', 'killed after'] : FAULTS;
  if (subject.unavailable !== undefined) {
    it('sets up indices', { skip: subject.unavailable }, () => {});
    return;
  }
  const opened = openForArea(subject);
  const modes: readonly { readonly enabled: boolean; readonly states: readonly State[] }[] = [
    { enabled: false, states: WITHOUT_LIFECYCLE },
    ...(subject.hasLifecycle ? [{ enabled: true, states: WITH_LIFECYCLE }] : []),
  ];

  const start = (state: State): Promise<Start> => startOf(opened.store, state, documents);
  const run = (
    { definition }: Start,
    enabled: boolean,
    admin: IndexAdmin = opened.store.admin,
    settleTime = 0,
    logger: DatastoreLogger = SILENT,
  ) =>
    bootstrapCollections({
      admin,
      capabilities: opened.store.capabilities,
      definitions: [definition as CollectionDefinition<unknown>],
      ilm: settings(enabled, definition.name),
      logger,
      lockTimes,
      settleTime,
    });

  for (const { enabled, states } of modes) {
    const kind = enabled ? 'with a lifecycle' : 'without one';
    for (const state of states) {
      it(`${kind}, finding ${state}: sets up once, and changes nothing the second time`, async () => {
        const given = await start(state);
        await run(given, enabled);
        await verify(opened.store, given, state, enabled);
        const [again] = (await run(given, enabled)).collections;
        assert.equal(again?.outcome, 'unchanged');
        await writesOn(opened.store, given);
      });

      it(`${kind}, finding ${state}: several starts at once come to the same end`, async () => {
        const given = await start(state);
        await Promise.all([run(given, enabled), run(given, enabled), run(given, enabled)]);
        await verify(opened.store, given, state, enabled);
      });

      if (movesOnly && !(state === 'bare' || (enabled && state === 'legacy'))) continue;

      it(`${kind}, finding ${state}: an interruption at any step is made good by the next start`, async () => {
        for (const [at, fault] of faults.entries()) {
          for (let step = 1 + (Math.floor(at / 2) % stepsBetweenFaults); ; step += stepsBetweenFaults) {
            const given = await start(state);
            const admin = faultyAdmin(opened.store.admin, { kind: fault, step });
            await run(given, enabled, admin).catch((error) => assert.equal(error.message, 'injected', error.stack));
            if (admin.hasFailed && fault === 'before') await isUsedAsBefore(opened.store, given);
            await run(given, enabled);
            await verify(opened.store, given, state, enabled);
            await cleanUp(opened.store, given);
            if (!admin.hasFailed) break;
          }
        }
      });

      it(`${kind}, finding ${state}: a start beside one that is interrupted comes to the end`, async () => {
        for (let step = 1; ; step += stepsBetweenFaults) {
          const given = await start(state);
          const admin = faultyAdmin(opened.store.admin, { kind: step % 2 === 0 ? 'killed after' : 'before', step });
          await Promise.all([run(given, enabled, admin).catch(() => undefined), run(given, enabled)]);
          await run(given, enabled);
          await verify(opened.store, given, state, enabled);
          await cleanUp(opened.store, given);
          if (!admin.hasFailed) break;
        }
      });
    }
  }

  it('adds the fields that are missing to every index behind the alias', async () => {
    const given = await start('generations');
    await run(given, false);
    const port = given.definition.fieldByPath.get('port');
    assert.ok(port);
    const fields = [...given.definition.fields, { ...port, path: 'added' }];
    const fieldByPath = new Map(fields.map((field) => [field.path, field]));
    const wider = { ...given, definition: { ...given.definition, fields, fieldByPath } };
    await run(wider, false);
    const things = opened.store.collection(wider.definition);
    const ends = [given.ids[0] ?? '', given.ids.at(-1) ?? ''];
    for (const id of ends) await things.update(id, [{ op: 'set', path: 'added', value: 7 }], { visible: 'now' });
    assert.deepEqual(await found(things, 'added:7'), ends);
  });

  it('leaves an alias alone that is on an index of another name', async () => {
    const given = await start('legacy');
    const { admin } = opened.store;
    const { legacy } = lifecycleNames(given.alias);
    const other = `${admin.prefix}-other-${given.definition.name}`;
    await admin.create(other, given.definition as CollectionDefinition<unknown>);
    await admin.switchAliases([
      { kind: 'delete_index', index: legacy },
      { kind: 'add', index: other, alias: given.alias },
    ]);
    await run(given, false);
    if (subject.hasLifecycle) await assert.rejects(run(given, true), { code: 'write_index_unclear' });
    assert.deepEqual(await admin.list(`${given.alias}*`), []);
    await writesOn(opened.store, { ...given, ids: [] });
  });

  it('keeps the write block of an index and names the index', async () => {
    const given = await start('legacy');
    const { admin } = opened.store;
    const { legacy } = lifecycleNames(given.alias);
    const warnings: string[] = [];
    const logger = { ...SILENT, warn: (_details: object, message: string) => warnings.push(message) };
    await run(given, false, admin, 0, logger);
    assert.deepEqual(warnings, []);
    await admin.blockWrites(legacy);
    await run(given, false, admin, 0, logger);
    assert.match(warnings.join('\n'), new RegExp(`^${legacy} rejects writes.*--cleanup`));
    assert.equal((await admin.list(legacy))[0]?.writeBlocked, true);
  });

  if (!subject.hasLifecycle) return;

  it('keeps every write that was answered while the documents move', async () => {
    const given = await start('legacy');
    const writers = new AbortController();
    const answered = writeOn(opened.store, given, writers.signal);
    await run(given, true, opened.store.admin, subject.settleTime);
    writers.abort();
    const { counts, refused } = await answered;
    for (const code of refused) assert.equal(code, 'write_blocked');
    const things = opened.store.collection(given.definition);
    for (const [id, count] of counts) assert.equal((await things.get(id, EVERYTHING))?.port, count, id);
  });

  it('continues without a lifecycle after it is disabled, even during a move', async () => {
    const given = await start('legacy');
    await run(given, true);
    assert.equal((await run(given, false)).collections[0]?.outcome, 'unchanged');
    await writesOn(opened.store, given);
    for (let step = 1; ; step += stepsBetweenFaults) {
      const interrupted = await start('legacy');
      const admin = faultyAdmin(opened.store.admin, { kind: 'killed after', step });
      await run(interrupted, true, admin).catch(() => undefined);
      await run(interrupted, false);
      await writesOn(opened.store, interrupted);
      await run(interrupted, true);
      await cleanUp(opened.store, interrupted);
      if (!admin.hasFailed) break;
    }
  });

  it('keeps an index that is in the way and no copy', async () => {
    const given = await start('legacy');
    const { firstGeneration, lock } = lifecycleNames(given.alias);
    await opened.store.admin.create(firstGeneration, given.definition as CollectionDefinition<unknown>);
    for (let round = 0; round < 2; round += 1) {
      await assert.rejects(run(given, true), { code: 'index_in_the_way' });
      assert.equal(await opened.store.admin.exists(firstGeneration), true);
      assert.equal(await opened.store.admin.exists(lock), false);
    }
    await writesOn(opened.store, given);
  });

  it('uses the clone that the public system leaves when it is interrupted', async () => {
    const given = await start('legacy');
    const { firstGeneration, legacy } = lifecycleNames(given.alias);
    const { admin } = opened.store;
    await admin.blockWrites(legacy);
    await admin.clone(legacy, firstGeneration);
    await run(given, true);
    await verify(opened.store, given, 'legacy', true);
  });

  it('stops when it is told to, and leaves everything as it was', async () => {
    const given = await start('legacy');
    const stop = new AbortController();
    const watched = new Proxy(opened.store.admin, {
      get(target, name: keyof IndexAdmin) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        if (name === 'clone') stop.abort(new Error('stopped'));
        return value.bind(target);
      },
    });
    const { definition } = given;
    await assert.rejects(
      bootstrapCollections({
        admin: watched,
        capabilities: opened.store.capabilities,
        definitions: [definition as CollectionDefinition<unknown>],
        ilm: settings(true, definition.name),
        logger: SILENT,
        signal: stop.signal,
      }),
      { message: 'stopped' },
    );
    assert.equal(await opened.store.admin.exists(lifecycleNames(given.alias).firstGeneration), false);
    await isUsedAsBefore(opened.store, given);
    await writesOn(opened.store, given);
  });
}

function settings(enabled: boolean, collection: string): LifecycleSettings {
  const own = { enabled: true, warm: '30d', warm_forcemerge_segments: 3, cold: '90d' };
  return { enabled, rollover_max_age: '30d', rollover_max_size: '50gb', indices: { [collection]: own } };
}
