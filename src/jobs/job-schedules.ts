import type { Config } from '../config/config.ts';
import { nextTime } from '../config/crontab.ts';

/** Schedule of a job, by the configuration. */
export interface JobSchedule {
  readonly name: string;
  readonly summary: string;
  /** False: it runs by hand alone. */
  readonly enabled: boolean;
  readonly crontab: string;
  readonly timeZone: string;
}

/** Returns the schedule of every job. */
export function jobSchedules({
  system,
  datastore,
  analysis,
}: Pick<Config, 'system' | 'datastore' | 'analysis'>): readonly JobSchedule[] {
  const { expiry } = analysis.core;
  const { retention, view_cleanup: views, time_zone: timeZone } = system;
  return [
    {
      name: 'retention',
      summary: 'Delete alerts by age, expiry and rules, with their references.',
      enabled: retention.enabled,
      crontab: retention.crontab,
      timeZone,
    },
    {
      name: 'view_cleanup',
      summary: 'Remove entries of dashboards whose view was deleted.',
      enabled: views.enabled,
      crontab: views.crontab,
      timeZone,
    },
    {
      name: 'expiry',
      summary: 'Delete documents and files of the analysis service whose time has come.',
      enabled: expiry.enabled,
      crontab: expiry.crontab,
      timeZone,
    },
    {
      name: 'file_cleanup',
      summary: 'Delete content of the analysis service that no document needs.',
      enabled: expiry.enabled && expiry.delete_storage,
      crontab: expiry.cleanup_crontab,
      timeZone,
    },
    {
      name: 'lifecycle',
      summary: 'Begin, merge and mark generations, as a cluster does by itself.',
      enabled: datastore.type === 'embedded' && datastore.ilm.enabled,
      crontab: '*/10 * * * *',
      timeZone,
    },
  ];
}

/** Returns the first time after `from`; undefined: the job is off, or its crontab names no time. */
export function nextRun({ enabled, crontab, timeZone }: JobSchedule, from: Date): Date | undefined {
  return enabled ? nextTime(crontab, timeZone, from) : undefined;
}
