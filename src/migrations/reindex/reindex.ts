import { BootstrapLock, type LockTimes, USUAL_LOCK_TIMES } from '../../datastore/bootstrap/bootstrap-lock.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { viewDocument } from '../../documents/kinds/view.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { Conflict } from '../../errors/errors.ts';
import { whenSearchable } from '../when-searchable.ts';
import { type IndexState, type ReindexStage, readIndexStates } from './index-states.ts';
import {
  type ReindexContext,
  type ReindexKind,
  type ReindexReport,
  type ReindexTimes,
  USUAL_REINDEX_TIMES,
} from './reindex-context.ts';
import { REINDEX_STEPS } from './reindex-steps.ts';

/** The definitions that the indices are brought to. */
export const REINDEX_DEFINITIONS = {
  view: viewDocument,
  analytic: analyticDocument,
  hit: hitDocument,
} as unknown as Readonly<Record<ReindexKind, CollectionDefinition<unknown>>>;

export interface ReindexOptions {
  readonly datastore: Datastore;
  readonly kind: ReindexKind;
  readonly report: ReindexReport;
  readonly signal: AbortSignal;
  /** Default false. */
  readonly allowFailures?: boolean;
  /** Default: `USUAL_REINDEX_TIMES`. */
  readonly times?: Partial<ReindexTimes>;
  readonly lockTimes?: LockTimes;
}

export interface ReindexedIndex {
  readonly index: string;
  /** The stage when this run began. */
  readonly begunAt: ReindexStage;
  readonly documents: number;
  /** Name of the index that keeps the documents as they were. */
  readonly kept: string;
}

/** No index needs more steps than there are stages, unless another program changes it too. */
const MAX_STEPS = 12;

/**
 * Brings every physical index of a kind to the present definition, newest first (spec "Versioning").
 * An interrupted run can be started again. One run at a time: others wait, as does a start of the program.
 * @throws NotFound `alias_missing`; Conflict `reindex_failures`, `reindex_differs`, `reindex_foreign_target`,
 * `reindex_orphan`, `reindex_kept_in_the_way`, `bootstrap_lock_lost`, `bootstrap_unfinished`; `signal.reason`
 */
export async function reindex(options: ReindexOptions): Promise<readonly ReindexedIndex[]> {
  const results = await withReindexContext(options, async (context) => {
    const done: ReindexedIndex[] = [];
    for (const state of await readIndexStates(context.admin, context.kind)) {
      const { names, stage } = state;
      if (stage === 'done') requireYounger(context, state);
      const { index } = await finished(context, names.index);
      done.push({ index: names.index, begunAt: stage, documents: index?.documents ?? 0, kept: names.kept });
    }
    return done;
  });
  await waitForSearches(options);
  return results;
}

/** Rejects an index that was restored beside the kept one: it looks done but is the older. */
function requireYounger({ kind }: ReindexContext, { names, index, kept }: IndexState): void {
  if (index === undefined || kept === undefined || index.createdAt >= kept.createdAt) return;
  throw new Conflict(
    'reindex_kept_in_the_way',
    `${names.index} is older than ${names.kept}, which an earlier reindex kept: it was restored from a back-up since. Delete the kept index with triad reindex --drop-old --index ${kind}, and start again.`,
  );
}

/** Runs `work` while no other process changes the indices of the kind. */
export async function withReindexContext<R>(
  options: ReindexOptions,
  work: (context: ReindexContext) => Promise<R>,
): Promise<R> {
  const { datastore, kind, report, signal, allowFailures = false } = options;
  const times = { ...USUAL_REINDEX_TIMES, ...options.times };
  const { admin } = datastore;
  const alias = `${admin.prefix}-${kind}`;
  const tell = (_details: object, text: string) => report.note(text);
  const logger = { info: tell, warn: tell, error: tell };
  const lock = await BootstrapLock.acquire({
    admin,
    alias,
    times: options.lockTimes ?? USUAL_LOCK_TIMES,
    logger,
    signal,
  });
  try {
    if (lock.wasInterrupted) {
      throw new Conflict(
        'bootstrap_unfinished',
        `Setting up the indices of ${alias} was interrupted. Start the program once, so that it is finished, and stop it again.`,
      );
    }
    const definition = REINDEX_DEFINITIONS[kind];
    return await work({ admin, kind, definition, lock, allowFailures, report, times, signal });
  } finally {
    await lock.release();
  }
}

async function finished(context: ReindexContext, index: string): Promise<IndexState> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const state = (await readIndexStates(context.admin, context.kind)).find(({ names }) => names.index === index);
    if (state === undefined) {
      throw new Conflict('reindex_disturbed', `${index} is gone. Stop what else changes indices, and start again.`);
    }
    if (state.stage === 'done') return state;
    await REINDEX_STEPS[state.stage](context, state);
  }
  throw new Conflict(
    'reindex_disturbed',
    `${index} changes while it is reindexed. Stop what else changes indices, and start again.`,
  );
}

/** Resolves when searches find the copies, whose columns the embedded engine builds later. */
async function waitForSearches({ datastore, kind, report, signal }: ReindexOptions): Promise<void> {
  const collection = datastore.collection(REINDEX_DEFINITIONS[kind]);
  const access = unrestricted('an operator waits until the index can be searched');
  try {
    await whenSearchable(() => collection.count({ query: MATCH_ALL }, access), { warn: report.note, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
