import { Conflict } from '../../errors/errors.ts';
import type { AliasAction, IndexInfo } from '../port/index-admin.ts';
import { BootstrapLock, doneUnless, isLockLost } from './bootstrap-lock.ts';
import { type CollectionIndices, carries, isMarkedForWriting, readCollectionIndices } from './collection-indices.ts';
import { lifecycleNames } from './lifecycle-settings.ts';
import { type BootstrapContext, finishMove, moveToClone } from './move-to-clone.ts';

/** `created`: from nothing. `moved`: from an older index. `repaired`: the alias was wrong. */
type BootstrapOutcome = 'created' | 'moved' | 'repaired' | 'unchanged';

export interface CollectionSummary {
  readonly collection: string;
  readonly alias: string;
  readonly hasLifecycle: boolean;
  readonly outcome: BootstrapOutcome;
  readonly writeIndex: string;
  /** An index from before the lifecycle, which nothing uses any more. */
  readonly legacyIndex: string | undefined;
}

/** So often another process may be quicker before something must be wrong. */
const MAX_ROUNDS = 20;

/** Brings a collection from any state of "Collection ILM bootstrap" to its settings, also concurrently. */
export async function bootstrapCollection(context: BootstrapContext): Promise<CollectionSummary> {
  const { admin, alias, policy } = context;
  let outcome: BootstrapOutcome = 'unchanged';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    context.signal?.throwIfAborted();
    const found = await readCollectionIndices(admin, alias);
    if (found.isLocked || found.bare !== undefined || (policy !== undefined && legacyOf(found) !== undefined)) {
      if (await moveUnderLock(context)) outcome = 'moved';
    } else if (found.generations.length === 0 && found.hot === undefined && found.behindAlias.length === 0) {
      if (await doneUnless('index_exists', () => createFirst(context))) outcome = 'created';
    } else {
      const actions = repairs(found);
      if (actions.length === 0) return verified(context, found, outcome);
      // Another process may have changed the alias meanwhile: it is looked at again.
      const isRepaired = await doneUnless('alias_missing', () => admin.switchAliases(actions));
      if (isRepaired && outcome === 'unchanged') outcome = 'repaired';
    }
  }
  const message = `The indices of ${alias} change all the time: other processes set them up too. Start again when they are done.`;
  throw new Conflict('indices_unsteady', message);
}

async function verified(
  context: BootstrapContext,
  found: CollectionIndices,
  outcome: BootstrapOutcome,
): Promise<CollectionSummary> {
  const { admin, alias, definition, policy, logger } = context;
  const { behindAlias, hot } = found;
  const writeIndex = behindAlias.find((index) => isMarkedForWriting(index, alias)) ?? soleIndex(alias, behindAlias);
  if (policy !== undefined) {
    const names = lifecycleNames(alias);
    if (!found.generations.includes(writeIndex)) throw unknownIndex(alias, writeIndex);
    if (writeIndex.lifecyclePolicy !== names.policy || writeIndex.rolloverAlias !== alias) {
      await admin.setLifecycle(writeIndex.name, names.policy, alias);
    }
  }
  for (const { name } of behindAlias) await admin.addFields(name, definition);
  if (writeIndex.writeBlocked) {
    logger.warn(
      { alias, index: writeIndex.name },
      `${writeIndex.name} rejects writes: requests that write ${definition.name} fail. After an interrupted reindex, run triad reindex to finish it or triad reindex --cleanup to revert it. Otherwise remove the write block of the index.`,
    );
  }
  return {
    collection: definition.name,
    alias,
    hasLifecycle: policy !== undefined,
    outcome,
    writeIndex: writeIndex.name,
    legacyIndex: hot !== undefined && !carries(hot, alias) ? hot.name : undefined,
  };
}

/** Returns what makes the newest generation the write index; a lost alias goes to every index. */
function repairs({ alias, generations, hot, behindAlias }: CollectionIndices): readonly AliasAction[] {
  const newest = generations.at(-1);
  const isGone = behindAlias.length === 0;
  if (newest === undefined) {
    return hot !== undefined && isGone ? [{ kind: 'add', index: hot.name, alias }] : [];
  }
  // Documents that did not come over yet are no mistake of the alias.
  if (!isGone && !generations.some((index) => carries(index, alias))) return [];
  const actions: AliasAction[] = [];
  const add = (index: IndexInfo, writeIndex: boolean) =>
    actions.push({ kind: 'add', index: index.name, alias, writeIndex });
  for (const index of isGone ? generations : behindAlias) {
    if (index.name === newest.name) continue;
    if (index.name === hot?.name) actions.push({ kind: 'remove', index: hot.name, alias });
    else if (isGone || isMarkedForWriting(index, alias)) add(index, false);
  }
  if (!isMarkedForWriting(newest, alias)) add(newest, true);
  return actions;
}

