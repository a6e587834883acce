import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recordKey } from './key-recorder.ts';

const NOTHING_HELD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it('records a key, or a character and the key after it', () => {
  assert.deepEqual(recordKey('', { ...NOTHING_HELD, key: 'w' }), { keys: 'w', isComplete: false });
  assert.deepEqual(recordKey('w', { ...NOTHING_HELD, key: 'x' }), { keys: 'w x', isComplete: true });
  assert.deepEqual(recordKey('', { ...NOTHING_HELD, key: 'F2' }), { keys: 'F2', isComplete: true });
  assert.deepEqual(recordKey('', { ...NOTHING_HELD, key: 'K', ctrlKey: true }), { keys: 'Ctrl+k', isComplete: true });
});

it('waits for the key that Shift or Ctrl is held for', () => {
  assert.equal(recordKey('', { ...NOTHING_HELD, key: 'Shift', shiftKey: true }), undefined);
  assert.equal(recordKey('g', { ...NOTHING_HELD, key: 'Control', ctrlKey: true }), undefined);
});
