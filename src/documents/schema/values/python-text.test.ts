import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pythonRepr, pythonText, pythonTypeName } from './python-text.ts';

describe('pythonRepr', () => {
  const cases: [unknown, string][] = [
    [null, 'None'],
    [true, 'True'],
    [1, '1'],
    [-0.5, '-0.5'],
    [1e-7, '1e-07'],
    [0.00001, '1e-05'],
    [0.0001, '0.0001'],
    [123456789012345683968n, '123456789012345683968'],
    [1e16, '1e+16'],
    [-1.5e300, '-1.5e+300'],
    [2 ** 53 - 1, '9007199254740991'],
    ['x', "'x'"],
    ["it's", '"it\'s"'],
    ['"it\'s"', `'"it\\'s"'`],
    ['a\n\t\\\x01', "'a\\n\\t\\\\\\x01'"],
    [{ a: [1, null], b: {} }, "{'a': [1, None], 'b': {}}"],
  ];
  for (const [value, text] of cases) it(`writes ${text}`, () => assert.equal(pythonRepr(value), text));

  it('leaves text alone where text is wanted', () => assert.equal(pythonText('x'), 'x'));
  it('names types', () => {
    assert.deepEqual(['', 1, 2n ** 60n, 1.5, true, null, [], {}].map(pythonTypeName), [
      'str',
      'int',
      'int',
      'float',
      'bool',
      'NoneType',
      'list',
      'dict',
    ]);
  });
});
