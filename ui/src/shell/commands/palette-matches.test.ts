import assert from 'node:assert/strict';
import { it } from 'node:test';
import { paletteMatches } from './palette-matches.ts';

const names = (typed: string) =>
  paletteMatches([{ name: 'Open the alerts' }, { name: 'Alerts' }, { name: 'Évaluer' }, { name: 'Cases' }], typed).map(
    ({ name }) => name,
  );

it('matches beginnings of words, those of the whole name first', () => {
  assert.deepEqual(names('al'), ['Alerts', 'Open the alerts']);
  assert.deepEqual(names('open al'), ['Open the alerts']);
  assert.deepEqual(names('lerts'), []);
});

it('ignores case and accents, and shows everything for nothing', () => {
  assert.deepEqual(names('EVAL'), ['Évaluer']);
  assert.equal(names('  ').length, 4);
});
