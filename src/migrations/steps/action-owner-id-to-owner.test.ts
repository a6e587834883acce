import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Action, actionDocument } from '../../documents/kinds/action.ts';
import { withMethods } from '../../testing/with-methods.ts';
import { actionOwnerIdToOwner } from './action-owner-id-to-owner.ts';

const EVERYTHING = unrestricted('the test looks at what it stored');

/** Ownership of a stored action before and after; the same object: untouched. */
const CASES: Readonly<Record<string, readonly [object, object]>> = {
  'no owner': [{ owner_id: 'anna' }, { owner: 'anna' }],
  'owner null': [{ owner_id: 'anna', owner: null }, { owner: 'anna' }],
  'owner empty': [{ owner_id: 'anna', owner: '' }, { owner: '' }],
  both: [{ owner_id: 'anna', owner: 'otto' }, { owner: 'otto' }],
  'owner alone': [{ owner: 'otto' }, { owner: 'otto' }],
  'null alone': [{ owner_id: null }, { owner_id: null }],
  'null beside': [
    { owner_id: null, owner: 'otto' },
    { owner_id: null, owner: 'otto' },
  ],
  neither: [{}, {}],
};
const CHANGED = 4;

describe('action-owner-id-to-owner', () => {
  let datastore: Datastore;
  before(async () => {
    datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  });
  after(() => datastore.close());

  const rest = (id: string) => ({ action_id: id, name: id, query: 'howler.id:*', triggers: [], operations: [] });
  const actions = () => datastore.collection(actionDocument);
  const run = (store: Datastore = datastore) =>
    actionOwnerIdToOwner({
      datastore: store,
      classification: { unrestricted: '', accessParts: () => assert.fail('actions are not classified') },
      progress: () => {},
      warn: (message) => assert.fail(message),
      signal: new AbortController().signal,
    });

  it('moves owner_id to owner where there is none, removes it otherwise, and touches nothing else', async () => {
    for (const [id, [before]] of Object.entries(CASES)) {
      await actions().save(id, { ...rest(id), ...before } as unknown as Action, { visible: 'now' });
    }
    const untouched = await actions().getVersioned('owner alone', EVERYTHING);
    assert.equal(await run(), CHANGED);
    for (const [id, [, expected]] of Object.entries(CASES)) {
      assert.deepEqual(await actions().get(id, EVERYTHING), { ...rest(id), ...expected }, id);
    }
    assert.deepEqual(await actions().getVersioned('owner alone', EVERYTHING), untouched);
  });

  it('makes the owner searchable', async () => {
    const query = { kind: 'term', field: 'owner', value: 'anna' } as const;
    assert.equal(await actions().count({ query }, EVERYTHING), 2);
  });

  it('can be run again, also after it was cut off in the middle', async () => {
    assert.equal(await run(), 0);
    await actions().save('late', { ...rest('late'), owner_id: 'anna' } as unknown as Action, { visible: 'now' });
    assert.equal(await run(), 1);
    assert.deepEqual(await actions().get('late', EVERYTHING), { ...rest('late'), owner: 'anna' });
  });

  it('decides again about what others write meanwhile', async () => {
    const owned = (id: string, owner: object) => ({ ...rest(id), ...owner }) as unknown as Action;
    for (const id of ['given', 'gone']) await actions().save(id, owned(id, { owner_id: 'anna' }), { visible: 'now' });
    let saves = 0;
    const meddled = withMethods(actions(), {
      async save(id, document, options) {
        saves += 1;
        if (saves > 1) return actions().save(id, document, options);
        await actions().save('given', owned('given', { owner_id: 'anna', owner: 'otto' }), { visible: 'now' });
        await actions().delete('gone', { visible: 'now' });
        return actions().save(id, document, options);
      },
    });
    assert.equal(await run(withMethods(datastore, { collection: () => meddled as never })), 1);
    assert.deepEqual(await actions().get('given', EVERYTHING), owned('given', { owner: 'otto' }));
    assert.equal(await actions().get('gone', EVERYTHING), undefined);
  });
});
