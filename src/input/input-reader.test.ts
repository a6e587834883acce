import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { anyText, converted, flag, integer, listOf, names, number, presence, refusing, text } from './input-kinds.ts';
import { InputProblem, inputReader, wordsOf } from './input-reader.ts';

const read = (schema: TSchema, value: unknown): unknown => {
  const result = inputReader(schema)(value);
  return result instanceof InputProblem ? `${result.kind} ${result.at}` : result;
};
const one = (schema: TSchema, value: unknown): unknown => {
  const result = read(Type.Object({ x: schema }), value === undefined ? {} : { x: value });
  return typeof result === 'object' && result !== null ? (result as { x?: unknown }).x : result;
};

describe('inputReader', () => {
  const Rule = Type.Object({ name: Type.String({ minLength: 1, maxLength: 5 }), score: Type.Optional(Type.Number()) });
  const Thing = Type.Object({
    rules: Type.Array(Rule, { maxItems: 2 }),
    owner: Type.Union([Type.String(), Type.Null()], { default: null }),
    labels: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  });
  const cases: readonly (readonly [input: unknown, result: unknown])[] = [
    [{ rules: [] }, { rules: [], owner: null }],
    [
      { rules: [{ name: 'a', more: 1 }], owner: 'o', more: 1 },
      { rules: [{ name: 'a' }], owner: 'o' },
    ],
    [
      { rules: [{ name: 'a', score: null }], labels: { x: 1 } },
      { rules: [{ name: 'a' }], owner: null, labels: { x: 1 } },
    ],
    [undefined, 'missing '],
    [[], 'wrong '],
    ['{}', 'wrong '],
    [{}, 'missing rules'],
    [{ rules: {} }, 'wrong rules'],
    [{ rules: [{}, {}, {}] }, 'wrong rules'],
    [{ rules: [null] }, 'wrong rules[0]'],
    [{ rules: [{ name: '' }] }, 'wrong rules[0].name'],
    [{ rules: [{ name: 'abcdef' }] }, 'wrong rules[0].name'],
    [{ rules: [{ name: 'a', score: '1' }] }, 'wrong rules[0].score'],
    [{ rules: [], owner: 1 }, 'wrong owner'],
    [{ rules: [], labels: { x: 1.5 } }, 'wrong labels.x'],
    [{ rules: [], labels: { x: null } }, 'missing labels.x'],
    [JSON.parse('{"rules": [], "labels": {"__proto__": 1}}'), 'unknown labels.__proto__'],
    [JSON.parse('{"rules": [], "__proto__": {"owner": "x"}, "constructor": 1}'), { rules: [], owner: null }],
  ];
  for (const [input, result] of cases) {
    it(`reads ${JSON.stringify(input)}`, () => assert.deepEqual(read(Thing, input), result));
  }

  it('refuses or keeps undescribed members where the schema says so', () => {
    const closed = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false });
    assert.equal(read(closed, { b: 1 }), 'unknown b');
    const open = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: true, minProperties: 1 });
    assert.deepEqual(read(open, { b: 1 }), { b: 1 });
    assert.equal(read(open, {}), 'wrong ');
  });

  it('hands over what is not described as it is', () => {
    const records = [{ a: 1 }, null, 5];
    assert.equal(inputReader(Type.Array(Type.Unknown()))(records), records);
    const record = { a: { b: null } };
    assert.equal(inputReader(Type.Record(Type.String(), Type.Unknown()))(record), record);
  });

  it('reads one of several constants', () => {
    const choice = Type.Union([Type.Literal('a'), Type.Literal('b')]);
    assert.equal(one(choice, 'b'), 'b');
    assert.equal(one(choice, 'c'), 'wrong x');
    assert.equal(wordsOf(choice as object), 'one of a, b');
  });

  it('keeps the reading rules in optional, partial and reused schemas', () => {
    const flags = Type.Object({ x: integer({ minimum: 1 }) });
    for (const schema of [Type.Partial(flags), Type.Object({ x: Type.Optional(flags.properties.x) })]) {
      assert.deepEqual(read(schema, { x: '5' }), { x: 5 });
      assert.deepEqual(read(schema, { x: '' }), {});
      assert.deepEqual(read(schema, { x: '0' }), 'wrong x');
    }
  });
});

describe('a lenient kind', () => {
  const cases: readonly (readonly [name: string, TSchema, readonly (readonly [given: unknown, read: unknown])[]])[] = [
    [
      'text',
      text(),
      [
        ['a', 'a'],
        [5, 'wrong x'],
        [['a', 'b'], 'wrong x'],
        ['', 'missing x'],
        [null, 'missing x'],
      ],
    ],
    [
      'anyText',
      anyText(),
      [
        ['a', 'a'],
        [5, '5'],
        [true, 'true'],
        ['', 'missing x'],
        [{}, 'wrong x'],
      ],
    ],
    [
      'integer',
      integer({ minimum: 0, default: 25 }),
      [
        [7, 7],
        ['7', 7],
        [' +7 ', 7],
        [['1', '2'], 'wrong x'],
        ['', 25],
        [undefined, 25],
        ['-1', 'wrong x'],
        ['1.5', 'wrong x'],
        ['0x10', 'wrong x'],
        ['1e400', 'wrong x'],
        ['many', 'wrong x'],
        [true, 'wrong x'],
        [2 ** 53, 'wrong x'],
      ],
    ],
    [
      'number',
      number(),
      [
        ['2.5', 2.5],
        [1e3, 1000],
        ['1e3', 1000],
        ['NaN', 'wrong x'],
        [Number.NaN, 'wrong x'],
      ],
    ],
    [
      'flag',
      flag(),
      [
        [true, true],
        ['TRUE', true],
        ['yes', true],
        ['1', true],
        [1, true],
        ['false', false],
        ['0', false],
        ['', false],
        ['maybe', false],
        [undefined, false],
        [null, false],
        [['true', 'false'], 'wrong x'],
        [{}, 'wrong x'],
      ],
    ],
    [
      'flag without a value',
      flag({ empty: true, other: true }),
      [
        ['', true],
        ['maybe', true],
        ['no', false],
        [undefined, false],
      ],
    ],
    [
      'presence',
      presence({ description: 'Present.' }),
      [
        ['', true],
        ['false', true],
        [undefined, false],
      ],
    ],
    [
      'listOf',
      listOf(anyText(), { default: [] }),
      [
        ['a', ['a']],
        [
          ['a', 5],
          ['a', '5'],
        ],
        [undefined, []],
        [null, []],
        [{}, 'wrong x[0]'],
      ],
    ],
    [
      'names',
      names(),
      [
        ['a, b,,', ['a', 'b']],
        [
          ['a', 'b,c'],
          ['a', 'b', 'c'],
        ],
        [',,', 'missing x'],
        [5, 'wrong x'],
      ],
    ],
    [
      'converted',
      converted(text({ default: 'now' }), (word) => ({ word })),
      [
        ['a', { word: 'a' }],
        [undefined, { word: 'now' }],
      ],
    ],
  ];
  for (const [name, schema, values] of cases) {
    for (const [given, result] of values) {
      it(`${name} reads ${JSON.stringify(given)}`, () => assert.deepEqual(one(schema, given), result));
    }
  }

  it('has its own refusal, for a missing and for a wrong value', () => {
    const schema = Type.Object({ x: refusing(Type.String(), () => new Error('x is needed')) });
    for (const input of [{}, { x: 1 }]) {
      const problem = inputReader(schema)(input);
      assert.ok(problem instanceof InputProblem);
      assert.equal(problem.refusal?.message, 'x is needed');
    }
  });
});
