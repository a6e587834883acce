import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Measures the build from nothing, and what it adds to a start when nothing changed. */
export function measureBuilding(rounds: number, say: Say): readonly Figure[] {
  say('the build from nothing');
  const folder = mkdtempSync(join(tmpdir(), 'triad-bench-build-'));
  try {
    const built = join(folder, 'ui');
    const whole = build(built);
    say('the build when nothing changed');
    const again = Array.from({ length: rounds }, () => build(built));
    const nothing = Array.from({ length: rounds }, () => timed(['--eval', '']));
    const added = median(again) - median(nothing);
    return [
      { name: 'build from nothing', value: whole / 1000, unit: 's', goal: 30 },
      { name: 'start when nothing changed: longer by, p50', value: added, unit: 'ms', goal: 50 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(folder: string): number {
  return timed([join(ROOT, 'scripts', 'build-ui.mjs')], { TRIAD_UI_FOLDER: folder });
}

function timed(words: readonly string[], environment: Readonly<Record<string, string>> = {}): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}
