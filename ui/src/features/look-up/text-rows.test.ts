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
      // The mark takes the room of three characters on each of its rows.
      [93, 93, 14],
    );
    assert.equal(rows.lineAt(1), undefined);
    assert.deepEqual(
      rows.partsAt(1).map(({ text, selector }) => [text.length, selector !== undefined]),
      [
        [7, true],
        [86, false],
      ],
    );
  });
  it('fits its rows into a width, with wide letters and tabs', () => {
    const lengths = (text: string, width: number) => textsOf(new TextRows(text, [], width)).map(({ length }) => length);
    assert.deepEqual(lengths('a'.repeat(50), 20), [20, 20, 10]);
    assert.deepEqual(lengths('字'.repeat(25), 20), [10, 10, 5]);
    assert.deepEqual(lengths('ab\tcdefghijk', 16), [3, 9], 'a tab takes eight');
    assert.deepEqual(lengths('a'.repeat(40), 1), [16, 16, 8], 'the least width');
  });
  it('breaks between words, and in a word that is longer than a row', () => {
    const rows = new TextRows('the macro loads login.example.org/a twice', [selectorAt(16, 35)], 24);
    assert.deepEqual(textsOf(rows), ['the macro loads ', 'login.example.org/a ', 'twice']);
    assert.deepEqual(textsOf(new TextRows(`x ${'a'.repeat(20)}`, [], 16)), ['x ', 'a'.repeat(16), 'aaaa']);
  });
  it('keeps both halves of a letter on one row', () => {
    const rows = new TextRows(`${'a'.repeat(17)}😀😀`, [], 20);
    for (const text of textsOf(rows)) assert.ok(text.isWellFormed(), text);
  });
  it('knows the place of each row', () => {
    const rows = new TextRows('a'.repeat(40), [], 16);
    for (const row of [0, 1, 2]) assert.equal(rows.rowOf(rows.placeOf(row)), row);
  });
  it('loses nothing of 1 MB of text with 5,000 selectors, some of them overlapping', () => {
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
