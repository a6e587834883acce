import { carries } from '../../datastore/bootstrap/collection-indices.ts';
import type { IndexAdmin, IndexInfo } from '../../datastore/port/index-admin.ts';
import { Conflict, NotFound } from '../../errors/errors.ts';
import {
  foreignTarget,
  type IndexNames,
  indexNames,
  indexOf,
  type ReindexKind,
  targetStart,
} from './reindex-context.ts';

/**
 * The progress of one physical index, read from the state of the datastore alone.
 *
 * - `untouched`: the alias is on the index; a target may be incomplete
 * - `copied`: target and index are blocked; the target is blocked only after the comparison with the index
 * - `switched`: the alias is on the target; the index still has its name
 * - `unnamed`: the alias is on the target, the old documents are kept, and no index has the name
 * - `named`: the alias is on the new index; only cleaning up is left
 * - `done`: nothing is left to do.
 */
export type ReindexStage = 'untouched' | 'copied' | 'switched' | 'unnamed' | 'named' | 'done';

export interface IndexState {
  readonly names: IndexNames;
  readonly stage: ReindexStage;
  readonly index: IndexInfo | undefined;
  readonly target: IndexInfo | undefined;
  readonly kept: IndexInfo | undefined;
}

/**
 * The physical indices of a kind, newest first: the write index, then by name.
 * @throws NotFound `alias_missing`, when there is no index at all; Conflict `unexpected_index`, `reindex_foreign_target`, `reindex_orphan`
 */
export async function readIndexStates(admin: IndexAdmin, kind: ReindexKind): Promise<readonly IndexState[]> {
  const { prefix } = admin;
  const alias = `${prefix}-${kind}`;
  const all = new Map((await admin.list(`${prefix}-*`)).map((info) => [info.name, info]));
  const targets = [...all.keys()].filter((name) => name.startsWith(targetStart(prefix, kind)));
  const behind = [...all.values()].filter((info) => carries(info, alias));
  if (behind.length === 0 && targets.length === 0) {
    throw new NotFound(
      'alias_missing',
      `There is no index behind the alias ${alias}, so there is nothing to reindex. If there should be, check SVC_DATASTORE_INDEX_PREFIX and where the datastore is.`,
    );
  }
  const indices = new Set([...behind.map(({ name }) => name), ...targets].map((name) => indexOf(prefix, name)));
  const states = [...indices].map((index) => stateOf(all, alias, indexNames(prefix, kind, index)));
  const isWriteIndex = ({ index, target }: IndexState) =>
    [index, target].some((info) => info?.aliases.some(({ name, writeIndex }) => name === alias && writeIndex));
  return states.toSorted(
    (a, b) => Number(isWriteIndex(b)) - Number(isWriteIndex(a)) || (a.names.index < b.names.index ? 1 : -1),
  );
}

function stateOf(all: ReadonlyMap<string, IndexInfo>, alias: string, names: IndexNames): IndexState {
  const foreign = foreignTarget(names.index);
  if (all.has(foreign)) {
    throw new Conflict(
      'reindex_foreign_target',
      `${foreign} was left by another reindex that was interrupted. Remove it with triad reindex --cleanup first.`,
    );
  }
  const [index, target, kept] = [all.get(names.index), all.get(names.target), all.get(names.kept)];
  return { names, stage: stageOf(alias, names, { index, target, kept }), index, target, kept };
}

function stageOf(
  alias: string,
  names: IndexNames,
  { index, target, kept }: Pick<IndexState, 'index' | 'target' | 'kept'>,
): ReindexStage {
  if (target && carries(target, alias)) return index === undefined ? 'unnamed' : 'switched';
  if (index && carries(index, alias)) {
    if (kept) return target || index.writeBlocked ? 'named' : 'done';
    return target?.writeBlocked && index.writeBlocked ? 'copied' : 'untouched';
  }
  throw new Conflict(
    'reindex_orphan',
    `Neither ${names.index} nor ${names.target} is behind the alias ${alias}. When the alias is on another index, ${names.target} is what an interrupted reindex left: remove it with triad reindex --cleanup. Otherwise put the alias on the one that holds the documents.`,
  );
}

/** The plan of a reindex of one kind, with its indices in the order of the work, newest first. */
export type ReindexPlan = Awaited<ReturnType<typeof planReindex>>;

/** Specification, "Limits": at least 2 times the current data size. */
const ROOM_FACTOR = 2;

/** Reads only; `freeBytes` undefined: the engine does not tell. @throws as `readIndexStates` */
export async function planReindex(admin: IndexAdmin, kind: ReindexKind) {
  const indices = (await readIndexStates(admin, kind)).map(({ names, stage, index, target }) => ({
    index: names.index,
    stage,
    documents: (index ?? target)?.documents ?? 0,
    bytes: (index ?? target)?.bytes ?? 0,
    kept: names.kept,
  }));
  const left = indices.filter(({ stage }) => stage === 'untouched');
  return {
    kind,
    indices,
    isDone: indices.every(({ stage }) => stage === 'done'),
    neededBytes: ROOM_FACTOR * left.reduce((sum, { bytes }) => sum + bytes, 0),
    freeBytes: await admin.freeBytes(),
  };
}

/** Returns true when the 2× rule forbids it; unknown sizes forbid nothing. */
export function lacksRoom({ neededBytes, freeBytes }: ReindexPlan): boolean {
  return freeBytes !== undefined && freeBytes < neededBytes;
}
