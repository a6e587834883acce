import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeptStrings } from '../../json/browser-storage.ts';
import { forgetDraft, keepDraft, keepTextDraft, readTextDraft, withDraft } from './form-draft.ts';

const NAME = 'huey.view.1';
const BEFORE = { title: 'Old', query: 'a:b', keys: ['one'] };

function storageOf(entries = new Map<string, string>()): KeptStrings & { readonly entries: Map<string, string> } {
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

describe('a draft of a form', () => {
  it('is what was typed, until it is forgotten or typed back', () => {
    const storage = storageOf();
    keepDraft(NAME, { before: BEFORE, typed: { ...BEFORE, keys: ['one', 'two'] } }, storage);
    assert.deepEqual(withDraft(NAME, BEFORE, storage).values, { ...BEFORE, keys: ['one', 'two'] });
    assert.equal(withDraft('huey.view.2', BEFORE, storage).values, BEFORE);
    keepDraft(NAME, { before: BEFORE, typed: { ...BEFORE } }, storage);
    assert.equal(storage.entries.size, 0);
    keepDraft(NAME, { before: BEFORE, typed: { ...BEFORE, title: 'New' } }, storage);
    forgetDraft(NAME, storage);
    assert.equal(withDraft(NAME, BEFORE, storage).values, BEFORE);
  });

  it('leaves members that another person changed since as they are, and says what was seen of others', () => {
    const storage = storageOf();
    keepDraft(NAME, { before: BEFORE, typed: { ...BEFORE, title: 'Typed' } }, storage);
    const stored = { title: 'Theirs', query: 'c:d', keys: [] };
    assert.deepEqual(withDraft(NAME, stored, storage), {
      values: { ...stored, title: 'Typed' },
      seen: { ...stored, title: 'Old' },
    });
  });

  it('is left out where another version kept values of other kinds', () => {
    for (const kept of ['7', '[]', '{"before":{},"typed":{}}', '{"before":{"title":1},"typed":{"title":2}}']) {
      const storage = storageOf(new Map([[`triad.draft.${NAME}`, kept]]));
      assert.equal(withDraft(NAME, BEFORE, storage).values, BEFORE);
    }
  });

  it('has no members that the form does not have', () => {
    const storage = storageOf();
    keepDraft(NAME, { before: { ...BEFORE, more: 'a' }, typed: { ...BEFORE, more: 'b', title: 'T' } }, storage);
    assert.deepEqual(withDraft(NAME, BEFORE, storage).values, { ...BEFORE, title: 'T' });
  });

  it('is the text of a field, until that is empty', () => {
    const storage = storageOf();
    keepTextDraft(NAME, 'typed', storage);
    assert.equal(readTextDraft(NAME, storage), 'typed');
    keepTextDraft(NAME, '', storage);
    assert.equal(storage.entries.size, 0);
    keepDraft(NAME, { before: BEFORE, typed: { ...BEFORE, title: 'New' } }, storage);
    assert.equal(readTextDraft(NAME, storage), '');
  });
});
