import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { pythonWithClients, runPython } from './python-clients.ts';

const JOURNEY = 'howler_client_journey.py';

describe('howler-client', async () => {
  const environment = await pythonWithClients();
  if ('reason' in environment) {
    it('the client journey: not run', { skip: environment.reason });
    return;
  }
  it('does everything an integrator does with it', async () => {
    const source = await readFile(join(import.meta.dirname, JOURNEY), 'utf8');
    const steps = [...source.matchAll(/^@step\ndef (\w+)/gm)].map((match) => `ok ${match[1]}`);
    assert.ok(steps.length >= 15);
    const program = await spawnProgram({ flags: ['--demo=users'] });
    try {
      assert.deepEqual(await runPython(environment.python, JOURNEY, program.alerts), steps);
    } finally {
      await program.stop();
    }
  });
});
