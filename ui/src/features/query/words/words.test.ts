import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileQuery } from '../../../../../src/datastore/query-language/compile-query.ts';
import { matches } from '../../../../../src/datastore/query-language/matches.ts';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { hitDocument } from '../../../../../src/documents/kinds/hit.ts';
import { WORD_FIELDS } from './alert-word-fields.ts';
import { collapseWords } from './collapse-words.ts';
import { expandWords } from './expand-words.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const alert = {
  message: 'LockBit Ransomware note written by powershell.exe',
  source: { ip: '203.0.113.7', domain: 'evil.example' },
  server: { domain: 'other.example' },
  file: { name: 'Échec_été.docx', hash: { sha256: 'a'.repeat(64) } },
  process: { command_line: 'C:\\Windows\\System32\\cmd.exe /c "echo [1+1]"' },
  howler: {
    id: ID,
    analytic: 'Impossible Travel',
    status: 'open',
    outline: { indicators: ['10.20.30.40'] },
    comment: [{ value: 'Called the owner twice' }],
  },
};

function finds(typed: string): boolean {
  const node = compileQuery(expandWords(typed).text, hitDocument);
  return matches(node, hitDocument, alert as never);
}

describe('words without a field', () => {
  for (const typed of [
    'ransomware',
    'RANSOMWARE',
    'lockbit',
    'shell.exe',
    '"Ransomware Note"',
    'ransom*',
    'r?nsom*note',
    '/.*LockBit.*/',
    'ransomware lockbit',
    'note travel',
    'impossible',
    ID,
    `"${ID}"`,
    '203.0.113.7',
    '"203.0.113.0/24"',
    '10.20.30.40',
    'other.example',
    'A'.repeat(64),
    'échec',
    'ÉTÉ',
    '"C:\\\\Windows\\\\System32"',
    '"echo [1+1]"',
    'owner',
    'ransomware AND howler.status:open',
    'howler.status:open AND NOT phishing',
    'howler.status:resolved OR ransomware',
    '(phishing OR ransomware) AND -tunnel',
    'ransomware^3',
    'phishing ransomwarE~1 note OR lockbit',
  ]) {
    it(`find the alert by ${typed}`, () => assert.equal(finds(typed), true));
  }

  for (const typed of [
    'phishing',
    'ransomware phishing',
    '"ransomware lockbit"',
    '203.0.113.70',
    '01890a5d',
    'ransomware AND howler.status:resolved',
    'NOT ransomware',
    'howler.status:open AND NOT (phishing OR lockbit)',
    'b'.repeat(64),
    '/LockBit/',
  ]) {
    it(`do not find it by ${typed}`, () => assert.equal(finds(typed), false));
  }

  for (const typed of [
    '',
    '*:*',
    '*',
    'howler.status:open',
    'source.ip:"10.0.0.0/8"',
    'a:(b OR c)',
    '[1 TO 2]',
    '"..."',
    '(a',
    'a:"b',
  ]) {
    it(`are not in ${typed || 'an empty query'}, which stays as it is`, () => {
      assert.equal(expandWords(typed).text, typed);
    });
  }

  it('are looked for in fields that alerts have, as these are indexed', () => {
    const kinds = { any_case: 'keyword', small: 'lowercase_keyword', text: 'text', whole: 'keyword' } as const;
    for (const [field, match] of WORD_FIELDS) {
      assert.equal(hitDocument.fieldByPath.get(field)?.searchKind, kinds[match], field);
    }
  });

  it('may be many: they stay within the limits of a query', () => {
    assert.doesNotThrow(() => finds('one two three four five six seven eight AND nine OR ten OR 10.0.0.1'));
    assert.equal(finds('a sentence of more than eight words is looked for as it is'), false);
    assert.doesNotThrow(() => finds(`"${'x'.repeat(1_000)}"`));
  });

  it('lead from a position in the clause to the word, and from one behind it to the typed one', () => {
    const typed = 'a:1 AND evil AND b:2';
    const { text, typedAt } = expandWords(typed);
    assert.equal(typedAt(3), 3);
    assert.equal(typedAt(text.indexOf('howler.outline')), 8);
    assert.equal(typedAt(text.indexOf('b:2')), typed.indexOf('b:2'));
  });
});

describe('the clauses of a saved query', () => {
  for (const [typed, shown = typed] of [
    ['ransomware AND howler.status:open'],
    ['NOT "failed login" AND (evil* OR r?nsom)'],
    ['203.0.113.7'],
    ['/.*LockBit.*/ OR evul~1'],
    ['failed login', '(failed AND login)'],
    ['evil^2', 'evil'],
  ] as const) {
    it(`are shown as ${shown}`, () => assert.equal(collapseWords(expandWords(typed).text), shown));
  }

  it('stay where a word would be one with what follows', () => {
    for (const typed of ['?a~?', '?a~b', '"a"b']) {
      const { text } = expandWords(typed);
      assert.equal(expandWords(collapseWords(text)).text, text, typed);
    }
    const { text } = expandWords('?a~?');
    assert.equal(collapseWords(text), text);
  });

  it('have no regular expression whose end is another one where a second follows', () => {
    for (const typed of ['/ a\\/', '/ a\\\\/']) assert.equal(expandWords(typed).text, typed);
  });

  it('are the same again, for any query', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abÉ1.-_/\\"*?~:() '), maxLength: 8 }),
      fc.constantFrom('a', 'AND', 'OR', 'NOT', 'a:b', '"a b"', '10.0.0.1', 'evil.example'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const { text } = expandWords(pieces.join(' '));
        assert.equal(expandWords(collapseWords(text)).text, text);
      }),
      { numRuns: 300 },
    );
  });

  it('stay where they are not exactly those of a word', () => {
    const { text } = expandWords('evil');
    for (const query of [
      text.replace('evil', 'evi'),
      text.slice(0, -1),
      text.replaceAll('[eE]', 'e'),
      '(message:/.*a.*/)',
    ]) {
      assert.equal(collapseWords(query), query);
    }
  });

  it('are read as one clause each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (word) => {
        const typed = `"${word.toWellFormed().replaceAll('\0', '').replaceAll(/["\\]/g, '\\$&')}" AND a:b`;
        assert.equal(parseSyntax(expandWords(typed).text).clauses.length, 2);
      }),
      { numRuns: 300 },
    );
  });
});
