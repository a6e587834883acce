import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultyAdmin } from '../datastore/bootstrap/conformance/faulty-admin.ts';
import type { DatastoreSubject } from '../datastore/conformance/subject.ts';
import type { Datastore } from '../datastore/datastore.ts';
import type { IndexAdmin } from '../datastore/index-admin.ts';
import { compileQuery } from '../datastore/query-language/compile-query.ts';
import { unrestricted } from '../datastore/read-access.ts';
import { REINDEX_DEFINITIONS, type ReindexOptions, reindex } from '../migrations/reindex/reindex.ts';
import { cleanUpReindex, dropKeptIndices } from '../migrations/reindex/reindex-cleanup.ts';
import type { ReindexKind } from '../migrations/reindex/reindex-names.ts';
import { planReindex } from '../migrations/reindex/reindex-plan.ts';
import { seedVersion2, version2Bytes, version2Document } from './reindex-seeds.ts';
import { version2Definition } from './version-2-definitions.ts';

const EVERYTHING = unrestricted('the test looks at its own documents');
const DOCUMENTS = 60;
/** More calls that change something than any reindex of one index makes. */
const MOST_CALLS = 60;

export interface ReindexSubject extends DatastoreSubject {
  /** Makes the index of a kind as version 2 did, where the datastore itself would refuse what that index took. */
  readonly prepare?: (store: Datastore, kind: ReindexKind) => Promise<void>;
  /** Runs are cut off after every so many calls. Default 1: before and after each; 0: not at all. */
  readonly cutOffEvery?: number;
}

