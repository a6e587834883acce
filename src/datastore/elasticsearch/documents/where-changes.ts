import { Conflict, isConflict } from '../../../errors/errors.ts';
import type { UpdatePlanResult } from '../../port/collection.ts';
import type { CheckedWhere, WhereChange } from '../../port/datastore-adapter.ts';
import type { QueryNode } from '../../port/query-tree.ts';
import { MAX_ATTEMPTS, pauseAfterConflict } from '../../port/retry-on-conflict.ts';
import type { IndexContext } from '../collection-context.ts';
import { sendPlaced, targetOf } from './document-placement.ts';
import type { FoundDocument, FoundPage } from './document-reading.ts';
import { changedText } from './document-source.ts';
import type { EngineWrite } from './engine-writes.ts';
import type { IndexRefresher } from './index-refresher.ts';

export interface WhereDependencies {
  readonly context: IndexContext;
  readonly refresher: IndexRefresher;
  /** Finds the matches that also meet a condition, page by page; a state of its own for each call. */
  readonly find: (extra: readonly QueryNode[]) => AsyncIterable<FoundPage>;
}

/**
 * Changes or deletes every match; one that is written meanwhile is matched again before its change.
 * @throws Conflict `version_conflict`, when others keep changing matches; what was changed before stays changed
 */
export async function changeWhere(
  dependencies: WhereDependencies,
  change: WhereChange,
  options: CheckedWhere,
): Promise<UpdatePlanResult> {
  const { context, find, refresher } = dependencies;
  const { visible, progress, signal } = options;
  const touched = new Set<string>();
  let matched: number | undefined;
  let changed = 0;
  let extra: readonly QueryNode[] = [];
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const again: string[] = [];
    let done = 0;
    for await (const { documents, total } of find(extra)) {
      signal?.throwIfAborted();
      matched ??= total;
      const outcome = await changeDocuments(context, documents, change);
      changed += outcome.changed;
      again.push(...outcome.conflicts.map(({ id }) => id));
      for (const { index } of outcome.conflicts) touched.add(index);
      for (const index of outcome.indices) touched.add(index);
      done += documents.length;
      if (attempt === 1) progress?.(done, total);
    }
    if (again.length === 0) break;
    if (attempt === MAX_ATTEMPTS) {
      const message = `${context.alias}: others kept changing ${again.length} of the documents. ${changed} were changed; repeat it for the rest.`;
      throw new Conflict('version_conflict', message);
    }
    await pauseAfterConflict(attempt, signal);
    // Whether they still match shows only in what searches see.
    await refresher.refresh(touched);
    extra = [{ kind: 'ids', ids: again }];
  }
  if (visible === 'now' && changed > 0) await refresher.refresh(touched);
  return { matched: matched ?? 0, changed };
}

/** Returns how many were changed, those written by others meanwhile, and the indices written to. */
async function changeDocuments(context: IndexContext, documents: readonly FoundDocument[], change: WhereChange) {
  const writes: EngineWrite[] = [];
  const written: FoundDocument[] = [];
  for (const found of documents) {
    const source = change === 'delete' ? undefined : changedText(found, change);
    if (change !== 'delete' && source === undefined) continue;
    written.push(found);
    const write = source === undefined ? ({ action: 'delete' } as const) : ({ action: 'index', source } as const);
    writes.push({ id: found.id, ...write, ...(await targetOf(context, found)) });
  }
  const indices = new Set<string>();
  const conflicts: FoundDocument[] = [];
  for (const [at, outcome] of (await sendPlaced(context, writes)).entries()) {
    const found = written[at];
    if (!found) continue;
    if (outcome?.ok) indices.add(outcome.index);
    else if (outcome && isConflict(outcome.error)) conflicts.push(found);
    else throw outcome?.error ?? new Error('a write was left out');
  }
  return { changed: written.length - conflicts.length, conflicts, indices };
}
