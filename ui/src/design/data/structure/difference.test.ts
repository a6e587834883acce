import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { difference } from './difference.ts';

const short = (before: unknown, after: unknown) =>
  difference(before, after)
    .map(({ kind, text }) => `${{ same: '', removed: '-', added: '+' }[kind]}${text}`)
    .join('|');

it('compares values as wholes', () => {
  assert.equal(short('open', 'resolved'), '-open|+resolved');
  assert.equal(short(null, 'alice'), '+alice');
  assert.equal(short('alice', undefined), '-alice');
  assert.equal(short(1, 1), '1');
  assert.equal(short(undefined, null), '');
});

it('compares lists by their elements', () => {
  assert.equal(short(['a', 'b'], ['b', 'c']), 'b|+c|-a');
  assert.equal(short(undefined, ['a']), '+a');
  assert.equal(short('a', ['a', 'b']), 'a|+b');
});

it('compares sentences by their words', () => {
  assert.equal(short('the old host was clean', 'the new host was clean'), 'the |-old |+new |host was clean');
});

it('keeps every word of both sides', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 }).map((list) => list.join(' '));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const parts = difference(before, after);
      const without = (kind: string) =>
        parts
          .filter((part) => part.kind !== kind)
          .map(({ text }) => text)
          .join('');
      assert.equal(without('added'), before);
      assert.equal(without('removed'), after);
    }),
  );
});

it('takes long values as they come', () => {
  const started = performance.now();
  const parts = difference('a b '.repeat(100_000), 'b c '.repeat(100_000));
  assert.equal(parts.length, 2);
  assert.ok(performance.now() - started < 5_000);
});