/** What a reindex does on one adapter. */
export function reindexArea(subject: ReindexSubject): void {
  describe(`reindex on ${subject.name}`, { skip: subject.unavailable ?? false }, () => {
    const seeded = async (kind: ReindexKind, count = DOCUMENTS): Promise<Datastore> => {
      const store = await subject.open();
      await subject.prepare?.(store, kind);
      await seedVersion2(store, kind, count);
      return store;
    };
    const found = (store: Datastore, kind: ReindexKind, query: string) =>
      store
        .collection(REINDEX_DEFINITIONS[kind])
        .count({ query: compileQuery(query, REINDEX_DEFINITIONS[kind]) }, EVERYTHING);

    it('finds large numbers, exact outlines and case-insensitive names afterwards', async () => {
      const store = await seeded('hit');
      try {
        await seedVersion2(store, 'view', 3);
        await seedVersion2(store, 'analytic', 3);
        for (const kind of ['view', 'analytic', 'hit'] as const) await reindex(optionsFor(store, kind));
        const large = Array.from({ length: DOCUMENTS }, (_, n) => version2Bytes(n)).filter((bytes) => bytes >= 2 ** 31);
        assert.equal(await found(store, 'hit', 'source.bytes:>=2147483648'), large.length);
        assert.equal(await found(store, 'hit', 'destination.bytes:2147483650'), 1);
        assert.equal(await found(store, 'hit', 'howler.outline.target:"Host 7"'), 1);
        assert.equal(await found(store, 'hit', 'howler.outline.target:host'), 0, 'it is no text any more');
        assert.equal(await found(store, 'view', 'title:"vIEW of team 2"'), 1);
        assert.equal(await found(store, 'analytic', 'name:"BAD guy finder 1" AND detections:"impossible TRAVEL 1"'), 1);
        await assertReindexed(store, 'hit');
        await assertReindexed(store, 'view', 3);
      } finally {
        await store.close();
      }
    });

    it('takes writes again, under the new mapping, and does nothing the second time', async () => {
      const store = await seeded('view', 5);
      try {
        await reindex(optionsFor(store, 'view'));
        const before = await store.admin.list(`${store.admin.prefix}-*`);
        const [again] = await reindex(optionsFor(store, 'view'));
        assert.equal(again?.begunAt, 'done');
        assert.deepEqual(await store.admin.list(`${store.admin.prefix}-*`), before);
        const { id, document } = version2Document('view', 5);
        await store.collection(REINDEX_DEFINITIONS.view).save(id, document, { visible: 'now' });
        assert.equal(await found(store, 'view', 'title:"view of TEAM 5"'), 1);
      } finally {
        await store.close();
      }
    });

    it('brings every generation over and keeps the write index', async () => {
      const store = await seeded('hit');
      try {
        const { admin } = store;
        const alias = `${admin.prefix}-hit`;
        const generation = `${alias}-000001`;
        await admin.create(generation, version2Definition('hit'), { aliases: [{ name: alias, writeIndex: true }] });
        const late = version2Document('hit', 9_000);
        const small = { ...late.document, source: { bytes: 1 }, destination: { bytes: 1 } };
        await store.collection(version2Definition('hit')).save(late.id, small, { visible: 'now' });
        const results = await reindex(optionsFor(store, 'hit'));
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
        assert.equal(await found(store, 'hit', 'howler.outline.summary:"It is bad"'), DOCUMENTS + 1);
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
        for (let step = 1; step < MOST_CALLS; step += cutOffEvery) {
          const store = await seeded('view', 8);
          try {
            const admin = faultyAdmin(store.admin, { kind, step });
            const first = reindex(optionsFor({ ...wrapped(store, admin) }, 'view'));
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
      const store = await seeded('hit');
      try {
        const before = await indicesOf(store.admin);
        const admin = wrappedAdmin(store.admin, {
          copy: () => Promise.reject(new Error('injected')),
        });
        await assert.rejects(reindex(optionsFor(wrapped(store, admin), 'hit')), /injected/);
        assert.deepEqual(await indicesOf(store.admin), before);
        const ending = new AbortController();
        const interrupting = wrappedAdmin(store.admin, {
          task: async (id) => {
            const status = await store.admin.task(id);
            if (ending.signal.aborted) return status;
            ending.abort('SIGINT');
            return { ...status, done: false };
          },
        });
        await assert.rejects(reindex({ ...optionsFor(wrapped(store, interrupting), 'hit'), signal: ending.signal }));
        assert.deepEqual(await indicesOf(store.admin), before);
        await store.collection(version2Definition('hit')).delete(version2Document('hit', 0).id);
      } finally {
        await store.close();
      }
    });

    it('refuses writes while it copies, instead of losing them', async () => {
      const store = await seeded('hit');
      try {
        const { id } = version2Document('hit', 3);
        let refused: unknown;
        const admin = wrappedAdmin(store.admin, {
          task: async (task) => {
            const change = [{ op: 'set', path: 'howler.status', value: 'resolved' } as const];
            refused ??= await store
              .collection(version2Definition('hit'))
              .update(id, change)
              .catch((error) => error);
            return store.admin.task(task);
          },
        });
        await reindex(optionsFor(wrapped(store, admin), 'hit'));
        assert.equal((refused as { code?: string }).code, 'write_blocked');
        await assertReindexed(store, 'hit');
      } finally {
        await store.close();
      }
    });

    it('lets a second operator wait, who then finds everything done', async () => {
      const store = await seeded('analytic', 20);
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
      const store = await seeded('hit');
      try {
        const before = await indicesOf(store.admin);
        const bad = Array.from({ length: 12 }, (_, n) => version2Document('hit', n).id);
        const notes: string[] = [];
        const options = {
          ...optionsFor(wrapped(store, withRefusals(store.admin, new Set(bad))), 'hit'),
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
      const store = await seeded('hit');
      try {
        const before = await indicesOf(store.admin);
        const admin = wrappedAdmin(store.admin, {
          copy: (source, target) =>
            store.admin.copy(source, target, { transform: (document) => ({ ...document, message: 'another' }) }),
        });
        await assert.rejects(reindex(optionsFor(wrapped(store, admin), 'hit')), { code: 'reindex_differs' });
        const fewer = wrappedAdmin(store.admin, {
          copy: (source, target) =>
            store.admin.copy(source, target, {
              transform: (document) => (JSON.stringify(document).includes('Host 31') ? undefined : document),
            }),
        });
        await assert.rejects(reindex(optionsFor(wrapped(store, fewer), 'hit')), { code: 'reindex_differs' });
        assert.deepEqual(await indicesOf(store.admin), before);
      } finally {
        await store.close();
      }
    });

    it('undoes what was left, also by the tool of the public system, and drops the kept index', async () => {
      const store = await seeded('view', 4);
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
        assert.equal(await found(store, 'view', 'title:*'), 4);
      } finally {
        await store.close();
      }
    });
    it('looks at what is behind the alias only, once a lifecycle has taken the documents elsewhere', async () => {
      const store = await seeded('view', 4);
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
        assert.equal(await found(store, 'view', 'title:*'), 4);
      } finally {
        await store.close();
      }
    });

    it('drops a kept index whose own index is gone', async () => {
      const store = await seeded('view', 4);
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
  });
}

/** What every reindex ends with. */
export async function assertReindexed(store: Datastore, kind: ReindexKind, count = DOCUMENTS): Promise<void> {
  const { admin } = store;
  const alias = `${admin.prefix}-${kind}`;
  const indices = (await admin.list(`${admin.prefix}-*`)).filter(({ name }) => name.includes(kind));
  const shown = indices.map(({ name, documents, writeBlocked, aliases }) => [
    name,
    { documents, writeBlocked, aliases: aliases.map((one) => one.name) },
  ]);
  assert.deepEqual(Object.fromEntries(shown), {
    [`${admin.prefix}-before-3.0.0-${kind}_hot`]: { documents: count, writeBlocked: true, aliases: [] },
    [`${alias}_hot`]: { documents: count, writeBlocked: false, aliases: [alias] },
  });
  assert.equal((await planReindex(admin, kind)).isDone, true);
  const documents = (await Array.fromAsync(admin.scan(`${alias}_hot`, {}))).flat();
  assert.deepEqual(
    documents.map(({ id, document }) => ({ id, document })),
    Array.from({ length: count }, (_, n) => version2Document(kind, n)),
  );
}

export function optionsFor(datastore: Datastore, kind: ReindexKind): ReindexOptions {
  return {
    datastore,
    kind,
    signal: new AbortController().signal,
    report: reportTo([]),
    times: { pollEvery: 10, settle: 20, longestEnd: 20_000 },
    lockTimes: { renewEvery: 100, patience: 300, lookEvery: 20 },
  };
}

export function reportTo(notes: string[]): ReindexOptions['report'] {
  return { note: (message) => notes.push(message), progress: () => {} };
}

function wrapped(store: Datastore, admin: IndexAdmin): Datastore {
  return {
    capabilities: store.capabilities,
    admin,
    collection: (definition) => store.collection(definition),
    searchAcross: (...args) => store.searchAcross(...args),
    health: () => store.health(),
    close: () => store.close(),
  };
}

function wrappedAdmin(admin: IndexAdmin, instead: Partial<IndexAdmin>): IndexAdmin {
  return new Proxy(admin, {
    get(target, name: keyof IndexAdmin) {
      const own = instead[name];
      if (own !== undefined) return own;
      const method: unknown = target[name];
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** Refuses some documents, as a server does that cannot map them. */
function withRefusals(admin: IndexAdmin, bad: ReadonlySet<string>): IndexAdmin {
  return wrappedAdmin(admin, {
    copy: (source, target, options) =>
      admin.copy(source, target, {
        transform(document) {
          const { id } = document.howler as { id: string };
          if (bad.has(id)) throw new Error('refused by the new mapping');
          return options?.transform ? options.transform(document) : document;
        },
      }),
  });
}

export async function indicesOf(admin: IndexAdmin): Promise<unknown> {
  const indices = await admin.list(`${admin.prefix}-*`);
  return indices.map(({ name, aliases, documents, writeBlocked }) => ({ name, aliases, documents, writeBlocked }));
}
