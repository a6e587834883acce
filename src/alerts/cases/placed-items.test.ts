import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CaseItem } from './case-items.ts';
import { PlacedItems } from './placed-items.ts';

const item = (id: string, fields: Partial<CaseItem> = {}): CaseItem => ({
  id,
  type: 'folder',
  value: id,
  visible: true,
  ...fields,
});

describe('placed items', () => {
  it('know identifiers, records, and names within a folder', () => {
    const items = new PlacedItems([item('f'), item('h', { type: 'hit', value: 'h1', name: 'x', parent: 'f' })]);
    assert.equal(items.get('f')?.id, 'f');
    assert.ok(items.holds({ type: 'hit', value: 'h1' }));
    assert.ok(!items.holds({ type: 'event', value: 'h1' }));
    assert.deepEqual(
      [items.named('x', 'f'), items.named('x', null), items.named('f', null)].map(({ length }) => length),
      [1, 0, 1],
    );
  });

  it('take back the folders that were added last', () => {
    const items = new PlacedItems([item('f')]);
    items.add(item('g', { parent: 'f' }));
    items.add(item('i', { parent: 'g' }));
    items.removeLast(2);
    items.removeLast(0);
    assert.deepEqual(
      items.all.map(({ id }) => id),
      ['f'],
    );
    assert.equal(items.get('g'), undefined);
    assert.equal(items.named('g', 'f').length, 0);
  });
});
