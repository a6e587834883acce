import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutputLines } from './output-lines.ts';

describe('OutputLines', () => {
  it('passes on the same lines wherever chunks end', () => {
    const text = fc.array(fc.constantFrom('a', 'é', ' ', '\n', '\r\n', 'word')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (whole, size) => {
        const expected = whole.split(/\r?\n/).filter((line) => line.trim() !== '');
        assert.deepEqual(linesOf(whole, size, 1000), expected);
      }),
    );
  });

  it('cuts a line that is too long, and holds no more of it', () => {
    assert.deepEqual(linesOf(`${'x'.repeat(50)}\nshort\n${'y'.repeat(10)}`, 3), ['xxxxxxxxxx', 'short', 'yyyyyyyyyy']);
    assert.deepEqual(linesOf(`${'x'.repeat(50)}\nshort`, 1000), ['xxxxxxxxxx', 'short']);
  });
});

function linesOf(text: string, size: number, maxLength = 10): string[] {
  const lines: string[] = [];
  const output = new OutputLines((line) => lines.push(line), maxLength);
  for (let start = 0; start < text.length; start += size) output.add(text.slice(start, start + size));
  output.end();
  return lines;
}
