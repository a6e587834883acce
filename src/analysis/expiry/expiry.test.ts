import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { cachedFileDocument } from '../../documents/kinds/analysis/cached-file.ts';
import { type EmptyResult, emptyResultDocument } from '../../documents/kinds/analysis/empty-result.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { openLocalFileStorage } from '../../file-storage/local/local-file-storage.ts';
import { ExpiredApiKeys } from '../../identity/keys/expired-api-keys.ts';
import { UserStore } from '../../identity/user-store.ts';
import type { JobRun } from '../../jobs/job.ts';
import { enforcedClassification } from '../../testing/analysis/enforced-classification.ts';
import { FileUse } from '../files/file-use.ts';
import { ContentRemoval } from './content-removal.ts';
import { Expiry, type ExpirySettings } from './expiry.ts';
import { FileCleanup } from './file-cleanup.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const HOUR = 3_600_000;
const EVERYTHING = unrestricted('a test looks at what is stored');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR).toISOString();

describe('Expiry', () => {
  it('deletes what expired, with the content of files, and keeps the rest', async (context) => {
    const { expire, addEmpty, addFile, isStored, empties, files } = await setUp(context);
    await addEmpty('old', hoursAgo(1));
    await addEmpty('now', NOW.toISOString());
    await addEmpty('later', hoursAgo(-1));
    await addEmpty('never', undefined);
    const gone = await addFile('gone', hoursAgo(1));
    const kept = await addFile('kept', undefined);
    const steps = await expire();
    assert.deepEqual(
      steps.map(({ name, outcome, changed }) => [name, outcome, changed]),
      [
        ['deleted submissions', 'done', 0],
        ['emptyresult', 'done', 2],
        ['file', 'done', 1],
        ['apikey', 'done', 0],
      ],
    );
    assert.deepEqual(await idsOf(empties), ['later', 'never']);
    assert.deepEqual(await idsOf(files), [kept]);
    assert.deepEqual([await isStored(gone), await isStored(kept)], [false, true]);
  });

  it('counts in a dry run and deletes nothing', async (context) => {
    const { expire, addEmpty, addFile, isStored } = await setUp(context, {}, 3);
    await addEmpty('old', hoursAgo(1));
    const file = await addFile('a', hoursAgo(1));
    const steps = await expire({ dryRun: true });
    assert.deepEqual(
      steps.map(({ changed }) => changed),
      [3, 1, 1, 0],
    );
    assert.equal(await isStored(file), true);
  });

  it('waits for the delay, deletes whole days, and leaves content where settings say so', async (context) => {
    const delayed = await setUp(context, { delay: 3 });
    await delayed.addEmpty('2 hours', hoursAgo(2));
    await delayed.addEmpty('4 hours', hoursAgo(4));
    await delayed.expire();
    assert.deepEqual(await idsOf(delayed.empties), ['2 hours']);
    const daily = await setUp(context, { batch_delete: true });
    await daily.addEmpty('today', hoursAgo(11));
    await daily.addEmpty('yesterday', hoursAgo(13));
    await daily.expire();
    assert.deepEqual(await idsOf(daily.empties), ['today']);
    const keeping = await setUp(context, { delete_storage: false });
    const file = await keeping.addFile('a', hoursAgo(1));
    await keeping.expire();
    assert.deepEqual([await idsOf(keeping.files), await keeping.isStored(file)], [[], true]);
  });

  it('deletes the oldest first, in batches, and continues after an interruption', async (context) => {
    const { expire, addEmpty, empties } = await setUp(context, { delete_batch_size: 2 });
    for (const hours of [3, 5, 1, 4, 2]) await addEmpty(`${hours}`, hoursAgo(hours));
    const stopping = new AbortController();
    const progress = (done: number, total: number) => {
      assert.equal(total, 5);
      if (done === 2) stopping.abort(new Error('the program ends'));
    };
    await assert.rejects(expire({ signal: stopping.signal, progress }), /the program ends/);
    assert.deepEqual(await idsOf(empties), ['1', '2', '3']);
    await expire();
    assert.deepEqual(await idsOf(empties), []);
  });

  it('keeps a file that is renewed while it is found, and content that another document needs', async (context) => {
    const { expire, addFile, files, isStored, cached } = await setUp(context);
    const renewed = await addFile('renewed', hoursAgo(1));
    const needed = await addFile('needed', hoursAgo(1));
    await cached.save(needed, { component: 'test', expiry_ts: hoursAgo(-1) });
    const racing = withSearch(files, async () => {
      await files.update(renewed, [{ op: 'max', path: 'expiry_ts', value: hoursAgo(-24) }], { visible: 'now' });
    });
    await expire({}, racing);
    assert.deepEqual(await idsOf(files), [renewed]);
    assert.deepEqual([await isStored(renewed), await isStored(needed)], [true, true]);
  });

  it('keeps content that a caller is about to refer to again', async (context) => {
    const { expire, addFile, isStored, use, files, cleanUp, forget } = await setUp(context);
    const file = await addFile('a', hoursAgo(1));
    const other = await addFile('b', hoursAgo(2));
    await use.hold(file);
    const steps = await expire();
    assert.equal(steps.find(({ name }) => name === 'file')?.changed, 1);
    assert.deepEqual([await idsOf(files), await isStored(file), await isStored(other)], [[file], true, false]);
    await files.delete(file, { visible: 'now' });
    await forget(file);
    await cleanUp();
    assert.equal(await isStored(file), true);
  });

  it('removes API keys of the analysis service that expired, and keeps the others', async (context) => {
    const { expire, users } = await setUp(context);
    const key = (expiry_date: string | undefined) => ({ acl: ['R'], password: 'x', agents: [], expiry_date });
    const input = {
      ...{ uname: 'ada', name: 'Ada', email: 'ada@triad.example', type: ['user'], groups: [], password: 'x' },
      classification: 'TLP:CLEAR',
      apikeys: { alerts: key(hoursAgo(1)), old: key(hoursAgo(1)), later: key(hoursAgo(-1)), never: key(undefined) },
      key_details: {
        ...{ old: { creation_date: hoursAgo(9) }, later: { creation_date: hoursAgo(9) } },
        alerts: { last_used: hoursAgo(9) },
      },
    };
    const classification = enforcedClassification;
    await users.save(readDocument(userDocument, input, { unknown: 'refuse', classification }).document);
    assert.equal((await expire({ dryRun: true })).at(-1)?.changed, 1);
    assert.equal((await expire()).at(-1)?.changed, 1);
    assert.equal((await expire()).at(-1)?.changed, 0);
    const ada = await users.get('ada');
    assert.deepEqual(Object.keys(ada?.apikeys ?? {}).toSorted(), ['alerts', 'later', 'never']);
    assert.deepEqual(Object.keys(ada?.key_details ?? {}).toSorted(), ['alerts', 'later']);
  });

  it('reports a collection that cannot be searched, and continues with the others', async (context) => {
    const { expire, addEmpty, addFile, empties, files } = await setUp(context);
    await addEmpty('old', hoursAgo(1));
    await addFile('a', hoursAgo(1));
    const broken = withSearch(files, async () => undefined, new Error('the disk is gone'));
    const steps = await expire({}, broken);
    assert.deepEqual(
      steps.map(({ outcome, detail = '' }) => [outcome, detail.includes('the disk is gone')]),
      [
        ['done', false],
        ['done', false],
        ['failed', true],
        ['done', false],
      ],
    );
    assert.deepEqual(await idsOf(empties), []);
  });
});

