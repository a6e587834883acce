import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeptStrings } from '../../../json/browser-storage.ts';
import { QueryHistory } from './query-history.ts';

function storageOf(entries = new Map<string, string>()): KeptStrings {
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

describe('the history of queries', () => {
  it('has the last query first, each once, at most fifty', () => {
    const history = new QueryHistory('ann', 'alerts', storageOf());
    for (let index = 0; index < 60; index += 1) history.add(`a:${index}`);
    history.add(' a:55 ');
    assert.equal(history.all().length, 50);
    assert.deepEqual(history.all().slice(0, 3), ['a:55', 'a:59', 'a:58']);
  });

  it('belongs to one person and one page', () => {
    const storage = storageOf();
    new QueryHistory('ann', 'alerts', storage).add('a:1');
    assert.deepEqual(new QueryHistory('bob', 'alerts', storage).all(), []);
    assert.deepEqual(new QueryHistory('ann', 'files', storage).all(), []);
    assert.deepEqual(new QueryHistory('ann', 'alerts', storage).all(), ['a:1']);
  });

  it('keeps neither blank nor very long queries', () => {
    const history = new QueryHistory('ann', 'alerts', storageOf());
    history.add('  ');
    history.add('x'.repeat(2_001));
    assert.deepEqual(history.all(), []);
  });

  it('is empty where the storage is broken, refused or full', () => {
    const key = 'triad.queries.alerts.ann';
    for (const stored of ['{', '{"a":1}', '[1,null]']) {
      assert.deepEqual(new QueryHistory('ann', 'alerts', storageOf(new Map([[key, stored]]))).all(), []);
    }
    const full: KeptStrings = {
      getItem: () => null,
      removeItem: () => {},
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    assert.doesNotThrow(() => new QueryHistory('ann', 'alerts', full).add('a:1'));
  });
});
