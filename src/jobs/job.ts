/** Work that runs by a crontab. A run that was interrupted is continued by the next one. */
export interface Job {
  readonly name: string;
  run(run: JobRun): Promise<readonly JobStep[]>;
}

/** Options of one run of a job. */
export interface JobRun {
  /** Aborts when the process stops, or has lost the lock of the job. */
  readonly signal: AbortSignal;
  /** Reports what would be changed and changes nothing. */
  readonly dryRun: boolean;
  readonly progress: (done: number, total: number) => void;
}

/** `interrupted`: the process stopped, or lost the lock; the next run continues it. */
export type JobOutcome = 'done' | 'failed' | 'interrupted';

/** One part of a run, for its line in the log and the table of `triad jobs run`. */
export interface JobStep {
  readonly name: string;
  readonly outcome: 'done' | 'failed' | 'skipped';
  /** Documents or indices that were changed; in a dry run those that would be. */
  readonly changed: number;
  /** A limit, or why the step failed or was skipped. */
  readonly detail?: string;
}

/** Returns the step of a part that failed. */
export function failedStep(name: string, detail: string, changed = 0): JobStep {
  return { name, outcome: 'failed', changed, detail };
}
