import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchItem } from '../../datastore/port/search.ts';
import { itemWithVisibleEntries } from './visible-entries.ts';

const engine = { isAccessible: (classification: string, marking: string) => marking <= classification };

describe('the classified entries of a found item', () => {
  it('shows those that the caller may see, and keeps the others from the answer', () => {
    const entries = [{ classification: 'A' }, { classification: 'C' }, {}];
    const item = { id: '1', collection: 'case', version: undefined, document: { items: entries } };
    const visible = itemWithVisibleEntries(engine, 'B', { classifiedEntries: 'items' }, item);
    assert.deepEqual(visible, { ...item, document: { items: [{ classification: 'A' }, {}] } });
  });

  it('leaves the document of a kind without such entries unread', () => {
    const item: SearchItem<unknown> = {
      id: '1',
      collection: 'hit',
      version: undefined,
      get document(): unknown {
        throw new Error('the document was read');
      },
    };
    assert.equal(itemWithVisibleEntries(engine, 'B', {}, item), item);
  });
});
