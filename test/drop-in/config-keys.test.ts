import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { pythonWith, runPython } from '../clients/python-clients.ts';

const found = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'howler-api');

it('the list of the keys of Howler is that of its models', { skip: 'reason' in found && found.reason }, async () => {
  assert.ok('python' in found);
  const keys = await runPython(found.python, [join(import.meta.dirname, 'list_keys.py')], { timeout: 120_000 });
  assert.deepEqual(
    keys,
    readFileSync(join(import.meta.dirname, 'config-keys.txt'), 'utf8')
      .trim()
      .split('\n'),
  );
});
