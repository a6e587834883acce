import { readFileSync } from 'node:fs';

/** Resident memory of a process in MB (2^20 bytes); 0 once it is gone. */
export function residentMegabytes(pid: number): number {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line?.[1] === undefined ? 0 : Number(line[1]) / 1024;
  } catch {
    return 0;
  }
}

/** Watches a process's resident memory; `peak` is the highest of the samples (every 250 ms). */
export function watchMemory(pid: number): { peak(): number; stop(): void } {
  let highest = 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(pid));
  }, 250);
  return { peak: () => highest, stop: () => clearInterval(timer) };
}
