import { carries } from '../../datastore/bootstrap/collection-indices.ts';
import type { AliasAction, IndexInfo } from '../../datastore/port/index-admin.ts';
import { Conflict, NotFound } from '../../errors/errors.ts';
import { readIndexStates } from './index-states.ts';
import { type ReindexOptions, withReindexContext } from './reindex.ts';
import {
  foreignTarget,
  type IndexNames,
  indexNames,
  indexOf,
  keptStart,
  type ReindexContext,
  targetStart,
} from './reindex-context.ts';
import { discardTarget } from './reindex-target.ts';

/** Undoes an interrupted run, also the public system's; returns what it did; throws `reindex_too_far`. */
export function cleanUpReindex(options: ReindexOptions): Promise<readonly string[]> {
  return withReindexContext(options, async (context) => {
    const { admin, kind } = context;
    const { prefix } = admin;
    const all = new Map((await admin.list(`${prefix}-*`)).map((info) => [info.name, info]));
    const alias = `${prefix}-${kind}`;
    const names = new Set(
      [...all.values()]
        .filter((info) => carries(info, alias) || info.name.startsWith(targetStart(prefix, kind)))
        .map(({ name }) => indexOf(prefix, name).replace(/__reindex$/, '')),
    );
    for (const name of all.keys()) {
      if (name.startsWith(alias) && name.endsWith('__reindex')) names.add(name.replace(/__reindex$/, ''));
    }
    const done: string[] = [];
    for (const name of names) done.push(...(await cleanUp(context, all, indexNames(prefix, kind, name))));
    return done;
  });
}

async function cleanUp(
  context: ReindexContext,
  all: ReadonlyMap<string, IndexInfo>,
  names: IndexNames,
): Promise<readonly string[]> {
  const index = all.get(names.index);
  const targets = [names.target, foreignTarget(names.index)].flatMap((name) => all.get(name) ?? []);
  const alias = `${context.admin.prefix}-${context.kind}`;
  // A lifecycle has taken the documents over since: nothing of all this is in use.
  const isElsewhere =
    ![index, ...targets].some((info) => info && carries(info, alias)) &&
    [...all.values()].some((info) => carries(info, alias));
  const isSwitched = all.has(names.kept) && (targets.length > 0 || index?.writeBlocked === true);
  if (index === undefined || (isSwitched && !isElsewhere)) {
    throw new Conflict(
      'reindex_too_far',
      `${names.index} was switched already, and what is left is the new copy of its documents. Start triad reindex again to finish it.`,
    );
  }
  for (const target of targets) {
    await context.lock.switchAliases(mergedAliases(index, target));
    await discardTarget(context, target.name);
  }
  if (index.writeBlocked) await context.admin.unblockWrites(names.index);
  return [
    ...targets.map(({ name }) => `${name} was deleted; ${names.index} is as it was.`),
    ...(index.writeBlocked ? [`${names.index} takes writes again.`] : []),
  ];
}

/** The index gets the aliases of both; it is the write index where one of them was. */
function mergedAliases(index: IndexInfo, target: IndexInfo): readonly AliasAction[] {
  const back = target.aliases.filter(({ name }) => !name.startsWith(`${target.name}-task-`));
  return back.flatMap(({ name, writeIndex }): AliasAction[] => {
    const own = index.aliases.find((alias) => alias.name === name);
    const isWriteIndex = writeIndex || own?.writeIndex === true;
    return [
      { kind: 'remove', index: target.name, alias: name },
      { kind: 'add', index: index.name, alias: name, ...(isWriteIndex ? { writeIndex: true } : {}) },
    ];
  });
}

/** Deletes the kept old indices of a kind; throws `reindex_unfinished`, `index_missing`. */
export function dropKeptIndices(options: ReindexOptions): Promise<readonly string[]> {
  return withReindexContext(options, async ({ admin, kind, lock }) => {
    const states = await readIndexStates(admin, kind);
    // Also those of indices that are gone since, or not in use any more.
    const kept = (await admin.list(`${keptStart(admin.prefix, kind)}*`)).map(({ name }) => name);
    if (kept.length === 0) throw new NotFound('index_missing', `No old index of ${kind} is kept.`);
    const unfinished = states.find((state) => state.kept !== undefined && state.stage !== 'done');
    if (unfinished) {
      throw new Conflict(
        'reindex_unfinished',
        `The reindex of ${unfinished.names.index} is not finished. Start triad reindex again first.`,
      );
    }
    for (const index of kept) await lock.switchAliases([{ kind: 'delete_index', index }]);
    return kept;
  });
}
