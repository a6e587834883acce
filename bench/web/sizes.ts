import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Figure } from '../report.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'check-ui-sizes.mjs');
const LINE = /^(?:OVER|ok) +(.+): ([\d.]+) kB \(at most (\d+)\)$/;

/**
 * Reads the sizes of the built interface; of the further pages the largest one.
 * @param howler kilobytes of the scripts of howler-ui
 */
export function measureSizes(howler: number | undefined): readonly Figure[] {
  const { stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  const rows = stdout.split('\n').flatMap((line) => {
    const [, name, size, goal] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: Number(size), unit: 'kB' as const, goal: Number(goal) }];
  });
  if (rows.length === 0) throw new Error(stderr);
  const largest = rows.find(({ name }) => name.startsWith('further page'));
  const shown = rows.filter((row) => row === largest || !row.name.startsWith('further page'));
  return shown.map((row) =>
    howler !== undefined && row.name === 'sign-in and alert list' ? { ...row, raw: howler } : row,
  );
}
