import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Selector, TextRows } from './text-rows.ts';

const selectorAt = (start: number, end: number): Selector => ({ type: 'domain', value: 'x', start, end });

const textsOf = (rows: TextRows) =>
  Array.from({ length: rows.count }, (_, row) =>
    rows
      .partsAt(row)
      .map(({ text }) => text)
      .join(''),
  );

describe('TextRows', () => {
  it('numbers lines and marks selectors', () => {
    const selector = selectorAt(5, 16);
    const rows = new TextRows('from example.org\r\n\nend', [selector]);
    assert.deepEqual(textsOf(rows), ['from example.org', '', 'end']);
    assert.deepEqual(
      [0, 1, 2].map((row) => rows.lineAt(row)),
      [1, 2, 3],
    );
    assert.deepEqual(rows.partsAt(0), [{ text: 'from ' }, { text: 'example.org', selector }]);
    assert.equal(rows.rowOf(5), 0);
    assert.equal(rows.rowOf(20), 2);
  });
  it('continues long lines, and a selector on both rows', () => {
    const rows = new TextRows('a'.repeat(200), [selectorAt(90, 100)]);
    assert.deepEqual(
      textsOf(rows).map(({ length }) => length),
      [96, 96, 8],
    );
    assert.equal(rows.lineAt(1), undefined);
    assert.deepEqual(
      rows.partsAt(1).map(({ text, selector }) => [text.length, selector !== undefined]),
      [
        [4, true],
        [92, false],
      ],
    );
  });
  it('loses nothing of a text of 1 MB with 5,000 selectors, some of them overlapping', () => {
    const text = 'ab.example.org\n192.0.2.1 '.repeat(40_000);
    const selectors = Array.from({ length: 5_000 }, (_, index) =>
      selectorAt(index * 25, index * 25 + 14 + (index % 20)),
    );
    const rows = new TextRows(text, selectors);
    assert.equal(textsOf(rows).join('\n'), text);
  });
  it('has one row for an empty text', () => {
    const rows = new TextRows('', []);
    assert.equal(rows.count, 1);
    assert.deepEqual(rows.partsAt(0), []);
  });
});
