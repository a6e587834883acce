import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination, Lock } from '../coordination/coordination.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import { Conflict, NotFound, Unavailable } from '../errors/errors.ts';
import type { Job, JobRun, JobStep } from './job.ts';
import { type JobSchedule, nextRun } from './job-schedules.ts';

interface Counter<Labels> {
  inc(labels: Labels, value?: number): void;
}

/** Totals by job, and runs by their outcome. */
export interface JobCounters {
  readonly runs: Counter<{ readonly job: string; readonly outcome: JobOutcome }>;
  readonly changed: Counter<{ readonly job: string }>;
  readonly seconds: Counter<{ readonly job: string }>;
}

export type JobOutcome = 'done' | 'failed' | 'interrupted';

export interface JobSchedulerDependencies {
  readonly jobs: readonly Job[];
  readonly schedules: readonly JobSchedule[];
  readonly coordination: Pick<Coordination, 'locks' | 'tokens'>;
  readonly counters: JobCounters;
  readonly log: DatastoreLogger;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** Milliseconds until another process continues a job whose process was killed, and between renewals. */
const LEASE = 6000;
const RENEWAL = 1500;
/** Milliseconds between attempts to take over a job, and between looks at the clock, which may jump. */
const LOCK_WAIT = 1000;
const MAX_SLEEP = 10_000;
/** Milliseconds for which a completed run is remembered: longer than clocks of processes differ. */
const MEMORY = 3_600_000;

/**
 * Runs jobs by their crontabs, each time in one of all processes.
 * A process waits while another runs the job: if that one dies, it takes the job over. Every run is counted and has one
 * line in the log.
 */
export class JobScheduler {
  readonly #dependencies: JobSchedulerDependencies;
  readonly #now: () => number;
  readonly #stopped = new AbortController();
  #loops: readonly Promise<void>[] = [];

  constructor(dependencies: JobSchedulerDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Runs every enabled job at its times until `stop`. */
  start(): void {
    const { schedules, log } = this.#dependencies;
    const next = schedules.map((one) => [one.name, nextRun(one, new Date(this.#now()))?.toISOString() ?? 'off']);
    log.info({ next: Object.fromEntries(next) }, 'jobs are scheduled');
    this.#loops = schedules.map((schedule) => this.#keepRunning(schedule));
  }

  /** Interrupts running jobs and resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#loops);
  }

  /**
   * Runs a job now, also one that is off; a dry run needs no lock.
   * @throws NotFound `job_unknown`; Conflict `job_running`, when another process runs it; what the job throws
   */
  async runNow(name: string, run: JobRun): Promise<readonly JobStep[]> {
    const job = this.#job(name);
    const lock = run.dryRun ? undefined : await this.#dependencies.coordination.locks.acquire(keyOf(name), LEASE);
    if (lock === undefined && !run.dryRun) {
      throw new Conflict('job_running', `Another process runs the job ${name}. Try again when it has ended.`);
    }
    const { steps, error } = await this.#run(job, run, lock).finally(() => lock?.release());
    if (error !== undefined) throw error;
    return steps;
  }

  async #keepRunning(schedule: JobSchedule): Promise<void> {
    const { signal } = this.#stopped;
    let time = nextRun(schedule, new Date(this.#now()));
    while (time !== undefined && !signal.aborted) {
      const left = time.getTime() - this.#now();
      if (left > 0) {
        await sleep(Math.min(left, MAX_SLEEP), undefined, { signal }).catch(() => undefined);
        continue;
      }
      await this.#runOnce(this.#job(schedule.name), time.getTime()).catch((error: unknown) => {
        this.#dependencies.counters.runs.inc({ job: schedule.name, outcome: 'failed' });
        this.#dependencies.log.error({ err: error, job: schedule.name }, `the job ${schedule.name} could not run`);
      });
      time = nextRun(schedule, new Date(Math.max(time.getTime(), this.#now())));
    }
  }

  /** Runs the job for one time of its crontab, unless another process completes it. */
  async #runOnce(job: Job, time: number): Promise<void> {
    const { locks, tokens } = this.#dependencies.coordination;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const lock = await locks.acquire(keyOf(job.name), LEASE, { wait: LOCK_WAIT });
      if (lock === undefined) continue;
      try {
        if (Number(await tokens.get(keyOf(job.name))) >= time) return;
        const { outcome } = await this.#run(job, { signal, dryRun: false, progress: () => undefined }, lock);
        if (outcome !== 'interrupted') await tokens.put(keyOf(job.name), time, MEMORY);
        return;
      } finally {
        await lock.release();
      }
    }
  }

  /** Runs the job while its lock is held; counts and logs the outcome. Never fails. */
  async #run(job: Job, run: JobRun, lock: Lock | undefined) {
    const { counters, log } = this.#dependencies;
    const started = performance.now();
    const held = lock && keepRenewing(lock, job.name);
    const signal = held === undefined ? run.signal : AbortSignal.any([run.signal, held.lost]);
    let steps: readonly JobStep[] = [];
    let error: unknown;
    try {
      steps = await job.run({ ...run, signal });
    } catch (thrown) {
      error = thrown;
    } finally {
      held?.stop();
    }
    const outcome = error === undefined ? outcomeOf(steps) : signal.aborted ? 'interrupted' : 'failed';
    const seconds = (performance.now() - started) / 1000;
    const changed = steps.reduce((sum, step) => sum + step.changed, 0);
    if (!run.dryRun) {
      counters.runs.inc({ job: job.name, outcome });
      counters.changed.inc({ job: job.name }, changed);
      counters.seconds.inc({ job: job.name }, seconds);
    }
    const entry = {
      job: job.name,
      outcome,
      dryRun: run.dryRun,
      changed,
      milliseconds: Math.round(seconds * 1000),
      steps,
    };
    const level = outcome === 'failed' ? 'error' : 'info';
    log[level](error === undefined ? entry : { ...entry, err: error }, `the job ${job.name} ended: ${outcome}`);
    return { outcome, steps, error };
  }

  /** @throws NotFound `job_unknown` */
  #job(name: string): Job {
    const { jobs } = this.#dependencies;
    const found = jobs.find((job) => job.name === name);
    if (found !== undefined) return found;
    throw new NotFound(
      'job_unknown',
      `There is no job "${name}". There are ${jobs.map((job) => job.name).join(', ')}.`,
    );
  }
}

/** Name of the lock of a job, and of the token with the newest completed time. */
function keyOf(name: string): string {
  return `job:${name}`;
}

function outcomeOf(steps: readonly JobStep[]): JobOutcome {
  return steps.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'done';
}

/** Renews the lock; `lost` aborts when another process may hold it, not for a lost connection alone. */
function keepRenewing(lock: Lock, name: string): { readonly lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    lock.renew(LEASE).then(
      (renewed) => {
        if (!renewed)
          lost.abort(
            new Unavailable('job_lock_lost', `The lock of the job ${name} was lost. Another process continues it.`),
          );
      },
      () => undefined,
    );
  }, RENEWAL).unref();
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}
