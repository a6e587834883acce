import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from './builtin-definitions.ts';
import { loadClassification } from './classification.ts';

interface Definition {
  levels: Record<string, unknown>[];
  required: Record<string, unknown>[];
  subgroups: Record<string, unknown>[];
  [key: string]: unknown;
}

/** Loads the demo definition with a change. */
const loadChanged = (change: (definition: Definition) => void) => {
  const definition = parse(DEMO_CLASSIFICATION) as Definition;
  change(definition);
  return loadClassification(stringify(definition), '/conf/classification.yml');
};
const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  assert.ok(item !== undefined);
  return item;
};

describe('classification.yml', () => {
  const mistakes: readonly (readonly [string, (definition: Definition) => void, RegExp])[] = [
    [
      'an unknown key',
      (d) => Object.assign(d, { level: 1 }),
      /classification\.yml: level is not known; known are enforce/,
    ],
    ['no levels', (d) => Object.assign(d, { levels: [] }), /levels must list at least one/],
    ['levels that are no list', (d) => Object.assign(d, { levels: 'U' }), /levels must be a list/],
    ['a level without a name', (d) => delete at(d.levels, 1).name, /levels\[1\]\.name must be a string/],
    ['a level number out of range', (d) => (at(d.levels, 0).lvl = 10_001), /levels\[0\]\.lvl must be a whole number/],
    ['a repeated level number', (d) => (at(d.levels, 1).lvl = 100), /levels\[1\]\.lvl repeats level 100/],
    ['a repeated short name', (d) => (at(d.levels, 1).short_name = 'U'), /levels\[1\]\.short_name repeats level U/],
    [
      'a reserved name',
      (d) => (at(d.required, 0).name = 'null'),
      /required\[0\]\.name must not be the reserved word NULL/,
    ],
    [
      'aliases that are no list',
      (d) => (at(d.levels, 0).aliases = 'X'),
      /levels\[0\]\.aliases must be a list of strings/,
    ],
    ['a group that is not defined', (d) => (at(d.subgroups, 0).require_group = 'D9'), /D9, which is not defined/],
    ['a flag that is none', (d) => Object.assign(d, { enforce: 'yes' }), /enforce must be true or false/],
    ['an unknown type of dynamic groups', (d) => Object.assign(d, { dynamic_groups_type: 'x' }), /email, group, all/],
    ['no unrestricted', (d) => delete d.unrestricted, /unrestricted must be a string/],
    [
      'a restricted that cannot be read',
      (d) => Object.assign(d, { restricted: 'X' }),
      /restricted is not .*'X' was not found/,
    ],
  ];
  for (const [what, change, message] of mistakes) {
    it(`is refused with ${what}`, () =>
      assert.throws(() => loadChanged(change), { code: 'invalid_classification_definition', message }));
  }

  it('is refused when it is not YAML, with the place', () =>
    assert.throws(() => loadClassification('levels: [', '/conf/classification.yml'), {
      code: 'invalid_classification_definition',
      message: /classification\.yml is not valid YAML.*line 1/s,
    }));
});

describe('the parsed definition', () => {
  it('is what clients of the public system get', () => {
    const recording = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../test/golden/alerts/root-help-and-lists.json'), 'utf8'),
    );
    const expected = recording.steps[0].response.body.api_response;
    const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);
    const inside = (value: object) => Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sorted(one)]));
    const { original_definition, ...parsed } = loadClassification(DEMO_CLASSIFICATION).parsedDefinition();
    assert.deepEqual(Object.keys(expected).sort(), [...Object.keys(parsed)].sort());
    for (const [key, value] of Object.entries(parsed)) {
      const wanted = expected[key];
      assert.deepEqual(
        value instanceof Object ? inside(value) : value,
        wanted instanceof Object ? inside(wanted) : wanted,
        key,
      );
    }
    assert.deepEqual(original_definition, parse(DEMO_CLASSIFICATION));
  });

  it('keeps extra keys of marks, and maps levels both ways', () => {
    const { levels_map, params_map, groups_auto_select } =
      loadClassification(DEFAULT_CLASSIFICATION).parsedDefinition();
    assert.equal(levels_map['TLP:A'], 120);
    assert.equal(levels_map['120'], 'TLP:A');
    assert.deepEqual(params_map.CCCS, { require_group: 'CSE' });
    assert.deepEqual(groups_auto_select, ['CSE']);
  });
});
