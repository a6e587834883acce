import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from '../../../../../src/classification/builtin-definitions.ts';
import { ClassificationEngine } from '../../../../../src/classification/classification.ts';
import { readClassificationDefinition } from '../../../../../src/classification/classification-definition.ts';
import { type ClassificationNames, readChoice, writeChoice } from './classification-choice.ts';

const engineOf = (text: string) => new ClassificationEngine(readClassificationDefinition(text, 'classification.yml'));
const namesOf = (engine: ClassificationEngine): ClassificationNames => engine.parsedDefinition();

describe('the choice of a classification', () => {
  it('is written so that the server reads the same parts', () => {
    for (const definition of [DEMO_CLASSIFICATION, DEFAULT_CLASSIFICATION]) {
      const engine = engineOf(definition);
      const names = namesOf(engine);
      const [levels, required, groups, subgroups] = [
        names.levels_map_stl ?? {},
        names.access_req_map_stl ?? {},
        names.groups_map_stl ?? {},
        names.subgroups_map_stl ?? {},
      ].map((table) => Object.keys(table));
      for (const level of levels ?? []) {
        for (const marks of subsets(required ?? [])) {
          for (const some of subsets(groups ?? [])) {
            for (const others of subsets(subgroups ?? [])) {
              const written = writeChoice({ level, required: marks, groups: some, subgroups: others }, names);
              const options = { skipAutoSelect: true } as const;
              const normal = engine.normalise(written, options);
              const again = readChoice(normal, names);
              assert.equal(engine.normalise(writeChoice(again, names), options), normal, written);
              const parts = engine.parse(normal, options);
              assert.deepEqual(
                [[...again.required].sort(), [...again.groups].sort(), [...again.subgroups].sort()],
                [parts.required, parts.groups, parts.subgroups],
                normal,
              );
            }
          }
        }
      }
    }
  });

  it('reads aliases, any order and case, and leaves out what is unknown', () => {
    const names = namesOf(engineOf(DEMO_CLASSIFICATION));
    const choice = readChoice('do not look//g2/god//rel to depts, elsewhere', names);
    assert.deepEqual(choice, { level: 'R', required: ['ADM'], groups: ['D1', 'D2'], subgroups: ['G2'] });
  });

  it('is nothing for an unknown level and an empty string, and writes an empty string', () => {
    const names = namesOf(engineOf(DEMO_CLASSIFICATION));
    for (const text of ['', 'SECRET', '//ADM', '__proto__', 'constructor', 'x'.repeat(100_000)]) {
      const choice = readChoice(text, names);
      assert.deepEqual(choice, { level: undefined, required: [], groups: [], subgroups: [] }, text.slice(0, 20));
      assert.equal(writeChoice(choice, names), '');
    }
    assert.equal(readChoice('anything', {}).level, undefined);
  });

  it('keeps groups of a definition that takes any name', () => {
    const names = namesOf(engineOf(DEMO_CLASSIFICATION.replace('dynamic_groups: false', 'dynamic_groups: true')));
    const choice = readChoice('U//REL TO EXAMPLE.ORG, D1', names);
    assert.deepEqual(choice.groups, ['EXAMPLE.ORG', 'D1']);
    assert.equal(writeChoice(choice, names), 'UNRESTRICTED//REL TO EXAMPLE.ORG, DEPARTMENT 1');
  });
});

function subsets(names: readonly string[]): string[][] {
  const count = 2 ** names.length;
  return Array.from({ length: count }, (_, bits) => names.filter((_name, index) => (bits >> index) % 2 === 1));
}
