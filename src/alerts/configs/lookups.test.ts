import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { readLookupFiles, readLookups } from './lookups.ts';

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

it('tactics and techniques are those of ATT&CK, unless the installation has its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triad-lookups-'));
  try {
    const { tactics, techniques } = readLookups(folder) as Record<string, Record<string, unknown>>;
    assert.deepEqual(tactics?.TA0002, {
      key: 'TA0002',
      name: 'Execution',
      url: 'https://attack.mitre.org/tactics/TA0002',
    });
    assert.deepEqual(techniques?.['T1059.001'], {
      key: 'T1059.001',
      name: 'PowerShell',
      url: 'https://attack.mitre.org/techniques/T1059/001',
    });
    await writeFile(join(folder, 'tactics.yml'), 'TA0001: {key: TA0001, name: Own, url: ""}\n');
    assert.deepEqual(Object.keys(readLookups(folder).tactics as object), ['TA0001']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
