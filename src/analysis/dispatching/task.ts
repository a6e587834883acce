/** The file of a task: fields of its document that analyzers get. */
export interface TaskFile {
  readonly magic: string;
  readonly md5: string;
  readonly mime?: string | null;
  readonly sha1: string;
  readonly sha256: string;
  readonly size: number;
  readonly ssdeep?: string | null;
  readonly tlsh?: string | null;
  readonly type: string;
  readonly uri_info?: object | null;
}

export interface TaskTag {
  readonly type: string;
  readonly value: string;
  /** Last part of the type. */
  readonly short_type: string;
  readonly score?: number;
}

/** One run of an analyzer on one file, as workers get it (contract/analysis.md section 8.3). */
export interface Task {
  readonly task_id: string;
  readonly sid: string;
  /** Also has `task_id__`, `dispatcher__`, `dispatcher_address__`, `worker__`, which clients return. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly min_classification: string;
  readonly fileinfo: TaskFile;
  readonly filename: string;
  readonly service_name: string;
  readonly service_config: Readonly<Record<string, unknown>>;
  readonly depth: number;
  readonly max_files: number;
  /** Days; 0: never expires. */
  readonly ttl: number;
  readonly tags: readonly TaskTag[];
  readonly temporary_submission_data: readonly { readonly name: string; readonly value: unknown }[];
  readonly deep_scan: boolean;
  readonly ignore_cache: boolean;
  readonly ignore_recursion_prevention: boolean;
  readonly ignore_filtering: boolean;
  readonly priority: number;
  readonly safelist_config: {
    readonly enabled: boolean;
    readonly hash_types: readonly string[];
    readonly enforce_safelist_service: boolean;
  };
  /** Identifier of the dispatcher that handed the task out. */
  readonly dispatcher: string;
  readonly dispatcher_address: string;
}

/** Identifies a task in a reply of its worker. */
export interface TaskReceipt {
  readonly task_id: string;
  readonly sid: string;
  readonly service_name: string;
  readonly sha256: string;
}

/** A file that an analyzer extracted. Supplementary files are not children. */
export interface ExtractedChild {
  readonly sha256: string;
  readonly name: string;
  readonly parentRelation: string;
  readonly allowDynamicRecursion: boolean;
  readonly classification: string;
  /** True when not everyone who may see the submission may see the file. */
  readonly isRestricted?: true;
}

/** The parts of a stored result that dispatching uses. */
export interface ResultSummary {
  /** Key of the result or empty result. */
  readonly key: string;
  readonly serviceVersion: string;
  readonly toolVersion?: string;
  readonly score: number;
  /** Score of the sections that everyone who may see the submission may see. Default: the whole score. */
  readonly openScore?: number;
  /** The analyzer asked that the file gets no further stage. */
  readonly drop: boolean;
  readonly partial: boolean;
  readonly children: readonly ExtractedChild[];
  readonly tags: readonly { readonly type: string; readonly value: string; readonly score?: number }[];
  readonly temporaryData: Readonly<Record<string, unknown>>;
  /** Keys of error documents that were stored beside the result. */
  readonly extraErrors: readonly string[];
}

/** The end of a run; the documents that it names are stored already. */
export type TaskOutcome =
  | { readonly kind: 'result'; readonly summary: ResultSummary }
  | {
      readonly kind: 'error';
      readonly key: string;
      /** The task is given out again while attempts are left. */
      readonly isRecoverable: boolean;
      readonly message: string;
    };

/** A poll of a worker for a task. Times are milliseconds. */
export interface TaskPoll {
  readonly service: string;
  readonly version: string;
  /** Name of the worker, for logs and retry errors. */
  readonly worker: string;
  /** The worker ends with this process, whose death gives its tasks out again at once. */
  readonly isLocal?: boolean;
  /** Longest time to wait for a task. */
  readonly wait: number;
  /** Ends the wait early; a task is then left to others. */
  readonly signal?: AbortSignal;
}
