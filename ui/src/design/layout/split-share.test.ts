import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clampShare, keyedShare, readShare, writeShare } from './split-share.ts';

describe('the share of a pane', () => {
  it('leaves room for both', () => {
    assert.deepEqual([-1, 0.1, 0.5, 0.9, 7].map(clampShare), [0.1, 0.1, 0.5, 0.9, 0.9]);
    assert.equal(clampShare(Number.NaN), 0.5);
  });

  it('follows the arrows along its direction alone', () => {
    assert.equal(keyedShare('ArrowRight', 0.5, 'row'), 0.52);
    assert.equal(keyedShare('ArrowUp', 0.5, 'column'), 0.48);
    assert.equal(keyedShare('ArrowUp', 0.5, 'row'), undefined);
    assert.equal(keyedShare('ArrowLeft', 0.5, 'column'), undefined);
    assert.equal(keyedShare('Home', 0.5, 'row'), 0.1);
    assert.equal(keyedShare('End', 0.5, 'row'), 0.9);
    assert.equal(keyedShare('a', 0.5, 'row'), undefined);
  });

  it('is remembered, unless what is stored is damaged or storage is forbidden', (t) => {
    const stored = new Map<string, string>();
    let isForbidden = false;
    const former = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
    t.after(() => former === undefined || Object.defineProperty(globalThis, 'localStorage', former));
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get: () => {
        if (isForbidden) throw new Error('forbidden');
        return { getItem: (key: string) => stored.get(key) ?? null, setItem: stored.set.bind(stored) };
      },
    });
    writeShare('list', 0.3);
    assert.equal(readShare('list'), 0.3);
    assert.equal(readShare('other'), undefined);
    stored.set('triad.split.list', 'half');
    assert.equal(readShare('list'), undefined);
    stored.set('triad.split.list', '9');
    assert.equal(readShare('list'), 0.9);
    isForbidden = true;
    assert.equal(readShare('list'), undefined);
    writeShare('list', 0.4);
  });
});
