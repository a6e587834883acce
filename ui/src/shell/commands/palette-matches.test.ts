import assert from 'node:assert/strict';
import { it } from 'node:test';
import { paletteMatches } from './palette-matches.ts';

const ENTRIES = [
  { name: 'Show new alerts', hint: 'List' },
  { name: 'Go to Alerts', shortName: 'Alerts', hint: 'Pages' },
  { name: 'Évaluer', hint: 'Triage' },
  { name: 'Go to Users', shortName: 'Users', hint: 'Administration' },
  { name: 'Go to Administration', shortName: 'Administration', hint: 'Pages' },
];
const names = (typed: string) => paletteMatches(ENTRIES, typed).map(({ name }) => name);

it('matches beginnings of words, those of the whole name first', () => {
  assert.deepEqual(names('al'), ['Go to Alerts', 'Show new alerts']);
  assert.deepEqual(names('new al'), ['Show new alerts']);
  assert.deepEqual(names('lerts'), []);
});

it('finds an entry by what it belongs to, after those whose name it is', () => {
  assert.deepEqual(names('administration'), ['Go to Administration', 'Go to Users']);
  assert.deepEqual(names('adm us'), ['Go to Users']);
  assert.deepEqual(names('triage'), ['Évaluer']);
});

it('ignores case and accents, and shows everything for nothing', () => {
  assert.deepEqual(names('EVAL'), ['Évaluer']);
  assert.deepEqual(
    names('  '),
    ENTRIES.map(({ name }) => name),
  );
});
