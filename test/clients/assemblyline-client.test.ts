import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { pythonWith, runPython } from './python-clients.ts';

const JOURNEY = join(import.meta.dirname, 'assemblyline_client_journey.py');

describe('assemblyline-client', async () => {
  const environment = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'clients');
  if ('reason' in environment) {
    it('works with every public method: not run', { skip: environment.reason });
    return;
  }
  it('works with every public method', async () => {
    const source = await readFile(JOURNEY, 'utf8');
    const steps = [...source.matchAll(/^@step\ndef (\w+)/gm)].map((match) => `ok ${match[1]}`);
    assert.ok(steps.length >= 20);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      const input = JSON.stringify(program.addresses);
      const lines = await runPython(environment.python, [JOURNEY], { input, timeout: 600_000 });
      assert.deepEqual(
        lines.filter((line) => line.startsWith('ok ')),
        steps,
      );
    } finally {
      await program.stop();
    }
  });
});
