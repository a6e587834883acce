import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CaseItem } from './case-items.ts';
import { folderAt, isNameTaken, withMovedItem, withoutItems } from './case-tree.ts';

const folder = (id: string, name: string, parent?: string): CaseItem => item(id, name, parent, 'folder');

function item(id: string, name: string, parent?: string, type: CaseItem['type'] = 'markdown'): CaseItem {
  return {
    id,
    name,
    type,
    value: type === 'folder' ? name : `value of ${id}`,
    visible: true,
    ...(parent && { parent }),
  };
}

/** The tree: evidence / { mail / note, note }, note. */
const ITEMS = [
  folder('e', 'evidence'),
  folder('m', 'mail', 'e'),
  item('n1', 'note', 'm'),
  item('n2', 'note', 'e'),
  item('n3', 'note'),
];
const byId = (id: string): CaseItem => {
  const found = ITEMS.find((one) => one.id === id);
  assert.ok(found);
  return found;
};
const idsOf = (items: readonly CaseItem[]) => items.map(({ id }) => id);

describe('the value of an item', () => {
  it('is rewritten for notes and references, with the name where that is the value', () => {
    const note = byId('n1');
    const rewritten = withMovedItem(ITEMS, note, { value: 'new' }).find(({ id }) => id === 'n1');
    assert.deepEqual(rewritten, { ...note, value: 'new' });
    const { name: _name, ...unnamed } = item('r', 'r', undefined, 'reference');
    const items = [unnamed, item('taken', 'https://taken.example/')];
    assert.equal(withMovedItem(items, unnamed, { value: 'https://new.example/' })[0]?.value, 'https://new.example/');
    assert.throws(() => withMovedItem(items, unnamed, { value: 'https://taken.example/' }), {
      code: 'case_item_name_taken',
    });
  });

  it('stays for records, cases and folders', () => {
    for (const type of ['hit', 'event', 'case', 'folder'] as const) {
      const fixed = item('f', 'f', undefined, type);
      assert.throws(() => withMovedItem([fixed], fixed, { value: 'other' }), { code: 'case_item_value_fixed' });
      assert.deepEqual(withMovedItem([fixed], fixed, { value: fixed.value, name: 'f' }), [fixed]);
    }
  });
});

describe('the folders of a case', () => {
  it('are found by their path, with or without slashes around it', () => {
    assert.equal(folderAt(ITEMS, 'evidence'), 'e');
    assert.equal(folderAt(ITEMS, '/evidence//mail/'), 'm');
  });

  it('are the root when the path leads nowhere, or to what is not a folder', () => {
    for (const path of ['', '/', 'mail', 'evidence/none', 'evidence/note', 'note'])
      assert.equal(folderAt(ITEMS, path), null);
  });

  it('hold every name once', () => {
    assert.ok(isNameTaken(ITEMS, 'note', 'e'));
    assert.ok(isNameTaken(ITEMS, 'note', null));
    assert.ok(!isNameTaken(ITEMS, 'note', null, 'n3'));
    assert.ok(!isNameTaken(ITEMS, 'mail', null));
  });

  it('know items without a name by their value', () => {
    const { name: _none, ...unnamed } = item('u', 'x');
    assert.ok(isNameTaken([unnamed], 'value of u', null));
  });
});

describe('removing items', () => {
  it('keeps folders that hold something, unless told otherwise', () => {
    assert.throws(() => withoutItems(ITEMS, ['e'], { force: false }), { code: 'case_folder_not_empty' });
    assert.deepEqual(idsOf(withoutItems(ITEMS, ['n1', 'n3'], { force: false })), ['e', 'm', 'n2']);
  });

  it('takes everything below a folder with it, however deep', () => {
    assert.deepEqual(idsOf(withoutItems(ITEMS, ['e'], { force: true })), ['n3']);
    assert.deepEqual(idsOf(withoutItems([...ITEMS].reverse(), ['e'], { force: true })), ['n3']);
  });
});

describe('moving items', () => {
  const moved = (id: string, move: Parameters<typeof withMovedItem>[2]) =>
    withMovedItem(ITEMS, byId(id), move).find((one) => one.id === id);

  it('renames; the value of a folder follows', () => {
    assert.deepEqual(moved('n1', { name: 'other' }), { ...byId('n1'), name: 'other' });
    assert.deepEqual(moved('m', { name: 'post' }), { ...byId('m'), name: 'post', value: 'post' });
  });

  it('moves to a folder and to the root', () => {
    assert.equal(moved('m', { parent: null })?.parent, undefined);
    assert.equal(moved('n3', { parent: 'e', name: 'third' })?.parent, 'e');
  });

  it('looks at the names of the place that the item goes to, and at the new name', () => {
    assert.throws(() => moved('n3', { parent: 'e' }), {
      code: 'case_item_name_taken',
      message: "An item with name 'note' already exists in destination.",
    });
    assert.throws(() => moved('n2', { name: 'mail' }), {
      code: 'case_item_name_taken',
      message: "Name 'mail' is already used by a sibling item in this case",
    });
    // Taken where it lies, free where it goes.
    assert.equal(moved('n2', { name: 'mail', parent: null })?.name, 'mail');
  });

  it('leaves an item where it is when nothing changes', () => {
    assert.deepEqual(moved('n1', { name: 'note', parent: 'm' }), byId('n1'));
  });

  it('refuses parents that are none', () => {
    assert.throws(() => moved('n1', { parent: 'none' }), { code: 'case_parent_missing' });
    assert.throws(() => moved('n1', { parent: 'n2' }), { code: 'case_parent_no_folder' });
    assert.throws(() => moved('e', { parent: 'e' }), { code: 'case_folder_cycle' });
    assert.throws(() => moved('e', { parent: 'm' }), { code: 'case_folder_cycle' });
    const other = item('c', 'case', undefined, 'case');
    assert.throws(() => withMovedItem([...ITEMS, other], other, { parent: 'e' }), { code: 'case_item_at_root_only' });
  });
});
