import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withinTime } from './time-limit.ts';

/** Waits without using the processor, like a process on a busy machine. */
function wait(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

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

it('work that had to wait for the processor runs again, three times at most', () => {
  let runs = 0;
  const waitingOnce = () => {
    if (++runs === 1) wait(100);
    return runs;
  };
  assert.deepEqual(withinTime(20, waitingOnce), { result: 2 });

  runs = 0;
  const waiting = () => {
    runs++;
    wait(100);
  };
  assert.equal(withinTime(20, waiting), undefined);
  assert.equal(runs, 3);
});
