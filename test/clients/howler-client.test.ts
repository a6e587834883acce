import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { pythonWith, runPython } from './python-clients.ts';

const JOURNEY = join(import.meta.dirname, 'howler_client_journey.py');

describe('howler-client', async () => {
  const environment = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'clients');
  if ('reason' in environment) {
    it('the client journey: not run', { skip: environment.reason });
    return;
  }
  it('does everything an integrator does with it', async () => {
    const source = await readFile(JOURNEY, 'utf8');
    const steps = [...source.matchAll(/^@step\ndef (\w+)/gm)].map((match) => `ok ${match[1]}`);
    assert.ok(steps.length >= 15);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      assert.deepEqual(await runPython(environment.python, [JOURNEY, program.alerts]), steps);
    } finally {
      await program.stop();
    }
  });
});
