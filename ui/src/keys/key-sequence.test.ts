import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeySequence, type Keystroke, nameOf, SEQUENCE_MS } from './key-sequence.ts';

const stroke = (key: string, held: Partial<Keystroke> = {}): Keystroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('nameOf', () => {
  it('names keys as the key map writes them', () => {
    assert.equal(nameOf(stroke('j')), 'j');
    assert.equal(nameOf(stroke('J', { shiftKey: true })), 'J');
    assert.equal(nameOf(stroke('?', { shiftKey: true })), '?');
    assert.equal(nameOf(stroke('ArrowDown', { shiftKey: true })), 'Shift+ArrowDown');
    assert.equal(nameOf(stroke('K', { ctrlKey: true })), 'Ctrl+k');
    assert.equal(nameOf(stroke('k', { metaKey: true })), 'Ctrl+k');
    assert.equal(nameOf(stroke(' ')), 'Space');
    assert.equal(nameOf(stroke('n', { ctrlKey: true, altKey: true })), 'Ctrl+Alt+n');
    assert.equal(nameOf(stroke('ArrowUp', { altKey: true })), 'Alt+ArrowUp');
  });

  it('names a character that a layout types with Option by itself', () => {
    // French and German layouts of a Mac: Option and 5, Option and Shift and (.
    assert.equal(nameOf(stroke('[', { altKey: true })), '[');
    assert.equal(nameOf(stroke(']', { altKey: true, shiftKey: true })), ']');
    assert.equal(nameOf(stroke('a', { altKey: true })), 'Alt+a');
    assert.equal(nameOf(stroke('[', { altKey: true, ctrlKey: true })), 'Ctrl+Alt+[');
  });
});

describe('KeySequence', () => {
  const offered = ['g a', 'g c', 'a', 'j', 'Ctrl+k'];

  it('completes single keys and sequences, and nothing else', () => {
    const keys = new KeySequence();
    assert.deepEqual(keys.press(stroke('j'), offered, 0), { sequence: 'j' });
    assert.equal(keys.press(stroke('g'), offered, 1), 'pending');
    assert.deepEqual(keys.press(stroke('a'), offered, 2), { sequence: 'g a' });
    assert.equal(keys.press(stroke('q'), offered, 3), undefined);
    assert.deepEqual(keys.press(stroke('a'), offered, 4), { sequence: 'a' });
  });

  it('forgets a sequence that was not continued in time', () => {
    const keys = new KeySequence();
    keys.press(stroke('g'), offered, 0);
    assert.deepEqual(keys.press(stroke('a'), offered, SEQUENCE_MS + 1), { sequence: 'a' });
    keys.press(stroke('g'), offered, 5000);
    assert.deepEqual(keys.press(stroke('a'), offered, 5000 + SEQUENCE_MS), { sequence: 'g a' });
  });

  it('takes a key that does not continue a sequence for itself', () => {
    const keys = new KeySequence();
    keys.press(stroke('g'), offered, 0);
    assert.deepEqual(keys.press(stroke('j'), offered, 1), { sequence: 'j' });
    keys.press(stroke('g'), offered, 2);
    assert.equal(keys.press(stroke('Shift', { shiftKey: true }), offered, 3), undefined);
    assert.deepEqual(keys.press(stroke('c'), offered, 4), { sequence: 'g c' });
  });
});
