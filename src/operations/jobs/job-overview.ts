import type { JobRecord, JobRecords, RunningJob } from '../../jobs/job-records.ts';
import type { JobScheduler } from '../../jobs/job-scheduler.ts';
import { type JobSchedule, nextRun } from '../../jobs/job-schedules.ts';

export interface JobOverviewDependencies {
  readonly schedules: readonly JobSchedule[];
  readonly scheduler: Pick<JobScheduler, 'names'>;
  readonly records: Pick<JobRecords, 'last' | 'current'>;
  /** True if this process runs jobs at their times. */
  readonly isScheduling: boolean;
}

/** A job with its last, present and next run. */
export interface JobState {
  readonly name: string;
  readonly summary: string;
  readonly enabled: boolean;
  readonly crontab: string;
  readonly time_zone: string;
  /** False: another engine does this work by itself. */
  readonly available: boolean;
  readonly next_run: string | null;
  readonly running: RunningJob | null;
  readonly last_run: JobRecord | null;
}

/** Shows the jobs of the installation, whichever process runs them. */
export class JobOverview {
  readonly #dependencies: JobOverviewDependencies;

  constructor(dependencies: JobOverviewDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Unavailable `coordination_unavailable` */
  async list(): Promise<{ readonly scheduled_here: boolean; readonly jobs: readonly JobState[] }> {
    const { schedules, scheduler, records, isScheduling } = this.#dependencies;
    const [last, names, now] = [await records.last(), scheduler.names, new Date()];
    const jobs = schedules.map(async (schedule): Promise<JobState> => {
      const { name, summary, enabled, crontab, timeZone } = schedule;
      const available = names.has(name);
      return {
        ...{ name, summary, enabled, crontab, time_zone: timeZone, available },
        next_run: nextRun(schedule, now)?.toISOString() ?? null,
        running: (await records.current(name)) ?? null,
        last_run: last.get(name) ?? null,
      };
    });
    return { scheduled_here: isScheduling, jobs: await Promise.all(jobs) };
  }
}
