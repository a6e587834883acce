import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination, Lock } from '../coordination/coordination.ts';
import type { DatastoreLogger } from '../datastore/port/datastore-logger.ts';
import { Conflict, isTriadError, isUnavailable, messageOf, NotFound, Unavailable } from '../errors/errors.ts';
import type { Job, JobOutcome, JobRun, JobStep } from './job.ts';
import type { JobRecord, JobRecords, RunningJob } from './job-records.ts';
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

export interface JobSchedulerDependencies {
  readonly jobs: readonly Job[];
  readonly schedules: readonly JobSchedule[];
  readonly coordination: Pick<Coordination, 'locks' | 'tokens'>;
  /** Gets every run but dry ones. */
  readonly records: Pick<JobRecords, 'running' | 'ended'>;
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
  /** Runs of `begin`. */
  readonly #begun = new Set<Promise<unknown>>();

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
    await Promise.all([...this.#loops, ...this.#begun]);
  }

  /**
   * Runs a job now, also one that is off; a dry run needs no lock.
   * @throws NotFound `job_unknown`; Conflict `job_running`, when another process runs it; what the job throws
   */
  async runNow(name: string, run: JobRun): Promise<readonly JobStep[]> {
    const job = this.#job(name);
    const lock = run.dryRun ? undefined : await this.#lock(name);
    const { steps, error } = await this.#run(job, run, lock).finally(() => lock?.release());
    if (error !== undefined) throw error;
    return steps;
  }

  /**
   * Begins a run that continues after the promise has resolved, also of a job that is off.
   * Its outcome is recorded, counted and logged as that of any run; `stop` interrupts it.
   * @param by the user who wants it
   * @throws NotFound `job_unknown`; Conflict `job_running`
   */
  async begin(name: string, by: string): Promise<void> {
    const job = this.#job(name);
    const lock = await this.#lock(name);
    const run = { signal: this.#stopped.signal, dryRun: false, progress: () => undefined };
    const running: Promise<unknown> = this.#run(job, run, lock, by)
      .finally(() => lock.release())
      .catch((err: unknown) =>
        this.#dependencies.log.error({ err, job: name }, `the job ${name} could not be unlocked`),
      )
      .finally(() => this.#begun.delete(running));
    this.#begun.add(running);
  }

  /** Returns the names of the jobs that this process can run. */
  get names(): ReadonlySet<string> {
    return new Set(this.#dependencies.jobs.map(({ name }) => name));
  }

  /** @throws Conflict `job_running` */
  async #lock(name: string): Promise<Lock> {
    const lock = await this.#dependencies.coordination.locks.acquire(keyOf(name), LEASE);
    if (lock !== undefined) return lock;
    throw new Conflict('job_running', `The job ${name} is running. Try again when it has ended.`);
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

  /** Runs the job while its lock is held; records, counts and logs the outcome. Never fails. */
  async #run(job: Job, run: JobRun, lock: Lock | undefined, by?: string) {
    const { log } = this.#dependencies;
    const started = performance.now();
    const watch = run.dryRun ? undefined : await this.#watch(job.name, by);
    const held = lock && keepRenewing(lock, job.name, () => watch?.renew());
    const limit = AbortSignal.timeout(this.#times.run);
    const signal = AbortSignal.any([run.signal, limit, ...(held === undefined ? [] : [held.lost])]);
    const progress: JobRun['progress'] = (done, total) => {
      watch?.progress(done, total);
      run.progress(done, total);
    };
    const ended = new AbortController();
    let steps: readonly JobStep[] = [];
    let error: unknown;
    try {
      const hanging = rejectWhenHanging(job.name, signal, this.#times.grace, ended.signal);
      const working = async () => job.run({ ...run, signal, progress });
      steps = await Promise.race([working(), hanging]);
    } catch (thrown) {
      error = thrown;
    } finally {
      ended.abort();
      held?.stop();
    }
    const isInterrupted = signal.aborted && !(isTriadError(error) && error.code === 'job_hangs');
    const outcome = error === undefined ? outcomeOf(steps) : isInterrupted ? 'interrupted' : 'failed';
    const milliseconds = Math.round(performance.now() - started);
    const changed = steps.reduce((sum, step) => sum + step.changed, 0);
    await watch?.ended({ outcome, changed, steps, error: error === undefined ? null : messageOf(error) }, milliseconds);
    const entry = { job: job.name, outcome, dryRun: run.dryRun, changed, milliseconds, steps };
    const level = outcome === 'failed' ? 'error' : 'info';
    log[level](error === undefined ? entry : { ...entry, err: error }, `the job ${job.name} ended: ${outcome}`);
    return { outcome, steps, error };
  }

  /** Records that a job is running, then its end, and counts it. */
  async #watch(name: string, by: string | undefined) {
    const { counters, records } = this.#dependencies;
    const started = Date.now();
    const begun = { started_at: new Date(started).toISOString(), started_by: by ?? null };
    let running: RunningJob = { ...begun, done: null, total: null };
    const renew = () => records.running(name, running, LEASE);
    await renew();
    return {
      renew,
      progress(done: number, total: number): void {
        running = { ...running, done, total };
      },
      async ended(result: RunResult, milliseconds: number): Promise<void> {
        counters.runs.inc({ job: name, outcome: result.outcome });
        counters.changed.inc({ job: name }, result.changed);
        counters.seconds.inc({ job: name }, milliseconds / 1000);
        const ended_at = new Date(started + milliseconds).toISOString();
        await records.ended(name, { ...begun, ended_at, ...result });
      },
    };
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

type RunResult = Pick<JobRecord, 'outcome' | 'changed' | 'steps' | 'error'>;

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
function keepRenewing(lock: Lock, name: string, onRenewal: () => void): { readonly lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    onRenewal();
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
