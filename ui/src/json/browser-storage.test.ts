import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KeptStrings, keep, readKept } from './browser-storage.ts';

function storageOf(entries = new Map<string, string>()): KeptStrings {
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

describe('values that a browser keeps', () => {
  it('are read as they were written, until they are forgotten', () => {
    const storage = storageOf();
    for (const value of ['text', '', 0, false, ['a'], { a: null }]) {
      keep('key', value, storage);
      assert.deepEqual(readKept('key', storage), value);
    }
    keep('key', undefined, storage);
    assert.equal(readKept('key', storage), undefined);
  });

  it('are undefined where another program wrote something else', () => {
    assert.equal(readKept('key', storageOf(new Map([['key', '{half']]))), undefined);
    assert.equal(readKept('key', storageOf(new Map([['key', 'null']]))), undefined);
  });

  it('are none where the storage is forbidden or full', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    const refusing = { getItem: refuse, setItem: refuse, removeItem: refuse };
    keep('key', 1, refusing);
    keep('key', undefined, refusing);
    assert.equal(readKept('key', refusing), undefined);
    assert.equal(readKept('key', undefined), undefined);
  });
});
