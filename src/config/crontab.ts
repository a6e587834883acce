import { Cron } from 'croner';

/** Returns the first time after `from` that a crontab names in a time zone; undefined: there is none. */
export function nextTime(crontab: string, timeZone: string, from: Date): Date | undefined {
  return new Cron(crontab.trim(), { timezone: timeZone, paused: true }).nextRun(from) ?? undefined;
}

/** Returns whether a string is a crontab of five fields that names a time in the future. */
export function isCrontab(text: string): boolean {
  if (text.trim().split(/\s+/).length !== 5) return false;
  try {
    return nextTime(text, 'UTC', new Date()) !== undefined;
  } catch {
    return false;
  }
}

/** Returns whether the time zone database has a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
