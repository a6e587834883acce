import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withinTime } from './time-limit.ts';

const STUBBORN = { expression: /^(?:(\w+\s?)+$)/, text: `${'a'.repeat(200)}!` };

it('work that ends in time gives its result, and its error', () => {
  assert.deepEqual(
    withinTime(10_000, () => 'done'),
    { result: 'done' },
  );
  assert.deepEqual(
    withinTime(10_000, () => undefined),
    { result: undefined },
  );
  const error = new TypeError('wrong');
  assert.throws(
    () =>
      withinTime(10_000, () => {
        throw error;
      }),
    (thrown) => thrown === error,
  );
});

it('work that does not end is given up, and what comes after it continues', () => {
  for (let time = 0; time < 3; time++) {
    assert.equal(
      withinTime(20, () => STUBBORN.expression.test(STUBBORN.text)),
      undefined,
    );
    assert.deepEqual(
      withinTime(10_000, () => STUBBORN.expression.test('a b')),
      { result: true },
    );
  }
});
