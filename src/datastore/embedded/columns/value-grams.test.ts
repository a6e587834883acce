import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileFuzzy } from '../../regular-language/fuzzy.ts';
import { packUnsaved, unpackBits, ValueGrams } from './value-grams.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '😀', '\ud83d', '\u0001'), maxLength: 9 });

function gramsOf(...values: readonly string[]): ValueGrams {
  const grams = new ValueGrams();
  for (const value of values) grams.add(value);
  return grams;
}

describe('grams of a column', () => {
  it('never exclude what a value contains, equals or is near to', () => {
    fc.assert(
      fc.property(text, text, text, fc.constantFrom(0, 1, 2), (before, part, after, maxEdits) => {
        const value = before + part + after;
        const grams = gramsOf(value);
        assert.ok(grams.mayContain(part));
        assert.ok(grams.mayEqual(value));
        assert.ok(grams.mayContainInAnyCase(part.toWellFormed()));
        const letters = part.replaceAll(/[^a-z]/g, '');
        assert.ok(gramsOf(`${before}${letters.toUpperCase()}`).mayContainInAnyCase(letters));
        if (compileFuzzy(part, maxEdits)(value)) assert.ok(grams.mayBeNear(part, maxEdits));
      }),
      { numRuns: 2000 },
    );
  });

  it('exclude other parts, lengths and distant words', () => {
    const grams = gramsOf('10.0.0.1', '192.168.7.20');
    assert.ok(!grams.mayContain('powershell'));
    assert.ok(!grams.mayContain('10.0.0.1, and more'));
    assert.ok(grams.mayContain('168.7'));
    const words = gramsOf('PowerShell.exe');
    assert.ok(words.mayContainInAnyCase('powershell') && !words.mayContain('powershell'));
    assert.ok(!words.mayContainInAnyCase('powershall'));
    assert.ok(!words.mayContainInAnyCase('powershell.exe -enc'));
    assert.ok(!grams.mayEqual('168.7'));
    assert.ok(!grams.mayBeNear('powershell', 2));
    assert.ok(grams.mayBeNear('10.0.1.1', 1));
    assert.ok(grams.mayContain(''));
    assert.ok(!new ValueGrams().mayContain(''));
    assert.ok(gramsOf('x'.repeat(32_000)).mayContain('x'.repeat(1000)));
  });

  it('are the same after they were stored in parts', () => {
    const [first, second] = [gramsOf('fox'), gramsOf('hen')];
    const columns = [first, second].map((grams, at) => [at * 900, grams] as const);
    const stored = [packUnsaved(columns)];
    for (const [, grams] of columns) grams.markSaved();
    second.add('lynx');
    stored.push(packUnsaved(columns));
    for (const [, grams] of columns) grams.markSaved();
    assert.equal(packUnsaved(columns).length, 0);
    const restored = new Map([0, 900].map((number) => [number, new ValueGrams()]));
    for (const bytes of stored) unpackBits(bytes, (column, bit) => restored.get(column)?.restore(bit));
    assert.ok(restored.get(0)?.mayEqual('fox') && !restored.get(0)?.mayContain('hen'));
    assert.ok(restored.get(900)?.mayEqual('hen') && restored.get(900)?.mayEqual('lynx'));
  });
});