describe('FileCleanup', () => {
  it('deletes content without a document, except that of the last day', async (context) => {
    const { addFile, store, forget, isStored, cleanUp } = await setUp(context);
    const known = await addFile('known', undefined);
    const young = await store('young');
    const forgotten = await store('forgotten');
    await forget(known);
    await forget(forgotten);
    const dry = await cleanUp({ dryRun: true });
    assert.equal(dry[0]?.changed, 1);
    assert.equal(await isStored(forgotten), true);
    const [step] = await cleanUp();
    assert.equal(step?.changed, 1);
    assert.deepEqual(await Promise.all([known, young, forgotten].map(isStored)), [true, true, false]);
  });

  it('continues an interrupted run where it was', async (context) => {
    const { store, forget, cleanUp, coordination } = await setUp(context);
    const all = (await Promise.all(['a', 'b', 'c', 'd'].map(store))).sort();
    for (const one of all) await forget(one);
    await coordination.tokens.put('file-cleanup:position', all[1], HOUR);
    assert.equal((await cleanUp())[0]?.changed, 2);
    assert.equal((await cleanUp())[0]?.changed, 2);
  });
});

async function idsOf(collection: Collection<never> | Collection<FileRecord> | Collection<object>) {
  const found: string[] = [];
  for await (const { id } of collection.stream({ query: { kind: 'all' } }, EVERYTHING)) found.push(id);
  return found.sort();
}

