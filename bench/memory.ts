import { readdirSync, readFileSync } from 'node:fs';

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

/** Resident memory in MB (2^20 bytes) of a process and of all processes that it started. */
export function processTreeMegabytes(pid: number): number {
  return treeOf(pid).reduce((sum, one) => sum + residentMegabytes(one), 0);
}

/** Watches the resident memory of a process, with that of the processes that it started or without. */
export function watchTree(
  pid: number,
  { children }: { readonly children: boolean },
): {
  peak(): number;
  /** Memory of each process at the peak, the first one first. */
  parts(): readonly number[];
  stop(): void;
} {
  let highest = 0;
  let parts: readonly number[] = [];
  const timer = setInterval(() => {
    const now = (children ? treeOf(pid) : [pid]).map(residentMegabytes);
    const sum = now.reduce((total, one) => total + one, 0);
    if (sum <= highest) return;
    highest = sum;
    parts = now;
  }, 250);
  return { peak: () => highest, parts: () => parts, stop: () => clearInterval(timer) };
}

function treeOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [pid];
  for (const one of tree) tree.push(...(children.get(one) ?? []));
  return tree;
}

function parentOf(pid: number): number | undefined {
  try {
    const line = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line?.[1] === undefined ? undefined : Number(line[1]);
  } catch {
    return undefined;
  }
}
