import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvCell, csvLine } from './csv.ts';

it('makes cells that begin a formula harmless', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n=', ' =', '\u00a0=', '＝', '＋', '－', '＠']) {
    const cell = csvCell(`${start}cmd|' /C calc'!A0`).replace(/^"/, '');
    assert.ok(cell.startsWith("'"), JSON.stringify(cell));
  }
  assert.equal(csvCell(['=1+1', 'b']), "'=1+1; b");
});

it('leaves other cells alone', () => {
  for (const value of ['a=b', 'a-b', '-5', '-1.5e3', '+7', '']) assert.equal(csvCell(value), value);
  assert.equal(csvCell(-3), '-3');
  assert.equal(csvCell(null), '');
});

it('quotes what RFC 4180 wants quoted', () => {
  assert.equal(csvLine(['a,b', 'say "x"', 'two\nlines', { a: 1 }]), '"a,b","say ""x""","two\nlines","{""a"":1}"\r\n');
});
