import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination, Lock } from '../coordination/coordination.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import { Conflict, isTriadError, isUnavailable, NotFound, Unavailable } from '../errors/errors.ts';
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
  /** Milliseconds. Default `TIMES`. */
  readonly times?: Partial<typeof TIMES>;
}

/** Milliseconds until another process continues a job whose process was killed, and between renewals. */
const LEASE = 6000;
const RENEWAL = 1500;
/** Milliseconds between attempts to take over a job. */
const LOCK_WAIT = 1000;
const TIMES = {
  /** Interval between reads of the clock, which may jump. */
  look: 10_000,
  /** Interval between attempts while coordination is unavailable. */
  retry: 10_000,
  /** Time limit of a run, which is then interrupted and continued by another. */
  run: 12 * 3_600_000,
  /** Time limit of an interrupted run, which is then abandoned. */
  grace: 10_000,
};
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
  readonly #times: typeof TIMES;
  readonly #stopped = new AbortController();
  #loops: readonly Promise<void>[] = [];

  constructor(dependencies: JobSchedulerDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
    this.#times = { ...TIMES, ...dependencies.times };
  }

  /** Runs every enabled job at its times until `stop`. */
  start(): void {
    const { schedules, log } = this.#dependencies;
    const next = schedules.map((one) => [one.name, nextRun(one, new Date(this.#now()))?.toISOString() ?? 'off']);
    log.info({ next: Object.fromEntries(next) }, 'jobs are scheduled');
    this.#loops = schedules.map((schedule) => this.#keepRunning(schedule));
  }

  /** Interrupts running jobs and resolves when they have ended or were abandoned. */
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
    const { counters, log } = this.#dependencies;
    const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    let last = this.#now();
    let time = nextRun(schedule, new Date(last));
    let hasFailed = false;
    while (time !== undefined && !signal.aborted) {
      const now = this.#now();
      const wasSetBack = now < last;
      last = now;
      if (wasSetBack) time = nextRun(schedule, new Date(now)) ?? time;
      if (now < time.getTime()) {
        await pause(Math.min(time.getTime() - now, this.#times.look));
        continue;
      }
      try {
        await this.#runOnce(this.#job(schedule.name), time.getTime());
        hasFailed = false;
      } catch (err) {
        if (!hasFailed) {
          counters.runs.inc({ job: schedule.name, outcome: 'failed' });
          log.error({ err, job: schedule.name }, `the job ${schedule.name} could not run`);
        }
        hasFailed = isUnavailable(err);
        if (hasFailed) {
          await pause(this.#times.retry);
          continue;
        }
      }
      time = nextRun(schedule, new Date(Math.max(time.getTime(), this.#now())));
    }
  }

  /**
   * Runs the job for one time of its crontab to its end, unless another process completes it.
   * @throws Unavailable
   */
  async #runOnce(job: Job, time: number): Promise<void> {
    const { locks, tokens } = this.#dependencies.coordination;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const lock = await locks.acquire(keyOf(job.name), LEASE, { wait: LOCK_WAIT });
      if (lock === undefined) continue;
      try {
        if (Number(await tokens.get(keyOf(job.name))) >= time) return;
        const { outcome } = await this.#run(job, { signal, dryRun: false, progress: () => undefined }, lock);
        if (outcome === 'interrupted') continue;
        await tokens.put(keyOf(job.name), time, MEMORY);
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
    const limit = AbortSignal.timeout(this.#times.run);
    const signal = AbortSignal.any([run.signal, limit, ...(held === undefined ? [] : [held.lost])]);
    const ended = new AbortController();
    let steps: readonly JobStep[] = [];
    let error: unknown;
    try {
      const hanging = rejectWhenHanging(job.name, signal, this.#times.grace, ended.signal);
      const working = async () => job.run({ ...run, signal });
      steps = await Promise.race([working(), hanging]);
    } catch (thrown) {
      error = thrown;
    } finally {
      ended.abort();
      held?.stop();
    }
    const isInterrupted = signal.aborted && !(isTriadError(error) && error.code === 'job_hangs');
    const outcome = error === undefined ? outcomeOf(steps) : isInterrupted ? 'interrupted' : 'failed';
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

/**
 * Rejects when a run that was interrupted has not ended after `grace`, and when `signal` aborts.
 * @throws Unavailable `job_hangs`
 */
async function rejectWhenHanging(
  name: string,
  interrupted: AbortSignal,
  grace: number,
  signal: AbortSignal,
): Promise<never> {
  if (!interrupted.aborted) await once(interrupted, 'abort', { signal });
  await sleep(grace, undefined, { signal });
  throw new Unavailable(
    'job_hangs',
    `The job ${name} did not end within ${grace} ms after it was interrupted. Its run is abandoned.`,
  );
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
