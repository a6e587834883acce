import { isLockLost } from '../../datastore/bootstrap/bootstrap-lock.ts';
import { isMarkedForWriting } from '../../datastore/bootstrap/collection-indices.ts';
import type { AliasAction, IndexAdmin } from '../../datastore/port/index-admin.ts';
import { Conflict, messageOf } from '../../errors/errors.ts';
import { compareIndices } from './compare-indices.ts';
import type { IndexState, ReindexStage } from './index-states.ts';
import { type IndexNames, type ReindexContext, taskOfAlias } from './reindex-context.ts';
import { discardTarget, fillTarget } from './reindex-target.ts';

type Step = (context: ReindexContext, state: IndexState) => Promise<void>;

/** The step of each stage. It may be interrupted: the next stage read shows what it did. */
export const REINDEX_STEPS: Readonly<Record<Exclude<ReindexStage, 'done'>, Step>> = {
  async untouched(context, { names, target }) {
    const { admin, lock, report } = context;
    await undoing(context, names, async () => {
      if (target) await discardTarget(context, names.target);
      await lock.check();
      await admin.blockWrites(names.index);
      report.note(`${names.index}: writes are blocked, the documents are copied to ${names.target}.`);
      await fillTarget(context, names);
    });
  },

  async copied(context, { names, index }) {
    const { admin, lock, report, signal, allowFailures } = context;
    await undoing(context, names, async () => {
      const { compared } = await compareIndices(admin, {
        source: names.index,
        target: names.target,
        allowMissing: allowFailures,
        signal,
      });
      report.note(
        `${names.index}: the numbers of documents are as they should be; ${compared} documents were compared.`,
      );
      signal.throwIfAborted();
    });
    const moved = (index?.aliases ?? []).flatMap(({ name, writeIndex }): AliasAction[] => [
      { kind: 'remove', index: names.index, alias: name },
      addition(names.target, name, writeIndex),
    ]);
    await lock.switchAliases(moved);
  },

  async switched({ admin, lock, report }, { names, index, kept }) {
    if (kept && kept.documents >= (index?.documents ?? 0)) {
      // Whether this is the old index, or a new one that no one has switched to yet: its documents lie elsewhere too.
      await lock.switchAliases([{ kind: 'delete_index', index: names.index }]);
      return;
    }
    if (kept) await lock.switchAliases([{ kind: 'delete_index', index: names.kept }]);
    await lock.check();
    await admin.blockWrites(names.index);
    if (admin.rename) {
      await admin.rename(names.index, names.kept);
    } else {
      await admin.clone(names.index, names.kept);
      await admin.blockWrites(names.kept);
    }
    report.note(`${names.index}: the documents as they were are kept in ${names.kept}.`);
  },

  async unnamed({ admin, lock }, { names, target }) {
    await lock.check();
    if (admin.rename) {
      await admin.rename(names.target, names.index);
      return;
    }
    await admin.blockWrites(names.target);
    await admin.clone(names.target, names.index);
    // Until everything is done: a block tells a later run that something is left.
    await admin.blockWrites(names.index);
    const [clone] = await admin.list(names.index);
    if (clone?.documents !== target?.documents) {
      throw new Conflict('reindex_differs', `${names.index} is not an exact copy of ${names.target}. Start again.`);
    }
    await lock.switchAliases([
      { kind: 'delete_index', index: names.target },
      ...(target?.aliases ?? [])
        .filter(({ name }) => taskOfAlias(names.target, name) === undefined)
        .map(({ name, writeIndex }) => addition(names.index, name, writeIndex)),
    ]);
  },

  async named({ admin, lock }, { names, index, target, kept }) {
    if (target) await lock.switchAliases([{ kind: 'delete_index', index: names.target }]);
    const tasks = (index?.aliases ?? []).filter(({ name }) => taskOfAlias(names.target, name) !== undefined);
    await lock.switchAliases(tasks.map(({ name }) => ({ kind: 'remove', index: names.index, alias: name })));
    if (kept?.lifecyclePolicy !== undefined && kept.rolloverAlias !== undefined) {
      const { lifecyclePolicy, rolloverAlias } = kept;
      const rolledOver = await isRolledOver(admin, names.index, rolloverAlias);
      await admin.setLifecycle(names.index, lifecyclePolicy, rolloverAlias, { rolledOver });
    }
    if (kept && !kept.writeBlocked) await admin.blockWrites(names.kept);
    await admin.unblockWrites(names.index);
  },
};

/** When `work` fails, the index is as it was before: nothing was switched yet. */
async function undoing(context: ReindexContext, names: IndexNames, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isLockLost(error)) throw error;
    try {
      await discardTarget(context, names.target);
      await context.admin.unblockWrites(names.index);
    } catch (cause) {
      const reason = messageOf(cause);
      context.report.note(
        `${names.index}: what was begun could not be undone (${reason}). Use triad reindex --cleanup.`,
      );
    }
    throw error;
  }
}

/** Returns true when another index takes the writes of the alias. */
async function isRolledOver(admin: IndexAdmin, index: string, alias: string): Promise<boolean> {
  const all = await admin.list(`${admin.prefix}-*`);
  return all.some((other) => other.name !== index && isMarkedForWriting(other, alias));
}

function addition(index: string, alias: string, writeIndex: boolean): AliasAction {
  return { kind: 'add', index, alias, ...(writeIndex ? { writeIndex } : {}) };
}
