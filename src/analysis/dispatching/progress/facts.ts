import type { ErrorRecord } from '../../../documents/kinds/analysis/error.ts';
import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { ResultSummary, TaskFile } from '../task.ts';

/** One run of a service on a file. */
export interface StepName {
  readonly sha256: string;
  readonly service: string;
}

export type TemporaryKeyKind = 'union' | 'overwrite';

export interface TraceRecord {
  readonly timestamp: string;
  readonly event_type: string;
  readonly service?: string;
  readonly file?: string;
  readonly message?: string;
}

/** Changes of a submission in progress. The journal stores them; the state follows from them alone. */
export type Fact =
  | {
      readonly kind: 'begun';
      readonly submission: Submission;
      /** Classification of the submitter, which services must not exceed; undefined: no limit. */
      readonly access?: string;
      readonly temporaryKeys: Readonly<Record<string, TemporaryKeyKind>>;
      readonly initial: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'file';
      readonly sha256: string;
      readonly name: string;
      readonly depth: number;
      /** Null: there is no document of the file. */
      readonly info: TaskFile | null;
      readonly relation: string;
      /** Absent for the submitted file. */
      readonly parent?: string;
      /** It counts as a file of the submission and is not analysed. */
      readonly isDropped?: boolean;
    }
  | { readonly kind: 'parent'; readonly sha256: string; readonly parent: string }
  | { readonly kind: 'exempt'; readonly sha256: string }
  /** Services that descendants of the file must not get. */
  | { readonly kind: 'forbidden'; readonly sha256: string; readonly names: readonly string[] }
  | { readonly kind: 'scheduled'; readonly sha256: string; readonly stages: readonly (readonly string[])[] }
  | { readonly kind: 'open' | 'closed'; readonly sha256: string }
  | (StepName & {
      readonly kind: 'queued';
      readonly taskId: string;
      /** Services that descendants of the file must not get. */
      readonly forbidden?: readonly string[];
      readonly log: string;
    })
  | (StepName & {
      readonly kind: 'claimed';
      readonly worker: string;
      /** Milliseconds since 1970. */
      readonly deadline: number;
      /** Dispatcher of the process that the worker ends with. */
      readonly process?: string;
      /** Values of the monitored keys that the worker gets; null where there is none. */
      readonly monitored?: Readonly<Record<string, unknown>>;
      readonly log: string;
    })
  /** The run ended without an outcome. `isFree`: it does not count as an attempt. */
  | (StepName & { readonly kind: 'released'; readonly log: string; readonly isFree?: true })
  | (StepName & { readonly kind: 'result'; readonly summary: ResultSummary })
  | (StepName & { readonly kind: 'error'; readonly key: string })
  | (StepName & { readonly kind: 'skipped' })
  | (StepName & { readonly kind: 'rerun' })
  | { readonly kind: 'refused'; readonly key: string }
  | { readonly kind: 'watched'; readonly watcher: string }
  | { readonly kind: 'traced'; readonly trace: TraceRecord }
  | { readonly kind: 'finished'; readonly at: string; readonly isCancelled: boolean };

export interface WatchMessage {
  readonly status: 'START' | 'STOP' | 'OK' | 'FAIL';
  readonly cache_key?: string;
}

/** Actions that follow from a step, after its facts are stored. Each may be repeated. */
export type Effect =
  | (StepName & { readonly kind: 'push'; readonly taskId: string; readonly priority: number })
  | { readonly kind: 'withdraw'; readonly service: string; readonly taskId: string }
  | { readonly kind: 'tell'; readonly watchers: readonly string[]; readonly messages: readonly WatchMessage[] }
  | { readonly kind: 'timeout'; readonly service: string }
  /** A task is given out again after an attempt. */
  | { readonly kind: 'again'; readonly service: string }
  /** A task failed after its last attempt. */
  | { readonly kind: 'retry'; readonly service: string }
  | { readonly kind: 'complete' };

/** The facts and effects of one event. */
export interface Step {
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  /** Error documents to store before the facts, by key. */
  readonly errors: ReadonlyMap<string, ErrorRecord>;
}
