import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInstance } from 'i18next';
import { en } from '../../../i18n/en/index.ts';
import { fr } from '../../../i18n/fr/index.ts';
import type { Translate } from '../../../i18n/translation.ts';
import { queryFields } from '../language/query-fields.ts';
import { type Explanation, explainQuery } from './explain-query.ts';

const fields = queryFields({
  message: { type: 'text' },
  'source.ip': { type: 'ip' },
  'event.created': { type: 'date' },
  'event.severity': { type: 'integer' },
  'howler.status': { type: 'keyword' },
});
const now = new Date('2026-03-10T12:30:00.000Z');
const english = await wordsOf('en');
const french = await wordsOf('fr');

async function wordsOf(lng: 'en' | 'fr'): Promise<Translate> {
  const resources = { en: { translation: en }, fr: { translation: fr } };
  const t = await createInstance().init({ lng, resources, interpolation: { escapeValue: false } });
  return (key, values) => String(t(key, { ...values }));
}

function explained(text: string, t: Translate = english): string {
  const said = explainQuery(text, { fields, now, t });
  return said === undefined ? 'unreadable' : outline(said);
}

/** Writes `head [part; part]`. */
function outline({ words, parts }: Explanation): string {
  return parts.length === 0 ? words : `${words} [${parts.map(outline).join('; ')}]`;
}

describe('a query in words', () => {
  for (const [query, words] of Object.entries({
    '': 'All records.',
    '*:*': 'All records.',
    'NOT *:*': 'No record.',
    'howler.status:open': 'howler.status is "open"',
    '-howler.status:open': 'howler.status is not "open"',
    'NOT NOT howler.status:open': 'unreadable',
    'NOT (NOT howler.status:open)': 'howler.status is "open"',
    evil: 'the text contains the word "evil"',
    'message:"failed login"': 'message contains "failed login"',
    'message:(failed login)': 'message contains at least one of the words "failed login"',
    'howler.status:(in progress)': 'howler.status is "in progress"',
    'message:"failed login"~2': 'message contains the words "failed login" in this order, with at most 2 moves',
    'source.ip:"10.0.0.0/8"': 'source.ip is in the network 10.0.0.0/8',
    'event.severity:[2 TO 5}': 'event.severity is at least 2 and below 5',
    'NOT event.severity:>3': 'event.severity is not above 3',
    'event.created:[now-7d/d TO *]': 'event.created is at or after now-7d/d (2026-03-03 00:00 UTC)',
    'event.created:[* TO now/d]': 'event.created is at or before now/d (2026-03-10 23:59:59 UTC)',
    'howler.status:op*': 'howler.status begins with "op"',
    'howler.status:o?en': 'howler.status has the form "o?en" (* any characters, ? one)',
    'howler.status:/op.*/': 'howler.status matches the regular expression /op.*/',
    'howler.status:opne~1': 'howler.status is "opne" or differs from it by 1 character',
    '_exists_:source.ip': 'source.ip has a value',
    'NOT source.ip:*': 'source.ip has no value',
    '\\*.ip:10.0.0.1': 'a field named like *.ip is "10.0.0.1"',
    'a:1 OR b:2': 'At least one of these is true: [a is "1"; b is "2"]',
    'a:1 AND NOT b:2': 'All of these are true: [a is "1"; b is not "2"]',
    'NOT (a:1 OR b:2)': 'None of these is true: [a is "1"; b is "2"]',
    'NOT (a:1 AND b:2)': 'At least one of these is not true: [a is "1"; b is "2"]',
    'NOT a:1 AND NOT b:2': 'All of these are true: [a is not "1"; b is not "2"]',
    'a:1 NOT b:2': 'All of these are true: [a is "1"; b is not "2"]',
    'a:1 OR b:2 AND c:3':
      'All of these are true: [b is "2"; c is "3"; These make no difference, because others are required (use parentheses): [a is "1"]]',
    'a:(1 OR 2) AND b:3': 'All of these are true: [At least one of these is true: [a is "1"; a is "2"]; b is "3"]',
    'a:"b': 'unreadable',
  })) {
    it(`says ${query || 'an empty query'}`, () => assert.equal(explained(query), words));
  }

  for (const [query, words] of Object.entries({
    'howler.status:open AND NOT source.ip:"10.0.0.0/8"':
      'Tout ceci est vrai : [howler.status est « open »; source.ip n’est pas dans le réseau 10.0.0.0/8]',
    'event.severity:[2 TO 5]': 'event.severity est au moins 2 et au plus 5',
    'NOT _exists_:source.ip': 'source.ip n’a pas de valeur',
    'howler.status:opne~': 'howler.status est « opne » ou en diffère de 1 caractère au plus',
  })) {
    it(`says ${query} in French`, () => assert.equal(explained(query, french), words));
  }

  for (const [query, words] of Object.entries({
    evil: 'one of the searched fields contains "evil"',
    'NOT "failed login"': 'none of the searched fields contains "failed login"',
    'failed login': 'the searched fields contain each of the words "failed login"',
    'evil*': 'one of the searched fields contains "evil"',
    'NOT ev?l': 'none of the searched fields has a match of ev?l',
    'message:evil': 'message contains the word "evil"',
    '*:*': 'All records.',
  })) {
    it(`says ${query} where words are searched in several fields`, () => {
      assert.equal(explainQuery(query, { fields, wordFields: ['message'], now, t: english })?.words, words);
    });
  }

  it('counts the parts that are too many to say, and cuts long values', () => {
    const said = explainQuery(Array.from({ length: 60 }, (_, index) => `a:${index}`).join(' OR '), {
      fields,
      now,
      t: english,
    });
    assert.equal(said?.parts.length, 51);
    assert.equal(said?.parts.at(-1)?.words, 'and 10 more conditions');
    assert.ok(explained(`a:${'x'.repeat(50_000)}`).length < 300);
  });
});
