import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { effectiveSettings } from './effective-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-settings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILE = `
http:
  public_url: https://triad.example.org
enrichment:
  api_keys: { robot: hidden-secret }
coordination:
  url: redis://:hidden-secret@redis:6379
datastore:
  hosts: [{ name: main, url: 'http://elastic:hidden-secret@engine:9200', password: hidden-secret }]
system:
  time_zone: Europe/Paris
`;

describe('the settings in force', () => {
  writeFileSync(join(folder, 'config.yml'), FILE);
  writeFileSync(join(folder, 'mappings.yml'), 'mapping: { source.ip: ip }\n');
  const config = loadConfig({
    environment: { SVC_CONF_FOLDER: folder, SVC_SYSTEM_TIME_ZONE: 'UTC', SVC_SERVICES_API_KEY: 'hidden-secret' },
    flags: { 'web.port': 0 },
  });
  const settings = new Map(effectiveSettings(config).map((one) => [one.key, one]));
  const of = (key: string) => {
    const { value, default: usual, source, places } = settings.get(key) ?? assert.fail(key);
    return [value, usual, source, places];
  };
  const file = join(folder, 'config.yml');

  it('have a value, a default and the place that set them', () => {
    assert.deepEqual(of('alerts.port'), [5000, 5000, 'default', []]);
    assert.deepEqual(of('web.port'), [0, 8080, 'command line', ['command line (web.port)']]);
    assert.deepEqual(of('system.time_zone'), [
      'UTC',
      'UTC',
      'environment',
      [file, 'environment variable SVC_SYSTEM_TIME_ZONE'],
    ]);
    assert.deepEqual(of('mapping'), [{ 'source.ip': 'ip' }, {}, 'file', [join(folder, 'mappings.yml')]]);
    assert.deepEqual(of('alerts.public_url'), ['https://triad.example.org', null, 'program', []]);
    for (const { description, allowed, variable } of settings.values()) {
      assert.ok(description !== '' && allowed !== '' && variable?.startsWith('SVC_'));
    }
  });

  it('show no secret', () => {
    assert.deepEqual(of('services.api_key'), [
      'set',
      null,
      'environment',
      ['environment variable SVC_SERVICES_API_KEY'],
    ]);
    assert.deepEqual(of('enrichment.api_keys'), [{ robot: 'set' }, {}, 'file', [file]]);
    assert.ok(!JSON.stringify([...settings.values()]).includes('hidden-secret'));
  });
});
