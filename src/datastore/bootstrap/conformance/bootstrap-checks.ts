import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL, EVERYTHING } from '../../conformance/things.ts';
import type { Datastore } from '../../port/datastore.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import { lifecycleNames } from '../lifecycle-settings.ts';
import type { Start, State } from './bootstrap-starts.ts';

/** Verifies the properties that hold after every bootstrap. */
export async function verify(store: Datastore, { alias, ids }: Start, state: State, enabled: boolean): Promise<void> {
  const names = lifecycleNames(alias);
  const all = await store.admin.list(`${alias}*`);
  const behind = all.filter(({ aliases }) => aliases.some(({ name }) => name === alias));
  const expected = state.startsWith('generations')
    ? [names.firstGeneration, names.firstGeneration.replace(/1$/, '2')]
    : [enabled ? names.firstGeneration : names.legacy];
  assert.deepEqual(
    behind.map(({ name }) => name),
    expected,
  );
  const marked = behind.filter(({ aliases }) => aliases.some((entry) => entry.name === alias && entry.writeIndex));
  if (enabled) {
    assert.deepEqual(
      marked.map(({ name, lifecyclePolicy, rolloverAlias }) => [name, lifecyclePolicy, rolloverAlias]),
      [[expected.at(-1), names.policy, alias]],
    );
  } else assert.ok(marked.length <= 1);
  for (const { name, writeBlocked } of all) assert.equal(writeBlocked, false, `${name} is blocked`);
  assert.equal(await store.admin.exists(names.lock), false, 'the lock was left');
  assert.deepEqual(await idsIn(store.admin, expected), ids);
  if (enabled && (state.startsWith('legacy') || state === 'bare')) {
    assert.deepEqual(await idsIn(store.admin, [names.legacy]), ids, 'the legacy index was not kept');
  }
  assert.equal(await store.admin.exists(alias), false);
}

/** Verifies after a reported error that every document can be read and written. */
export async function isUsedAsBefore(store: Datastore, { alias, ids }: Start): Promise<void> {
  const all = await store.admin.list(`${alias}*`);
  const behind = all.filter(({ name, aliases }) => name === alias || aliases.some((entry) => entry.name === alias));
  for (const { name, writeBlocked } of behind) assert.equal(writeBlocked, false, `${name} stayed blocked`);
  if (behind.length === 0) return;
  assert.deepEqual(
    await idsIn(
      store.admin,
      behind.map(({ name }) => name),
    ),
    ids,
  );
}

/** Documents can be written, old ones and new ones. */
export async function writesOn(store: Datastore, { definition, ids }: Start): Promise<void> {
  const things = store.collection(definition);
  await things.save('zzz', { thing_id: 'zzz', port: 1 }, { visible: 'now' });
  const [first] = ids;
  if (first !== undefined) {
    await things.update(first, [{ op: 'set', path: 'port', value: 4_711 }], { visible: 'now' });
    assert.equal((await things.get(first, EVERYTHING))?.port, 4_711);
  }
  assert.equal(await things.count(ALL, EVERYTHING), ids.length + 1);
}

/**
 * Counts in several documents, old and new ones, until it is told to stop.
 * What was answered last, and codes of what was refused.
 */
export async function writeOn(store: Datastore, { definition, ids }: Start, signal: AbortSignal) {
  const things = store.collection(definition);
  const counts = new Map<string, number>();
  const refused = new Set<string>();
  const write = async (id: string) => {
    for (let count = 1; !signal.aborted; count += 1) {
      try {
        await things.save(id, { thing_id: id, port: count });
        counts.set(id, count);
      } catch (error) {
        refused.add(String(Reflect.get(Object(error), 'code')));
        // A write that was refused must not be there later.
        count -= 1;
        await sleep(5);
      }
      await sleep(1);
    }
  };
  await Promise.all([...ids.slice(0, 3), 'new1', 'new2'].map(write));
  return { counts, refused };
}

async function idsIn(admin: IndexAdmin, indices: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const index of indices) {
    for await (const batch of admin.scan(index, {})) found.push(...batch.map(({ id }) => id));
  }
  return found.toSorted();
}
