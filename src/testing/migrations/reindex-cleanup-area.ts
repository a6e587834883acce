import assert from 'node:assert/strict';
import { it } from 'node:test';
import { planReindex } from '../../migrations/reindex/index-states.ts';
import { REINDEX_DEFINITIONS, reindex } from '../../migrations/reindex/reindex.ts';
import { cleanUpReindex, dropKeptIndices } from '../../migrations/reindex/reindex-cleanup.ts';
import { withMethods } from '../with-methods.ts';
import { countOf, indicesOf, openSeeded, optionsFor, type ReindexSubject, reportTo } from './reindex-fixture.ts';

/** Tests the cleanup of interrupted runs and of indices that are no longer needed. */
export function reindexCleanupArea(subject: ReindexSubject): void {
  it('does not take a restored index for done because the old one of an earlier run is kept', async () => {
    const store = await openSeeded(subject, 'view', 3);
    try {
      const { admin } = store;
      const notes: string[] = [];
      await reindex({ ...optionsFor(store, 'view'), report: reportTo(notes) });
      assert.match(notes.join('\n'), /_hot: the numbers .* 3 documents were compared/);
      // A restored index has the time at which it was made first.
      const restored = withMethods(admin, {
        list: async (pattern) =>
          (await admin.list(pattern)).map((info) =>
            info.name === `${admin.prefix}-view_hot` ? { ...info, createdAt: new Date(0) } : info,
          ),
      });
      const restoredStore = withMethods(store, { admin: restored });
      await assert.rejects(reindex(optionsFor(restoredStore, 'view')), {
        code: 'reindex_kept_in_the_way',
        message: /--drop-old --index view/,
      });
      await dropKeptIndices(optionsFor(restoredStore, 'view'));
      const [again] = await reindex(optionsFor(restoredStore, 'view'));
      assert.equal(again?.begunAt, 'untouched');
    } finally {
      await store.close();
    }
  });

  it('undoes what was left, also by the tool of the public system, and drops the kept index', async () => {
    const store = await openSeeded(subject, 'view', 4);
    try {
      const { admin } = store;
      const alias = `${admin.prefix}-view`;
      const before = await indicesOf(admin);
      assert.deepEqual(await cleanUpReindex(optionsFor(store, 'view')), []);
      await admin.blockWrites(`${alias}_hot`);
      for (const name of [`${admin.prefix}-reindex-view_hot`, `${alias}_hot__reindex`]) {
        await admin.create(name, REINDEX_DEFINITIONS.view);
      }
      await admin.switchAliases([{ kind: 'add', index: `${alias}_hot__reindex`, alias: `${alias}-other` }]);
      await assert.rejects(reindex(optionsFor(store, 'view')), { code: 'reindex_foreign_target' });
      assert.equal((await cleanUpReindex(optionsFor(store, 'view'))).length, 3);
      await admin.switchAliases([{ kind: 'remove', index: `${alias}_hot`, alias: `${alias}-other` }]);
      assert.deepEqual(await indicesOf(admin), before);

      await assert.rejects(dropKeptIndices(optionsFor(store, 'view')), { code: 'index_missing' });
      await reindex(optionsFor(store, 'view'));
      const [dropped] = await dropKeptIndices(optionsFor(store, 'view'));
      assert.equal(dropped, `${admin.prefix}-before-3.0.0-view_hot`);
      assert.equal(await admin.exists(dropped ?? ''), false);
      assert.equal(await countOf(store, 'view', 'title:*'), 4);
    } finally {
      await store.close();
    }
  });
  it('looks at what is behind the alias only, once a lifecycle has taken the documents elsewhere', async () => {
    const store = await openSeeded(subject, 'view', 4);
    try {
      const { admin } = store;
      const alias = `${admin.prefix}-view`;
      const kept = `${admin.prefix}-before-3.0.0-view_hot`;
      await reindex(optionsFor(store, 'view'));
      await admin.blockWrites(`${alias}_hot`);
      await admin.clone(`${alias}_hot`, `${alias}-000001`);
      await admin.unblockWrites(`${alias}-000001`);
      await admin.unblockWrites(`${alias}_hot`);
      await admin.switchAliases([
        { kind: 'remove', index: `${alias}_hot`, alias },
        { kind: 'add', index: `${alias}-000001`, alias, writeIndex: true },
      ]);
      assert.deepEqual(
        (await planReindex(admin, 'view')).indices.map(({ index }) => index),
        [`${alias}-000001`],
      );
      await admin.create(`${admin.prefix}-reindex-view_hot`, REINDEX_DEFINITIONS.view);
      await assert.rejects(reindex(optionsFor(store, 'view')), /--cleanup/);
      assert.equal((await cleanUpReindex(optionsFor(store, 'view'))).length, 1);
      assert.deepEqual(await dropKeptIndices(optionsFor(store, 'view')), [kept]);
      await reindex(optionsFor(store, 'view'));
      await admin.delete(`${alias}_hot`);
      const [dropped] = await dropKeptIndices(optionsFor(store, 'view'));
      assert.equal(dropped, `${admin.prefix}-before-3.0.0-view-000001`);
      assert.equal(await countOf(store, 'view', 'title:*'), 4);
    } finally {
      await store.close();
    }
  });

  it('drops a kept index whose own index is gone', async () => {
    const store = await openSeeded(subject, 'view', 4);
    try {
      const { admin } = store;
      await reindex(optionsFor(store, 'view'));
      const gone = `${admin.prefix}-before-3.0.0-view-000007`;
      await admin.create(gone, REINDEX_DEFINITIONS.view);
      assert.ok((await dropKeptIndices(optionsFor(store, 'view'))).includes(gone));
      assert.equal(await admin.exists(gone), false);
    } finally {
      await store.close();
    }
  });
}
