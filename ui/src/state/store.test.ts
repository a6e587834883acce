import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Store } from './store.ts';

describe('a store', () => {
  it('reports changes to those who listen, and only changes', () => {
    const store = new Store(1);
    const seen: string[] = [];
    const endFirst = store.subscribe(() => seen.push(`first ${store.read()}`));
    store.subscribe(() => seen.push(`second ${store.read()}`));
    store.set(2);
    store.set(2);
    endFirst();
    store.set(3);
    assert.deepEqual(seen, ['first 2', 'second 2', 'second 3']);
    assert.equal(store.read(), 3);
  });

  it('is read and listened to without itself, as React does it', () => {
    const { read, subscribe } = new Store('value');
    assert.equal(read(), 'value');
    subscribe(() => undefined)();
  });
});
