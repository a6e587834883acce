import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.ts';
import { HOWLER_KEYS } from '../../src/config/howler-config.ts';
import { pythonWith, runPython } from '../clients/python-clients.ts';

const found = await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'howler-api');

describe('the configuration of the public alert service', { skip: 'reason' in found && found.reason }, () => {
  const python = (...args: string[]) => {
    assert.ok('python' in found);
    return runPython(found.python, args, { timeout: 120_000 });
  };

  it('has the keys that the list of them has', async () => {
    const keys = await python(join(import.meta.dirname, 'list_keys.py'));
    assert.deepEqual(
      keys,
      readFileSync(join(import.meta.dirname, 'config-keys.txt'), 'utf8')
        .trim()
        .split('\n'),
    );
  });

  it('is accepted with all of its defaults', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'howler-defaults-'));
    writeFileSync(join(folder, 'config.yml'), (await python('-m', 'howler.odm.models.config')).join('\n'));
    const config = loadConfig({ environment: { SVC_CONF_FOLDER: folder } });
    assert.deepEqual(
      [config.datastore.type, config.datastore.hosts[0]?.url, config.coordination.url],
      ['elasticsearch', 'http://localhost:9200', 'redis://127.0.0.1:6380'],
    );
    assert.ok(config.ignored_settings.length > 15);
    assert.deepEqual(
      config.ignored_settings.filter((key) => !Object.hasOwn(HOWLER_KEYS, key)),
      [],
    );
  });
});
