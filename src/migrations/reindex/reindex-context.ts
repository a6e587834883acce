import type { BootstrapLock } from '../../datastore/bootstrap/bootstrap-lock.ts';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { ReindexKind } from './reindex-names.ts';

/** Receives the progress of a reindex. */
export interface ReindexReport {
  /** Something that a person should know; whole sentences. */
  note(message: string): void;
  /** Documents of the index that are copied, of all. */
  progress(index: string, done: number, total: number): void;
}

/** Milliseconds. */
export interface ReindexTimes {
  /** Between two looks at a running copy. */
  readonly pollEvery: number;
  /** Time after which a copy whose task cannot be polled counts as ended. */
  readonly settle: number;
  /** Longest wait for a copy that was told to end. */
  readonly longestEnd: number;
}

export const USUAL_REINDEX_TIMES: ReindexTimes = { pollEvery: 500, settle: 1_000, longestEnd: 120_000 };

/** The context of the steps of a reindex. */
export interface ReindexContext {
  readonly admin: IndexAdmin;
  readonly kind: ReindexKind;
  /** The present one, which the new indices get. */
  readonly definition: CollectionDefinition<unknown>;
  readonly lock: BootstrapLock;
  /** Continues without documents that the new mapping refuses. */
  readonly allowFailures: boolean;
  readonly report: ReindexReport;
  readonly times: ReindexTimes;
  /** Obeyed until the alias is switched; what follows is short and is finished. */
  readonly signal: AbortSignal;
}
