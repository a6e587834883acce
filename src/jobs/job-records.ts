import type { Coordination } from '../coordination/coordination.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import { messageOf } from '../errors/errors.ts';
import type { JobOutcome, JobStep } from './job.ts';

/** The last run of a job, in whichever process. Times are ISO 8601 in UTC. */
export interface JobRecord {
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: JobOutcome;
  /** Documents and indices that it changed. */
  readonly changed: number;
  /** The first 100 parts of the run. */
  readonly steps: readonly JobStep[];
  /** The reason of the failure; null: it did not fail as a whole. */
  readonly error: string | null;
  /** The user who started it; null: its crontab did, or a command of the operator. */
  readonly started_by: string | null;
}

/** A run that has not ended. */
export interface RunningJob extends Pick<JobRecord, 'started_at' | 'started_by'> {
  /** Items that are done, and all items, as far as the job reports them. */
  readonly done: number | null;
  readonly total: number | null;
}

const TABLE = 'jobs';
const MAX_STEPS = 100;
const MAX_DETAIL = 500;

/**
 * Records runs of jobs for all processes. Runs do not depend on it: what cannot be recorded is logged.
 * A run whose process dies counts as running for the rest of its lease.
 */
export class JobRecords {
  readonly #coordination: Pick<Coordination, 'tables' | 'tokens'>;
  readonly #log: Pick<DatastoreLogger, 'warn'>;

  constructor(coordination: Pick<Coordination, 'tables' | 'tokens'>, log: Pick<DatastoreLogger, 'warn'>) {
    this.#coordination = coordination;
    this.#log = log;
  }

  /** Marks a job as running for `lease` milliseconds, also again. */
  async running(name: string, run: RunningJob, lease: number): Promise<void> {
    await this.#attempt(name, () => this.#coordination.tokens.put(keyOf(name), run, lease));
  }

  async ended(name: string, record: JobRecord): Promise<void> {
    const steps = record.steps.slice(0, MAX_STEPS).map(({ detail, ...step }) => ({
      ...step,
      ...(detail === undefined ? {} : { detail: detail.slice(0, MAX_DETAIL) }),
    }));
    const error = record.error?.slice(0, MAX_DETAIL) ?? null;
    await this.#attempt(name, async () => {
      await this.#coordination.tables.put(TABLE, name, { ...record, steps, error });
      await this.#coordination.tokens.remove(keyOf(name));
    });
  }

  /** Returns the last run that ended, by job. @throws Unavailable `coordination_unavailable` */
  async last(): Promise<ReadonlyMap<string, JobRecord>> {
    return (await this.#coordination.tables.entries(TABLE)) as ReadonlyMap<string, JobRecord>;
  }

  /** Returns the run of a job that is under way, if any. @throws Unavailable `coordination_unavailable` */
  async current(name: string): Promise<RunningJob | undefined> {
    return (await this.#coordination.tokens.get(keyOf(name))) as RunningJob | undefined;
  }

  async #attempt(name: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#log.warn({ job: name, reason: messageOf(error) }, `the run of the job ${name} could not be recorded`);
    }
  }
}

function keyOf(name: string): string {
  return `job-running:${name}`;
}
