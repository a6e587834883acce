import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  COMMAND_IDS,
  type CommandId,
  commandInTheWay,
  commandsByKeys,
  DEFAULT_KEYS,
  type KeyPreferences,
  keysOf,
} from './key-map.ts';

const withChanges = (changed: KeyPreferences['changed']): KeyPreferences => ({ singleKeys: true, changed });
const WITHOUT_SINGLE_KEYS: KeyPreferences = { singleKeys: false, changed: {} };

describe('the key map', () => {
  it('gives no two commands the same keys, and no key that begins a sequence', () => {
    for (const id of COMMAND_IDS) {
      for (const keys of keysOf(id, DEFAULT_KEYS))
        assert.equal(commandInTheWay(keys, id, DEFAULT_KEYS), undefined, `${id}: ${keys}`);
    }
  });
});

describe('keysOf', () => {
  it('leaves arrows, Enter, Escape and Ctrl where single keys are switched off', () => {
    assert.deepEqual(keysOf('next', WITHOUT_SINGLE_KEYS), ['ArrowDown']);
    assert.deepEqual(keysOf('open', WITHOUT_SINGLE_KEYS), ['Enter']);
    assert.deepEqual(keysOf('palette', WITHOUT_SINGLE_KEYS), ['Ctrl+k']);
    assert.deepEqual(keysOf('goAlerts', WITHOUT_SINGLE_KEYS), []);
  });

  it('changes the changeable keys alone', () => {
    assert.deepEqual(keysOf('next', withChanges({ next: 'w' })), ['w', 'ArrowDown']);
    assert.deepEqual(keysOf('next', withChanges({ next: '' })), ['ArrowDown']);
    assert.deepEqual(keysOf('open', withChanges({ open: 'o' })), ['o', 'Enter']);
    assert.deepEqual(keysOf('close', withChanges({ close: 'q' })), ['q', 'Escape']);
    assert.deepEqual(keysOf('next', withChanges({ next: 'ArrowDown' })), ['ArrowDown']);
    assert.deepEqual(keysOf('moveItemUp', withChanges({ moveItemUp: 'w' })), ['Alt+ArrowUp']);
    assert.deepEqual(keysOf('assess', withChanges({ assess: '|' })), ['|']);
  });

  it('gives a command without a key the one that a person chose', () => {
    assert.deepEqual(keysOf('goActions', DEFAULT_KEYS), []);
    assert.deepEqual(keysOf('goActions', withChanges({ goActions: 'g x' })), ['g x']);
  });
});

describe('commandInTheWay', () => {
  const inTheWay = (sequence: string, of: CommandId, preferences = DEFAULT_KEYS) =>
    commandInTheWay(sequence, of, preferences);

  it('finds keys that are taken, begin a sequence or continue a key', () => {
    assert.equal(inTheWay('x', 'take'), 'select');
    assert.equal(inTheWay('ArrowDown', 'take'), 'next');
    assert.equal(inTheWay('g', 'take'), 'goHome');
    assert.equal(inTheWay('a b', 'take'), 'assess');
    assert.equal(inTheWay('g x', 'take'), undefined);
    assert.equal(inTheWay('s', 'take'), undefined, 'its own key');
  });

  it('knows what was changed', () => {
    const preferences = withChanges({ select: 'w' });
    assert.equal(inTheWay('x', 'take', preferences), undefined);
    assert.equal(inTheWay('w', 'take', preferences), 'select');
    assert.equal(inTheWay('x', 'take', WITHOUT_SINGLE_KEYS), 'select', 'single keys come back');
  });
});

describe('commandsByKeys', () => {
  it('prefers fixed keys, then chosen ones, whichever command comes first', () => {
    const preferences = withChanges({ take: 'x', peek: 'Enter' });
    for (const ids of [COMMAND_IDS, COMMAND_IDS.toReversed()]) {
      const commands = commandsByKeys(ids, preferences);
      assert.equal(commands.get('x'), 'take');
      assert.equal(commands.get('Enter'), 'open');
      assert.equal(commands.get('s'), undefined);
      assert.equal(commands.get('Escape'), 'close');
    }
  });

  it('has only commands that are on offer', () => {
    assert.deepEqual(Object.fromEntries(commandsByKeys(['next'], DEFAULT_KEYS)), { j: 'next', ArrowDown: 'next' });
  });
});