/** Returns the collection with something that happens after each search. */
function withSearch<T>(collection: Collection<T>, after: () => Promise<void>, error?: Error): Collection<T> {
  return Object.assign(Object.create(collection) as Collection<T>, {
    definition: collection.definition,
    count: collection.count.bind(collection),
    bulk: collection.bulk.bind(collection),
    delete: collection.delete.bind(collection),
    async search(...given: Parameters<Collection<T>['search']>) {
      if (error !== undefined) throw error;
      const found = await collection.search(...given);
      await after();
      return found;
    },
  });
}

async function setUp(context: TestContext, settings: Partial<ExpirySettings> = {}, deletions = 0) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-expiry-'));
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'expiry' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const storage = await openLocalFileStorage({ folder });
  context.after(async () => {
    await Promise.all([datastore.close(), coordination.close(), storage.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const users = new UserStore({ users: datastore.collection(userDocument) });
  const empties = datastore.collection(emptyResultDocument);
  const files = datastore.collection(fileDocument);
  const cached = datastore.collection(cachedFileDocument);
  const use = new FileUse({ tokens: coordination.tokens, storage });
  const content = new ContentRemoval({ use, owners: [files, cached] as readonly Collection<unknown>[] });
  const run = (options: Partial<JobRun>): JobRun => ({
    signal: new AbortController().signal,
    dryRun: false,
    progress: () => undefined,
    ...options,
  });
  const store = async (text: string) => (await storage.put(Buffer.from(text))).sha256;
  return {
    users,
    empties,
    files,
    cached,
    use,
    storage,
    coordination,
    store,
    addEmpty: (id: string, expiry: string | undefined) =>
      empties.save(id, (expiry === undefined ? {} : { expiry_ts: expiry }) as EmptyResult, { visible: 'now' }),
    async addFile(text: string, expiry: string | undefined) {
      const sha256 = await store(text);
      const record = { sha256, ...(expiry === undefined ? {} : { expiry_ts: expiry }) };
      await files.save(sha256, record as FileRecord, { visible: 'now' });
      return sha256;
    },
    isStored: async (sha256: string) => (await storage.stat(sha256)) !== undefined,
    /** Makes the content two days old. */
    async forget(sha256: string) {
      const time = new Date(NOW.getTime() - 48 * HOUR);
      for await (const path of pathsOf(folder, sha256)) await utimes(path, time, time);
    },
    expire: (options: Partial<JobRun> = {}, usedFiles: Collection<FileRecord> = files) =>
      new Expiry({
        collections: [empties, usedFiles] as readonly Collection<unknown>[],
        withContent: [files] as readonly Collection<unknown>[],
        content,
        submissions: { count: async () => deletions },
        finishDeletions: async () => deletions,
        apiKeys: new ExpiredApiKeys({ users, log: { info() {} } }),
        settings: { delay: 0, batch_delete: false, delete_storage: true, delete_batch_size: 2000, ...settings },
        now: () => NOW,
      }).run(run(options)),
    cleanUp: (options: Partial<JobRun> = {}) =>
      new FileCleanup({ storage, content, tokens: coordination.tokens, now: () => NOW.getTime() }).run(run(options)),
  };
}

async function* pathsOf(folder: string, sha256: string): AsyncIterable<string> {
  const { readdir } = await import('node:fs/promises');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.includes(sha256.slice(4))) yield join(entry.parentPath, entry.name);
  }
}
