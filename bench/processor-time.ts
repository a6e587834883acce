import { readFileSync } from 'node:fs';

/** Clock ticks of /proc are hundredths of a second. */
const TICK = 10;

/**
 * Returns the milliseconds that a process has run, ended threads included.
 * Linux: `utime` and `stime` of /proc/PID/stat.
 */
export function processorMilliseconds(pid: number): number {
  // The name of the program, in parentheses, may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
