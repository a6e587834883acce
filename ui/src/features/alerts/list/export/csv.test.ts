import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvCell, csvLine } from './csv.ts';

it('makes cells that begin a formula harmless', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n=', ' =', '\u00a0=', '＝', '＋', '－', '＠']) {
    const cell = csvCell(`${start}cmd|' /C calc'!A0`).replace(/^"/, '');
    assert.ok(cell.startsWith("'"), JSON.stringify(cell));
  }
});

it('makes parts harmless that begin a cell where semicolons separate them', () => {
  assert.equal(csvCell('x;=1+1'), '"x;\'=1+1"');
  assert.equal(csvCell('x; @SUM(A1)\n=2'), '"x; \'@SUM(A1)\n\'=2"');
  assert.equal(csvCell(['=1+1', '-b']), '"\'=1+1; \'-b"');
  assert.equal(csvCell([1, -5]), '"1; -5"');
});

it('writes the values of a list one after the other', () => {
  assert.equal(csvCell(['a', 'b']), '"a; b"');
  assert.equal(csvCell([{ a: 1 }, ['b', null]]), '"{""a"":1}; b; "');
  assert.equal(csvCell([]), '');
});

it('leaves other cells alone', () => {
  for (const value of ['a=b', 'a-b', '-5', '-1.5e3', '+7', '']) assert.equal(csvCell(value), value);
  assert.equal(csvCell(-3), '-3');
  assert.equal(csvCell(null), '');
});

it('quotes what RFC 4180 wants quoted', () => {
  assert.equal(csvLine(['a,b', 'say "x"', 'two\nlines', { a: 1 }]), '"a,b","say ""x""","two\nlines","{""a"":1}"\r\n');
});
