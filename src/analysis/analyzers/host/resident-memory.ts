import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Milliseconds between two looks at the memory of a process: `ps` is a process of its own. */
export const MEMORY_INTERVAL = process.platform === 'linux' ? 100 : 1000;

/** Returns the resident memory of a process in bytes; undefined when the process is gone. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  try {
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1]
        : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim();
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
