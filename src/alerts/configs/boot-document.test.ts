import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { bootDocument, readLookupFiles } from './boot-document.ts';

const settings = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname } });
const parts = { settings, classification: testClassification, version: '1.2.3', lookups: {} };

describe('what the web interface reads at its start', () => {
  it('has configuration and the fields of every kind that can be searched', () => {
    const { configuration, indexes } = bootDocument(parts) as {
      configuration: object;
      indexes: Record<string, object>;
    };
    assert.deepEqual(Object.keys(configuration).sort(), ['auth', 'clue', 'features', 'mapping', 'system', 'ui']);
    assert.deepEqual(Object.keys(indexes), [
      'action',
      'analytic',
      'case',
      'dossier',
      'event',
      'hit',
      'overview',
      'template',
      'user',
      'view',
    ]);
    assert.ok(Object.keys(indexes.hit ?? {}).length > 800);
  });

  it('says for each status what can be done', () => {
    const { lookups } = bootDocument(parts) as { lookups: { transitions: Record<string, string[]> } };
    assert.deepEqual([...(lookups.transitions.resolved ?? [])].sort(), ['demote', 'promote', 're_evaluate', 'vote']);
  });

  it('says nothing that only some may know', () => {
    const { configuration, c12nDef } = bootDocument(parts);
    assert.doesNotMatch(JSON.stringify([configuration, c12nDef]), /requirements|hosts|folder|original_definition/);
  });

  it('takes lists of the installation from the configuration folder, over its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triad-lookups-'));
    try {
      assert.deepEqual(readLookupFiles(folder), {});
      await mkdir(join(folder, 'lookups'));
      await writeFile(join(folder, 'lookups', 'icons.yml'), '- TA0001\n');
      await writeFile(join(folder, 'lookups', 'notes.txt'), 'not read');
      const lookups = readLookupFiles(folder);
      assert.deepEqual(lookups, { icons: ['TA0001'] });
      const made = bootDocument({ ...parts, lookups }) as { lookups: { icons: unknown } };
      assert.deepEqual(made.lookups.icons, ['TA0001']);
      await writeFile(join(folder, 'lookups', 'broken.yml'), 'a: [');
      assert.throws(() => readLookupFiles(folder), {
        code: 'invalid_setting',
        message: /broken\.yml is not valid YAML/,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
