import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COMMAND_IDS, DEFAULT_KEYS, keysOf } from '../../keys/key-map.ts';
import { keyParts } from './key-names.ts';

const shown = (sequence: string) => keyParts(sequence).map(({ name, sign }) => name ?? sign);

it('divides sequences and keys that are held', () => {
  assert.deepEqual(shown('g h'), ['g', 'h']);
  assert.deepEqual(shown('Ctrl+k'), ['Ctrl', 'K']);
  assert.deepEqual(shown('Ctrl+Alt+n'), ['Ctrl', 'Alt', 'N']);
  assert.deepEqual(shown('Shift+ArrowDown'), ['Shift', '↓']);
  assert.deepEqual(shown('J'), ['J']);
  assert.deepEqual(shown('+'), ['+']);
  assert.deepEqual(shown('Ctrl++'), ['Ctrl', '+']);
  assert.deepEqual(shown('F2'), ['F2']);
});

it('knows the two names of Escape', () => {
  assert.deepEqual(keyParts('Esc'), keyParts('Escape'));
});

it('shows no key of the key map by the name that programs have for it', () => {
  const signs = COMMAND_IDS.flatMap((id) => keysOf(id, DEFAULT_KEYS))
    .flatMap(keyParts)
    .flatMap(({ sign }) => sign ?? []);
  assert.deepEqual(
    signs.filter((sign) => [...sign].length > 1),
    [],
  );
});
