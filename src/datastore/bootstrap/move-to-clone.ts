import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { Conflict, Unavailable } from '../../errors/errors.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { AliasAction, IndexAdmin, IndexInfo, LifecyclePolicy } from '../port/index-admin.ts';
import { type BootstrapLock, isLockLost, type LockTimes } from './bootstrap-lock.ts';

export interface BootstrapContext {
  readonly admin: IndexAdmin;
  readonly definition: CollectionDefinition<unknown>;
  /** `<prefix>-<collection>`. */
  readonly alias: string;
  /** Undefined: all documents stay in one index. */
  readonly policy: LifecyclePolicy | undefined;
  readonly logger: DatastoreLogger;
  readonly lockTimes: LockTimes;
  /** Milliseconds between the switch to a new index and the end of the write block of the old one. */
  readonly settleTime: number;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds. */
const VERIFY_FOR = 30_000;
const LOOK_EVERY = 250;

export interface Move {
  readonly source: string;
  readonly target: string;
  /** Reads whether the target has replaced the source. */
  readonly isOver: () => Promise<boolean>;
  readonly prepare?: () => Promise<void>;
  /** Alias actions that atomically replace the source with the target. */
  readonly swap: readonly AliasAction[];
}

/** Replaces an index by its clone. An error restores everything; a kill is finished by the next call. */
export async function moveToClone(context: BootstrapContext, lock: BootstrapLock, move: Move): Promise<void> {
  const { admin, logger, signal } = context;
  const { source, target } = move;
  const { documents } = await infoOf(context, source);
  logger.info({ source, target, documents }, `${documents} documents of ${source} move to ${target}.`);
  await clearTarget(context, lock, move);
  try {
    await lock.begin();
    await admin.blockWrites(source);
    signal?.throwIfAborted();
    if (!(await admin.exists(target))) await admin.clone(source, target);
    await verifyClone(context, source, target);
    signal?.throwIfAborted();
    await move.prepare?.();
    await admin.unblockWrites(target);
    await lock.switchAliases(move.swap);
    logger.info({ source, target }, `${target} has taken the place of ${source}.`);
  } catch (error) {
    if (isLockLost(error)) throw error;
    // The switch may be done although its response was lost; undefined: unknown.
    const isOver = await move.isOver().catch((unread: unknown) => {
      logger.warn({ err: unread }, 'Whether the aliases were switched could not be found out.');
      return undefined;
    });
    if (isOver === false) await undo(context, lock, move);
    if (isOver !== true) throw error;
    logger.warn({ err: error, target }, `${target} took the place of ${source} although an error came back.`);
  }
  await finishMove(context, lock, source);
}

/** The source is kept and can be written to again; it goes only when the switch deleted it. */
export async function finishMove(context: BootstrapContext, lock: BootstrapLock, source: string): Promise<void> {
  const { admin, settleTime, signal } = context;
  if (await admin.exists(source)) {
    // Processes that run already remember for some seconds where the alias led.
    if (settleTime > 0) await sleep(settleTime, undefined, { signal });
    await admin.unblockWrites(source);
  }
  await lock.end();
}

/** Deletes the target of an interrupted start, keeps a copy of the blocked source, refuses others. */
async function clearTarget(context: BootstrapContext, lock: BootstrapLock, { source, target }: Move): Promise<void> {
  const { admin, logger } = context;
  const [present] = await admin.list(target);
  if (present === undefined) return;
  if (lock.wasInterrupted) {
    logger.warn({ target }, `${target} was left by an interrupted start; it is cloned again.`);
    await lock.switchAliases([{ kind: 'delete_index', index: target }]);
    return;
  }
  const { documents, writeBlocked } = await infoOf(context, source);
  if (writeBlocked && present.documents === documents) return;
  const message = `The documents of ${source} have to move to ${target}, but that exists already and is not a copy (${present.documents} documents; ${documents} in ${source}). Delete ${target} if it is not needed, or put the alias ${context.alias} on it alone; then start again.`;
  throw new Conflict('index_in_the_way', message, { at: target });
}

async function verifyClone(context: BootstrapContext, source: string, target: string): Promise<void> {
  const end = performance.now() + VERIFY_FOR;
  for (;;) {
    const [from, to] = [await infoOf(context, source), await infoOf(context, target)];
    if (from.documents === to.documents) return;
    if (performance.now() >= end) {
      const message = `${target} has ${to.documents} documents, and ${source}, which it was cloned from, ${from.documents}. Look into the log of the server; then start again.`;
      throw new Unavailable('clone_incomplete', message);
    }
    await sleep(LOOK_EVERY, undefined, { signal: context.signal });
  }
}

async function infoOf({ admin }: BootstrapContext, index: string): Promise<IndexInfo> {
  const [info] = await admin.list(index);
  if (info !== undefined) return info;
  throw new Unavailable('index_vanished', `The index ${index} vanished while its documents were moved. Start again.`);
}

/** Deletes the clone and unblocks the source; what fails is left to the next start. */
async function undo(context: BootstrapContext, lock: BootstrapLock, { source, target }: Move): Promise<void> {
  const { admin, logger } = context;
  try {
    await lock.check();
    if (await admin.exists(target)) await lock.switchAliases([{ kind: 'delete_index', index: target }]);
    await admin.unblockWrites(source);
    await lock.end();
    logger.warn({ source, target }, `${source} could not be moved to ${target}; it is used as before.`);
  } catch (error) {
    const message = `${source} remains blocked for writes, because ${target} could not be removed. The next start resumes from there.`;
    logger.error({ err: error, source, target }, message);
  }
}
