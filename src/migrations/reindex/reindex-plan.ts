import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import { type ReindexStage, readIndexStates } from './index-states.ts';
import type { ReindexKind } from './reindex-names.ts';

export interface PlannedIndex {
  readonly index: string;
  readonly stage: ReindexStage;
  readonly documents: number;
  readonly bytes: number;
  readonly kept: string;
}

/** The plan of a reindex of one kind. */
export interface ReindexPlan {
  readonly kind: ReindexKind;
  /** Newest first, the order in which they are brought over. */
  readonly indices: readonly PlannedIndex[];
  /** Nothing is left to do. */
  readonly isDone: boolean;
  /** Room that what is left to copy needs: twice its size. */
  readonly neededBytes: number;
  /** Undefined: the engine does not tell. */
  readonly freeBytes: number | undefined;
}

/** Specification, "Limits": at least 2 times the current data size. */
const ROOM_FACTOR = 2;

/** Reads; changes nothing. @throws as `readIndexStates` */
export async function planReindex(admin: IndexAdmin, kind: ReindexKind): Promise<ReindexPlan> {
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
