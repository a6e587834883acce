import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EditConflict } from '../../conflicts/edit-conflict.ts';
import { type SavedObject, writeMembers } from './write-members.ts';

interface Stored {
  readonly title?: string;
  readonly query?: string;
}

const valuesOf = ({ title = '', query = '' }: Stored) => ({ title, query });

/** An object that a test reads and writes. */
function storedAs(data: Stored): SavedObject<Stored, Required<Stored>> & { readonly written: unknown[] } {
  const written: unknown[] = [];
  return {
    written,
    valuesOf,
    read: async () => ({ data, version: 'v1' }),
    write: async (wanted, present, headers) => {
      written.push([wanted, present, headers]);
      return wanted;
    },
  };
}

const seen = { title: 'Old', query: 'a' };

describe('a change of members', () => {
  it('is written beside what another person changed in others', async () => {
    const object = storedAs({ title: 'Old', query: 'theirs' });
    const saved = await writeMembers(object, { seen, change: { title: 'Mine' }, overwrites: false });
    assert.deepEqual(saved, { title: 'Mine', query: 'theirs' });
    assert.deepEqual(object.written, [[saved, { title: 'Old', query: 'theirs' }, { 'if-match': 'v1' }]]);
  });

  it('is refused where another person changed the same one, and written where the person decides so', async () => {
    const object = storedAs({ title: 'Theirs', query: 'a' });
    const change = { seen, change: { title: 'Mine' } };
    await assert.rejects(writeMembers(object, { ...change, overwrites: false }), (error) => {
      assert.ok(error instanceof EditConflict);
      assert.deepEqual([error.members, error.present], [['title'], { title: 'Theirs', query: 'a' }]);
      return true;
    });
    assert.equal(object.written.length, 0);
    assert.deepEqual(await writeMembers(object, { ...change, overwrites: true }), { title: 'Mine', query: 'a' });
  });

  it('is not sent where the object is so already', async () => {
    const object = storedAs({ title: 'Mine' });
    assert.deepEqual(await writeMembers(object, { seen, change: { title: 'Mine' }, overwrites: false }), {
      title: 'Mine',
    });
    assert.equal(object.written.length, 0);
  });
});
