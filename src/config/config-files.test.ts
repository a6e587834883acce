import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';

const LEVELS = Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`);
const REFUSED: Readonly<Record<string, { readonly text: string; readonly message: RegExp }>> = {
  'aliases that expand without bound': {
    text: ['a0: &a0 [x]', ...LEVELS].join('\n'),
    message: /config\.yml is not valid YAML: Excessive alias count/,
  },
  'an alias inside its own anchor': { text: 'mapping: &a { b: *a }', message: /config\.yml is not valid YAML/ },
  'a repeated key': { text: 'ui: { audit: true }\nui: { audit: false }', message: /unique at line 2, column 1/ },
  'nesting without end': { text: '['.repeat(5_000), message: /config\.yml is not valid YAML/ },
  'a list': { text: '- ui', message: /config\.yml must be a mapping of keys/ },
  'two documents': { text: 'ui: {}\n---\nui: {}', message: /multiple documents/ },
};

describe('a configuration folder', () => {
  for (const [name, { text, message }] of Object.entries(REFUSED)) {
    it(`is refused for ${name}`, () => {
      assert.throws(() => load(text), { code: 'invalid_setting', message });
    });
  }

  it('may merge mappings and use anchors', () => {
    const { ui } = load('ui:\n  <<: &common { audit: no }\n  enforce_quota: yes\n');
    assert.deepEqual([ui.audit, ui.enforce_quota], [false, true]);
  });

  it('has to be a folder, whose files can be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'conf-'));
    const file = join(folder, 'settings.yml');
    writeFileSync(file, '');
    for (const path of [file, join(folder, 'missing')]) {
      assert.throws(() => loadConfig({ environment: { SVC_CONF_FOLDER: path } }), {
        code: 'invalid_setting',
        message: `SVC_CONF_FOLDER: the folder ${path} does not exist.`,
      });
    }
    mkdirSync(join(folder, 'config.yml'));
    assert.throws(() => loadConfig({ environment: { SVC_CONF_FOLDER: folder } }), {
      code: 'invalid_setting',
      message: /config\.yml cannot be read: .*EISDIR/,
    });
  });
});

function load(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'conf-'));
  writeFileSync(join(folder, 'config.yml'), text);
  return loadConfig({ environment: { SVC_CONF_FOLDER: folder } });
}
