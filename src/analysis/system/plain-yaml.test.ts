import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slowness } from '../../testing/machine-speed.ts';
import { MAX_YAML_LENGTH, readPlainYaml } from './plain-yaml.ts';

describe('readPlainYaml', () => {
  it('reads lists, objects, strings, numbers and booleans', () => {
    assert.deepEqual(readPlainYaml('a: [1, "x", true, null]\nb: {c: 2.5}'), { a: [1, 'x', true, null], b: { c: 2.5 } });
    assert.equal(readPlainYaml(''), null);
  });

  it('refuses what is not plain data, and says why', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      'a: &x 1\nb: *x': /aliases/,
      'a: !!python/object:os.system x': /tag/i,
      'a: !custom x': /tag/i,
      'a: [': /./,
      '--- 1\n--- 2': /documents/,
      '__proto__: {a: 1}': /__proto__/,
    };
    for (const [text, message] of Object.entries(refused)) {
      assert.throws(() => readPlainYaml(text), { code: 'invalid_yaml', message }, text);
    }
  });

  it('bounds size and depth, in a short time', () => {
    const started = performance.now();
    assert.throws(() => readPlainYaml('a'.repeat(10_000_000)), { code: 'yaml_too_large' });
    assert.throws(() => readPlainYaml('['.repeat(MAX_YAML_LENGTH)), { code: 'invalid_yaml' });
    assert.throws(() => readPlainYaml(`${'['.repeat(150)}${']'.repeat(150)}`), { code: 'invalid_yaml' });
    const members = Array.from({ length: 15_000 }, (_, index) => `k${index}: 1`).join('\n');
    assert.equal(Object.keys(readPlainYaml(members) as object).length, 15_000);
    assert.ok(performance.now() - started < 10_000 * slowness());
  });
});
