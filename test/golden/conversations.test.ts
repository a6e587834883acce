import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram } from '../../src/testing/spawn-program.ts';

/** Conversations whose routes are served: by the first word of their file names. */
const SERVED = [
  '00',
  'auth',
  'user',
  'hit',
  'analytic',
  'view',
  'tools',
  'bundle',
  'case',
  'ingest',
  'root',
  'configs',
  'search',
  'search2',
];
/** Of those, the ones that need query languages which are not served yet. */
const LATER = ['search-eql-sigma.json', 'search-explain.json'];

const files = globSync(join(import.meta.dirname, 'alerts', '*.json'))
  .filter((file) => SERVED.includes(basename(file, '.json').split('-')[0] ?? ''))
  .filter((file) => !LATER.includes(basename(file)));

describe('the recorded conversations of the alert service', () => {
  it('replay without a mismatch, twice in a row', async () => {
    assert.ok(files.length > 80, `only ${files.length} conversations found`);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      for (const round of ['first', 'second']) {
        const { status, output } = await replay(program.alerts);
        assert.equal(status, 0, `${round} round:\n${output}`);
      }
    } finally {
      await program.stop();
    }
  });
});

function replay(base: string): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'replay.mjs'), base, ...files]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}
