import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { readLookupFiles } from './lookups.ts';

it('lists of the installation are those of its YAML files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triad-lookups-'));
  try {
    assert.deepEqual(readLookupFiles(join(folder, 'missing')), {});
    await writeFile(join(folder, 'icons.yml'), '- TA0001\n');
    await writeFile(join(folder, 'notes.txt'), 'not read');
    assert.deepEqual(readLookupFiles(folder), { icons: ['TA0001'] });
    await writeFile(join(folder, 'broken.yml'), 'a: [');
    assert.throws(() => readLookupFiles(folder), {
      code: 'invalid_setting',
      message: /broken\.yml is not valid YAML/,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
