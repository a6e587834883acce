import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BUILTIN_TYPES } from './builtin-types.ts';
import { SupportedTypes } from './supported-types.ts';

const RECORDED = join(import.meta.dirname, '../../../test/golden/enrichment/conversations/types-detection.json');
/** Milliseconds for one match of an expression with an attack string. */
const LONGEST_MATCH = 5;

describe('BUILTIN_TYPES', () => {
  it('has the recorded expressions', () => {
    const { steps } = JSON.parse(readFileSync(RECORDED, 'utf8'));
    for (const { response } of steps) {
      for (const [type, expression] of Object.entries(response.body?.api_response ?? {})) {
        assert.equal(BUILTIN_TYPES[type], expression, type);
      }
    }
  });

  it('takes less than 5 ms for strings of 10,000 characters that almost match', () => {
    const parts = [
      'a',
      '1',
      '0',
      'f',
      ':',
      '.',
      '-',
      '@',
      'a.',
      'a-',
      '1.',
      'f:',
      '::',
      'xn--',
      'A_EMAIL',
      '1:',
      'a@',
      '/',
      '[',
      '%',
      '!',
      'a.a-',
    ];
    const ends = ['', '!', '.', ':', '@', ' ', '-', '\n', ']', '%', 'é'];
    const starts = ['', 'http://', 'a@', '[', 'xn--', '::', 'a://', '1.1.1.1', 'A_EMAIL:/'];
    for (const [type, expression] of Object.entries(BUILTIN_TYPES)) {
      if (expression === null) continue;
      const pattern = new RegExp(expression);
      for (const start of starts) {
        for (const part of parts) {
          const body = start + part.repeat(Math.ceil(10_000 / part.length)).slice(0, 10_000);
          for (const end of ends)
            assert.ok(fastest(pattern, body + end) < LONGEST_MATCH, `${type}: ${start} ${part} ${end}`);
        }
      }
    }
  });
});

describe('SupportedTypes', () => {
  it('keeps the types of every installation, and adds others in their order before those without detection', () => {
    const types = new SupportedTypes();
    types.add('acme/ticket', '^T-[0-9]+$', 'acme');
    types.add('acme/note', null, 'acme');
    types.add('domain', '^.*$', 'acme');
    assert.ok(types.has('acme/ticket') && types.has('domain') && !types.has('other'));
    const offered = new Set(['userid', 'acme/ticket', 'acme/note', 'domain', 'other']);
    assert.deepEqual(Object.keys(types.detection(offered)), ['domain', 'acme/ticket', 'acme/note', 'userid']);
    assert.equal(types.detection(offered).domain, BUILTIN_TYPES.domain);
  });
});

/** The best of three runs: others use the machine, too. */
function fastest(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && best >= LONGEST_MATCH; run += 1) {
    const began = performance.now();
    pattern.test(text);
    best = Math.min(best, performance.now() - began);
  }
  return best;
}
