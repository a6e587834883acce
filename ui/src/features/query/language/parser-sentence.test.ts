import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QUERY_PROBLEMS, type QueryProblemId } from '../../../../../src/datastore/regular-language/query-problems.ts';
import { queryProblems as english } from '../../../i18n/en/query-problems.ts';
import { queryProblems as french } from '../../../i18n/fr/query-problems.ts';
import type { Translate } from '../../../i18n/translation.ts';
import { parserSentence } from './parser-sentence.ts';
import { queryFields } from './query-fields.ts';
import { problemsOf } from './query-problems.ts';

const fields = queryFields({
  word: { type: 'keyword' },
  text: { type: 'text' },
  ip: { type: 'ip' },
  count: { type: 'integer' },
  done: { type: 'boolean' },
  time: { type: 'date' },
});
const IDS = Object.keys(QUERY_PROBLEMS) as QueryProblemId[];

const translateBy =
  (messages: Readonly<Record<string, string>>): Translate =>
  (key, values = {}) =>
    (messages[key.replace('queryProblems.', '')] ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(values[name]),
    );

/** A query for each problem that a person can type. */
const EXAMPLES: readonly (readonly [query: string, id: QueryProblemId, french: RegExp])[] = [
  ['"open', 'open_phrase', /^Une phrase/],
  ['/open', 'open_regexp', /^Une barre oblique ouvre/],
  ['a \\', 'final_backslash', /^La requête se termine par/],
  ['a ]', 'nothing_open', /^Rien d’ouvert que \]/],
  ['a^b', 'bad_boost', /^Une pondération/],
  ['\\u12', 'bad_unicode_escape', /quatre chiffres/],
  ['\\u0000', 'bad_escape', /^Un échappement/],
  ['a )', 'unexpected', /^\) n’est pas attendu/],
  ['a AND', 'unexpected_end', /^La requête se termine là/],
  ['count:[1 5]', 'range_syntax', /Un intervalle s’écrit/],
  ['a~7', 'bad_fuzzy', /approximation ~7/],
  ['a\0b', 'nul', /NUL/],
  ['a\ud800b', 'half_pair', /moitié d’une paire/],
  [`${'('.repeat(201)}a${')'.repeat(201)}`, 'too_complex', /imbrique des parenthèses sur plus de 200 niveaux/],
  ['a'.repeat(100_001), 'too_complex', /100001 caractères/],
  [Array.from({ length: 101 }, (_, index) => `word:a${index}b~1`).join(' '), 'too_complex', /101 motifs/],
  [Array.from({ length: 1_100 }, (_, index) => `text:w${index}`).join(' '), 'too_complex', /1100 conditions/],
  [`word:${'a'.repeat(300)}~1`, 'too_complex', /un terme approximatif a plus de 256/],
  [`text:"${'a '.repeat(70)}"~2`, 'too_complex', /une phrase avec distance a plus de 64/],
  ['word:/(a{1,900}){1,900}/', 'too_complex', /étapes de compilation/],
  ['ip:1*', 'no_patterns', /champ ip n’accepte ni/],
  ['ip:1~1', 'no_fuzzy', /termes approximatifs/],
  ['text:"a b"~-2', 'negative_distance', /distance négative -2/],
  ['word:/a(/', 'field_regexp', /mal formée : elle se termine trop tôt|mal formée : il manque/],
  ['count:high', 'not_a_number', /champ count contient des nombres, et "high"/],
  ['count:[1 TO 99999999999]', 'number_outside', /en dehors/],
  ['done:maybe', 'not_boolean', /ni l’un ni l’autre/],
  ['time:soon', 'not_a_date', /contient des dates/],
  ['time:now+3x', 'bad_date_math', /calcul de date/],
  ['ip:abc', 'not_an_address', /contient des adresses/],
  ['ip:"10.0.0.0/99"', 'not_a_network', /n’est pas un réseau/],
  ['_id:[a TO b]', 'wrong_kind', /n’accepte pas ce genre/],
];

describe('what the parser says', () => {
  for (const [query, id, expected] of EXAMPLES) {
    it(`of ${query.slice(0, 30)} is ${id}, in both languages`, () => {
      const [problem] = problemsOf(query, fields);
      assert.equal(problem?.kind, 'refused');
      assert.ok(problem.kind === 'refused' && problem.problem !== undefined);
      assert.equal(problem.problem.id, id);
      assert.equal(parserSentence(problem.problem, translateBy(english)), problem.message);
      assert.match(parserSentence(problem.problem, translateBy(french)), expected);
      assert.doesNotMatch(parserSentence(problem.problem, translateBy(french)), /undefined|\{\{/);
    });
  }

  for (const id of IDS) {
    it(`has the same values in both languages: ${id}`, () => {
      const names = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].toSorted();
      assert.deepEqual(names(french[id]), names(english[id]));
      if (id !== 'other') assert.notEqual(french[id], english[id]);
    });
  }

  it('of expressions has a sentence for each mistake', () => {
    for (const [pattern, expected] of [
      ['a{', /nombre de répétitions manque/],
      ['a{5,2}', /au moins 5 et au plus 2/],
      ['a{99999999999}', /nombre 99999999999 est trop grand/],
      ['[b-a]', /à rebours/],
      ['\\q', /contient \\q/],
      ['(a', /il manque \)/],
      ['a)', /avant son \)/],
      ['<a>', /<a> n’est pas un intervalle/],
      ['a'.repeat(1_001), /plus de 1000 caractères/],
    ] as const) {
      const [problem] = problemsOf(`word:/${pattern}/`, fields);
      assert.ok(problem?.kind === 'refused' && problem.problem !== undefined, pattern);
      assert.match(parserSentence(problem.problem, translateBy(french)), expected, pattern);
    }
  });
});
