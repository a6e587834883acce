import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lineDiff } from './line-diff.ts';

describe('lineDiff', () => {
  it('shows what was removed, then what was added', () => {
    assert.deepEqual(lineDiff('first', 'edited'), ['-first', '+edited']);
  });

  it('shows nothing of equal texts', () => {
    assert.deepEqual(lineDiff('a\nb', 'a\nb'), []);
  });

  it('keeps three lines around each change', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'];
    const after = before.map((line) => (line === '6' ? 'six' : line));
    assert.deepEqual(lineDiff(before.join('\n'), after.join('\n')), [' 3', ' 4', ' 5', '-6', '+six', ' 7', ' 8', ' 9']);
  });

  it('keeps lines that look like headers', () => {
    assert.deepEqual(lineDiff('-- x', '++ y'), ['--- x', '+++ y']);
  });

  it('gives both texts back when nothing is left out', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const lines = lineDiff(before, after);
        const side = (sign: string) =>
          lines.filter((line) => line[0] === ' ' || line[0] === sign).map((line) => line.slice(1));
        assert.ok(before.includes(side('-').join('\n')));
        assert.ok(after.includes(side('+').join('\n')));
      }),
    );
  });

  it('stays quick on long, wholly different texts', () => {
    const before = Array.from({ length: 2500 }, (_, index) => `a${index}`).join('\n');
    const after = Array.from({ length: 2500 }, (_, index) => `b${index}`).join('\n');
    assert.equal(lineDiff(before, after).length, 5000);
  });
});
