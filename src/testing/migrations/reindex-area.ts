import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultyAdmin } from '../../datastore/bootstrap/conformance/faulty-admin.ts';
import { REINDEX_DEFINITIONS, reindex } from '../../migrations/reindex/reindex.ts';
import { withMethods } from '../with-methods.ts';
import { reindexCleanupArea } from './reindex-cleanup-area.ts';
import {
  assertReindexed,
  countOf,
  DOCUMENTS,
  indicesOf,
  openSeeded,
  optionsFor,
  type ReindexSubject,
  reportTo,
  withRefusals,
} from './reindex-fixture.ts';
import { seedVersion2, version2Bytes, version2Document } from './reindex-seeds.ts';
import { version2Definition } from './version-2-definitions.ts';

/** More calls that change something than any reindex of one index makes. */
const MAX_CALLS = 60;

/** Tests a reindex on one adapter. */
export function reindexArea(subject: ReindexSubject): void {
  describe(`reindex on ${subject.name}`, { skip: subject.unavailable ?? false }, () => {
    it('finds large numbers, exact outlines and case-insensitive names afterwards', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        await seedVersion2(store, 'view', 3);
        await seedVersion2(store, 'analytic', 3);
        for (const kind of ['view', 'analytic', 'hit'] as const) await reindex(optionsFor(store, kind));
        const large = Array.from({ length: DOCUMENTS }, (_, n) => version2Bytes(n)).filter((bytes) => bytes >= 2 ** 31);
        assert.equal(await countOf(store, 'hit', 'source.bytes:>=2147483648'), large.length);
        assert.equal(await countOf(store, 'hit', 'destination.bytes:2147483650'), 1);
        assert.equal(await countOf(store, 'hit', 'howler.outline.target:"Host 7"'), 1);
        assert.equal(await countOf(store, 'hit', 'howler.outline.target:host'), 0, 'it is not a string any more');
        assert.equal(await countOf(store, 'view', 'title:"vIEW of team 2"'), 1);
        assert.equal(
          await countOf(store, 'analytic', 'name:"BAD guy finder 1" AND detections:"impossible TRAVEL 1"'),
          1,
        );
        await assertReindexed(store, 'hit');
        await assertReindexed(store, 'view', 3);
      } finally {
        await store.close();
      }
    });

    it('takes writes again, under the new mapping, and does nothing the second time', async () => {
      const store = await openSeeded(subject, 'view', 5);
      try {
        await reindex(optionsFor(store, 'view'));
        const before = await store.admin.list(`${store.admin.prefix}-*`);
        const [again] = await reindex(optionsFor(store, 'view'));
        assert.equal(again?.begunAt, 'done');
        assert.deepEqual(await store.admin.list(`${store.admin.prefix}-*`), before);
        const { id, document } = version2Document('view', 5);
        await store.collection(REINDEX_DEFINITIONS.view).save(id, document, { visible: 'now' });
        assert.equal(await countOf(store, 'view', 'title:"view of TEAM 5"'), 1);
      } finally {
        await store.close();
      }
    });

    it('brings every generation over and keeps the write index', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const { admin } = store;
        const alias = `${admin.prefix}-hit`;
        const generation = `${alias}-000001`;
        await admin.create(generation, version2Definition('hit'), { aliases: [{ name: alias, writeIndex: true }] });
        const late = version2Document('hit', 9_000);
        const small = { ...late.document, source: { bytes: 1 }, destination: { bytes: 1 } };
        await store.collection(version2Definition('hit')).save(late.id, small, { visible: 'now' });
        const lifecycles: unknown[] = [];
        const policies = ['policy', alias] as const;
        // Servers that tests start from packages have no lifecycles.
        const withLifecycle = withMethods(admin, {
          list: async (pattern) =>
            (await admin.list(pattern)).map((info) => ({
              ...info,
              lifecyclePolicy: policies[0],
              rolloverAlias: alias,
            })),
          setLifecycle: async (...given) => {
            lifecycles.push(given);
          },
        });
        const results = await reindex(optionsFor(withMethods(store, { admin: withLifecycle }), 'hit'));
        assert.deepEqual(lifecycles, [
          [generation, ...policies, { rolledOver: false }],
          [`${alias}_hot`, ...policies, { rolledOver: true }],
        ]);
        assert.deepEqual(
          results.map(({ index, documents }) => [index, documents]),
          [
            [generation, 1],
            [`${alias}_hot`, DOCUMENTS],
          ],
        );
        const behind = (await admin.list(`${alias}*`)).map(({ name, aliases }) => [name, aliases[0]?.writeIndex]);
        assert.deepEqual(behind, [
          [generation, true],
          [`${alias}_hot`, false],
        ]);
        assert.equal(await countOf(store, 'hit', 'howler.outline.summary:"It is bad"'), DOCUMENTS + 1);
      } finally {
        await store.close();
      }
    });

    const { cutOffEvery = 1 } = subject;
    const cutOff = { skip: cutOffEvery === 0 && 'reindex-kill.test.ts kills processes on this engine' };
    it('ends the same when it is started again after it was cut off at any call', cutOff, async () => {
      for (const kind of cutOffEvery === 1
        ? (['killed before', 'killed after'] as const)
        : (['killed after'] as const)) {
        for (let step = 1; step < MAX_CALLS; step += cutOffEvery) {
          const store = await openSeeded(subject, 'view', 8);
          try {
            const admin = faultyAdmin(store.admin, { kind, step });
            const first = reindex(optionsFor(withMethods(store, { admin }), 'view'));
            if (
              await first.then(
                () => true,
                () => false,
              )
            ) {
              assert.ok(step > 8, 'it makes fewer calls than it has steps');
              break;
            }
            await reindex(optionsFor(store, 'view'));
            await assertReindexed(store, 'view', 8);
          } finally {
            await store.close();
          }
        }
      }
    });

    it('leaves everything as it was when a call fails before the switch, and when it is interrupted', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const before = await indicesOf(store.admin);
        const admin = withMethods(store.admin, {
          copy: () => Promise.reject(new Error('injected')),
        });
        await assert.rejects(reindex(optionsFor(withMethods(store, { admin }), 'hit')), /injected/);
        assert.deepEqual(await indicesOf(store.admin), before);
        const ending = new AbortController();
        const interrupting = withMethods(store.admin, {
          task: async (id) => {
            const status = await store.admin.task(id);
            if (ending.signal.aborted) return status;
            ending.abort('SIGINT');
            return { ...status, done: false };
          },
        });
        await assert.rejects(
          reindex({ ...optionsFor(withMethods(store, { admin: interrupting }), 'hit'), signal: ending.signal }),
        );
        assert.deepEqual(await indicesOf(store.admin), before);
        await store.collection(version2Definition('hit')).delete(version2Document('hit', 0).id);
      } finally {
        await store.close();
      }
    });

    it('copies what was written the moment before writes were blocked', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const { id } = version2Document('hit', 3);
        const documents = store.collection(version2Definition('hit'));
        let written = false;
        const admin = withMethods(store.admin, {
          blockWrites: async (index) => {
            if (!written) await documents.update(id, [{ op: 'set', path: 'howler.status', value: 'resolved' }]);
            written = true;
            await store.admin.blockWrites(index);
          },
        });
        await reindex(optionsFor(withMethods(store, { admin }), 'hit'));
        const copied = await Array.fromAsync(store.admin.scan(`${store.admin.prefix}-hit_hot`, {}));
        const stored = copied.flat().find((one) => one.id === id)?.document as { howler?: { status?: string } };
        assert.equal(stored.howler?.status, 'resolved');
      } finally {
        await store.close();
      }
    });

    it('refuses writes while it copies, instead of losing them', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const { id } = version2Document('hit', 3);
        let refused: unknown;
        const admin = withMethods(store.admin, {
          task: async (task) => {
            const change = [{ op: 'set', path: 'howler.status', value: 'resolved' } as const];
            refused ??= await store
              .collection(version2Definition('hit'))
              .update(id, change)
              .catch((error) => error);
            return store.admin.task(task);
          },
        });
        await reindex(optionsFor(withMethods(store, { admin }), 'hit'));
        assert.equal((refused as { code?: string }).code, 'write_blocked');
        await assertReindexed(store, 'hit');
      } finally {
        await store.close();
      }
    });

    it('lets a second operator wait, who then finds everything done', async () => {
      const store = await openSeeded(subject, 'analytic', 20);
      try {
        const runs = [optionsFor(store, 'analytic'), optionsFor(store, 'analytic')].map((options) => reindex(options));
        const begun = (await Promise.all(runs)).map(([result]) => result?.begunAt).toSorted();
        assert.deepEqual(begun, ['done', 'untouched']);
        await assertReindexed(store, 'analytic', 20);
      } finally {
        await store.close();
      }
    });

    it('stops at documents that the new mapping refuses, and leaves them behind when told to', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const before = await indicesOf(store.admin);
        const bad = Array.from({ length: 12 }, (_, n) => version2Document('hit', n).id);
        const notes: string[] = [];
        const options = {
          ...optionsFor(withMethods(store, { admin: withRefusals(store.admin, new Set(bad)) }), 'hit'),
          report: reportTo(notes),
        };
        await assert.rejects(reindex(options), { code: 'reindex_failures' });
        assert.equal(notes.filter((note) => note.includes('refused by the new mapping')).length, 10);
        assert.deepEqual(await indicesOf(store.admin), before);
        const [result] = await reindex({ ...options, allowFailures: true });
        assert.equal(result?.documents, DOCUMENTS - bad.length);
        assert.equal((await store.admin.list(result?.kept ?? ''))[0]?.documents, DOCUMENTS);
      } finally {
        await store.close();
      }
    });

    it('does not switch to a copy that differs', async () => {
      const store = await openSeeded(subject, 'hit');
      try {
        const before = await indicesOf(store.admin);
        const admin = withMethods(store.admin, {
          copy: (source, target) =>
            store.admin.copy(source, target, { transform: (document) => ({ ...document, message: 'another' }) }),
        });
        await assert.rejects(reindex(optionsFor(withMethods(store, { admin }), 'hit')), { code: 'reindex_differs' });
        const fewer = withMethods(store.admin, {
          copy: (source, target) =>
            store.admin.copy(source, target, {
              transform: (document) => (JSON.stringify(document).includes('Host 31') ? undefined : document),
            }),
        });
        await assert.rejects(reindex(optionsFor(withMethods(store, { admin: fewer }), 'hit')), {
          code: 'reindex_differs',
        });
        assert.deepEqual(await indicesOf(store.admin), before);
      } finally {
        await store.close();
      }
    });

    reindexCleanupArea(subject);
  });
}
