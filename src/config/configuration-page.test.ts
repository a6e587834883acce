import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configSchema, WITHOUT_EFFECT_YET } from './config-schema.ts';
import { configurationPage } from './configuration-page.ts';
import { listSettings } from './setting-list.ts';

describe('docs/configuration.md', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

  it('is what the schema says; `node src/config/configuration-page.ts` writes it', () => {
    const [introduction = '', rest = ''] = committed.split('## Listeners\n');
    const [, notes = ''] = rest.split('## Credentials of the datastore\n');
    const withoutTables = `${introduction}## Listeners\n## Credentials of the datastore\n${notes}`;
    assert.equal(committed, configurationPage(withoutTables));
  });

  it('marks settings without effect that exist', () => {
    const keys = listSettings(configSchema).map((setting) => setting.key);
    for (const mark of WITHOUT_EFFECT_YET)
      assert.ok(
        keys.some((key) => key.startsWith(mark)),
        mark,
      );
  });

  it('names settings that exist for the keys of the public enrichment service', () => {
    const keys = new Set(listSettings(configSchema).map((setting) => setting.key));
    const [, rows = ''] = committed.split('| there | here |\n|---|---|\n');
    const named = [...rows.matchAll(/^\| .+ \| (.+) \|$/gm)].flatMap(([, here = '']) =>
      [...here.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
    );
    assert.ok(named.length > 8);
    assert.deepEqual(
      named.filter((key) => !keys.has(key)),
      [],
    );
  });

  it('describes every setting', () => {
    for (const { key, schema } of listSettings(configSchema))
      assert.ok(schema.description, `${key} has no description`);
  });
});

describe('environment variables', () => {
  it('are one for each setting', () => {
    const variables = listSettings(configSchema).flatMap((setting) => setting.variable ?? []);
    assert.equal(new Set(variables).size, variables.length);
  });
});