/** The index whose documents have to come under the lifecycle; undefined: none. */
function legacyOf({ alias, generations, hot, behindAlias }: CollectionIndices): IndexInfo | undefined {
  if (hot === undefined || generations.some((index) => carries(index, alias))) return undefined;
  return carries(hot, alias) || (behindAlias.length === 0 && generations.length === 0) ? hot : undefined;
}

async function createFirst({ admin, alias, definition, policy }: BootstrapContext): Promise<void> {
  const names = lifecycleNames(alias);
  if (policy === undefined) {
    await admin.create(names.legacy, definition, { aliases: [{ name: alias }] });
    return;
  }
  await admin.create(names.firstGeneration, definition, {
    lifecyclePolicy: names.policy,
    rolloverAlias: alias,
    aliases: [{ name: alias, writeIndex: true }],
  });
}

/** Returns whether documents were moved; if the lock is lost, its new holder continues. */
async function moveUnderLock(context: BootstrapContext): Promise<boolean> {
  const { admin, alias, logger, signal } = context;
  const lock = await BootstrapLock.acquire({ admin, alias, times: context.lockTimes, logger, signal });
  try {
    return await moveDocuments(context, lock);
  } catch (error) {
    if (!isLockLost(error)) throw error;
    logger.warn({ err: error }, 'Another process has taken over the indices.');
    return false;
  } finally {
    await lock.release().catch((error) => {
      logger.warn({ err: error }, `The lock of ${alias} could not be deleted; the next start waits for it once.`);
    });
  }
}

async function moveDocuments(context: BootstrapContext, lock: BootstrapLock): Promise<boolean> {
  const { admin, alias, policy } = context;
  const names = lifecycleNames(alias);
  const { bare } = await readCollectionIndices(admin, alias);
  if (bare !== undefined) {
    await moveToClone(context, lock, {
      source: alias,
      target: names.legacy,
      isOver: async () => !(await admin.exists(alias)),
      swap: [
        { kind: 'delete_index', index: alias },
        { kind: 'add', index: names.legacy, alias },
      ],
    });
  }
  const found = await readCollectionIndices(admin, alias);
  const legacy = legacyOf(found);
  if (policy !== undefined && legacy !== undefined) {
    await moveToClone(context, lock, {
      source: legacy.name,
      target: names.firstGeneration,
      isOver: async () => legacyOf(await readCollectionIndices(admin, alias)) === undefined,
      prepare: () => admin.setLifecycle(names.firstGeneration, names.policy, alias),
      swap: [
        ...(carries(legacy, alias) ? [{ kind: 'remove', index: legacy.name, alias } as const] : []),
        { kind: 'add', index: names.firstGeneration, alias, writeIndex: true },
      ],
    });
    return true;
  }
  if (lock.wasInterrupted) await finishInterrupted(context, lock, found);
  return bare !== undefined;
}

/** Ends a move that was interrupted after the switch, or before it and is not wanted any more. */
async function finishInterrupted(
  context: BootstrapContext,
  lock: BootstrapLock,
  found: CollectionIndices,
): Promise<void> {
  const names = lifecycleNames(context.alias);
  const clone = found.generations.find(({ name }) => name === names.firstGeneration);
  if (legacyOf(found) !== undefined && clone !== undefined) {
    await lock.switchAliases([{ kind: 'delete_index', index: clone.name }]);
  }
  await finishMove(context, lock, names.legacy);
}

function soleIndex(alias: string, behindAlias: readonly IndexInfo[]): IndexInfo {
  const [index, ...others] = behindAlias;
  if (index !== undefined && others.length === 0) return index;
  const message = `The alias ${alias} is on ${behindAlias.length} indices, and none of them is marked as its write index. Mark the newest.`;
  throw new Conflict('write_index_unclear', message, { at: alias });
}

function unknownIndex(alias: string, { name }: IndexInfo): Conflict {
  const { legacy, firstGeneration } = lifecycleNames(alias);
  const message = `The alias ${alias} is on ${name}, and a lifecycle begins with ${legacy} or ${firstGeneration}. When a reindex was interrupted, finish it first; else move the documents there, or switch datastore.ilm off for this collection.`;
  return new Conflict('write_index_unclear', message, { at: alias });
}
