import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import { SEARCHABLE } from '../../testing/searchable-kind.ts';
import type { Datastore } from '../port/datastore.ts';
import { MATCH_ALL } from '../port/query-tree.ts';
import { unrestricted } from '../port/read-access.ts';
import { COLUMN_FILE } from './columns/column-database.ts';
import { ThreadedColumns } from './columns.ts';
import { openEmbeddedDatastore } from './embedded-datastore.ts';

const EVERYTHING = unrestricted('the test looks at its own documents');
const DOCUMENTS = 3000;
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'triad-recovery-'));
  folders.push(folder);
  return folder;
}

const open = (folder: string) => openEmbeddedDatastore({ folder, prefix: 'test' });

/** A folder with documents whose columns are written, closed again. */
async function filledFolder(): Promise<string> {
  const folder = newFolder();
  const store = await open(folder);
  const items = Array.from({ length: DOCUMENTS }, (_, number) => ({
    kind: 'save' as const,
    id: `d${number}`,
    document: { status: number % 3 === 0 ? 'open' : 'closed', severity: number },
  }));
  await store.collection(SEARCHABLE).bulk(items, { visible: 'now' });
  assert.equal(await openOnes(store), DOCUMENTS / 3);
  await store.close();
  return folder;
}

/** Milliseconds for a search that waits until 50 MB of columns are written on a busy machine. */
const PATIENCE = 300_000;

const openOnes = (store: Datastore) =>
  store
    .collection(SEARCHABLE)
    .count({ query: { kind: 'term', field: 'status', value: 'open' }, timeout: PATIENCE }, EVERYTHING);

async function assertWhole(folder: string): Promise<void> {
  const store = await open(folder);
  try {
    assert.equal(await openOnes(store), DOCUMENTS / 3);
    const document = await store.collection(SEARCHABLE).get('d2999', EVERYTHING);
    assert.equal(document?.severity, 2999);
  } finally {
    await store.close();
  }
}

describe('a data folder after trouble', () => {
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('makes deleted columns again', async () => {
    const folder = await filledFolder();
    rmSync(join(folder, COLUMN_FILE));
    await assertWhole(folder);
  });

  it('finds what is in small collections while a large one is being made again', async () => {
    const folder = newFolder();
    const small: CollectionDefinition<StoredDocument> = { ...SEARCHABLE, name: 'small' };
    const store = await open(folder);
    const many = Array.from({ length: 60_000 }, (_, number) => ({
      kind: 'save' as const,
      id: `m${number}`,
      document: { status: 'open', severity: number },
    }));
    await store.collection(SEARCHABLE).bulk(many);
    await store.collection(small).save('one', { status: 'open' });
    await store.close();
    rmSync(join(folder, COLUMN_FILE));
    const again = await open(folder);
    try {
      const query = { kind: 'term', field: 'status', value: 'open' } as const;
      const [found, large] = await Promise.allSettled([
        again.collection(small).count({ query }, EVERYTHING),
        again.collection(SEARCHABLE).count({ query }, EVERYTHING),
      ]);
      assert.deepEqual(found, { status: 'fulfilled', value: 1 });
      const code = large.status === 'rejected' ? large.reason.code : 'found';
      assert.ok(code === 'columns_rebuilding' || code === 'found', code);
    } finally {
      await again.close();
    }
  });

  it('continues after the thread of the columns ran out of memory, and names no folder to callers', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const items = Array.from({ length: 600 }, (_, number) => ({
      kind: 'save' as const,
      id: `d${number}`,
      document: { status: 'open', message: `${number} `.repeat(20_000) },
    }));
    for (let at = 0; at < items.length; at += 100) await store.collection(SEARCHABLE).bulk(items.slice(at, at + 100));
    assert.equal(await openOnes(store), items.length);
    await store.close();
    const logged: string[] = [];
    const logger = { info: () => {}, warn: () => {}, error: (_: object, text: string) => logged.push(text) };
    const columns = new ThreadedColumns({ folder, logger, onDurable: () => {}, heapSize: 32 });
    const all = { indices: [1], query: MATCH_ALL, access: MATCH_ALL, timeout: PATIENCE, signal: undefined };
    const sort = [{ field: 'id', kind: 'keyword', order: 'asc', missing: 'last', mode: 'min' }] as const;
    const page = { sort, offset: 0, rows: items.length, sortKeys: false, idsOnly: false };
    for (let time = 1; time <= 2; time += 1) {
      await assert.rejects(columns.call('page', all, page), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'datastore_unavailable');
        assert.ok(!error.message.includes(folder), error.message);
        return true;
      });
      assert.equal(logged.length, time);
      assert.equal(await columns.call('count', all), items.length);
    }
    await columns.close();
  });

  it('makes torn columns again: cut off, overwritten at the start, in the middle, empty', async () => {
    const folder = await filledFolder();
    const file = join(folder, COLUMN_FILE);
    const size = statSync(file).size;
    const overwrite = (at: number) => {
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, at);
      closeSync(handle);
    };
    const harms: readonly (() => void)[] = [
      () => truncateSync(file, Math.floor(size / 2)),
      () => overwrite(0),
      () => overwrite(4096),
      () => truncateSync(file, 0),
    ];
    for (const harm of harms) {
      harm();
      await assertWhole(folder);
    }
  });

  it('makes columns again whose damage a search meets', async () => {
    const folder = await filledFolder();
    const file = join(folder, COLUMN_FILE);
    const handle = openSync(file, 'r+');
    // The headers stay whole, so that the file opens.
    for (let at = 12_288 + 4096; at < statSync(file).size; at += 65_536)
      writeSync(handle, Buffer.alloc(512, 0xa5), 0, 512, at);
    closeSync(handle);
    await assertWhole(folder);
  });

  it('makes columns again that belong to an older state of the documents', async () => {
    const folder = await filledFolder();
    const older = readFileSync(join(folder, COLUMN_FILE));
    const store = await open(folder);
    await store.collection(SEARCHABLE).save('d0', { status: 'closed' }, { visible: 'now' });
    await store.collection(SEARCHABLE).save('more', { status: 'open' }, { visible: 'now' });
    await store.collection(SEARCHABLE).delete('d3', { visible: 'now' });
    await store.close();
    const handle = openSync(join(folder, COLUMN_FILE), 'w');
    writeSync(handle, older);
    closeSync(handle);
    const again = await open(folder);
    try {
      assert.equal(await openOnes(again), DOCUMENTS / 3 - 1);
    } finally {
      await again.close();
    }
  });

  it('refuses a second process with a message that names the folder, and lets it in after the first was killed', async () => {
    const folder = newFolder();
    const holder = child(folder, 0);
    await holder.saved(5);
    await assert.rejects(open(folder), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'data_folder_in_use');
      assert.ok(error.message.includes(folder), error.message);
      return true;
    });
    await holder.kill();
    const store = await open(folder);
    await store.close();
  });

  it('refuses writes when the disk is full, and loses nothing that was answered', async () => {
    const folder = newFolder();
    // No file may grow beyond this: to the program, a full disk.
    const writer = child(folder, 6_000_000);
    const { code, message } = await writer.refused();
    assert.equal(code, 'datastore_unavailable');
    assert.ok(message.includes('Check the disk') && !message.includes(folder), message);
    await writer.kill();
    const answered = writer.answered();
    assert.ok(answered > 100, `only ${answered} documents fitted`);
    const store = await open(folder);
    try {
      const ids = Array.from({ length: answered }, (_, number) => `n${number}`);
      const found = await store.collection(SEARCHABLE).getMany(ids, EVERYTHING);
      assert.deepEqual(
        ids.filter((_, at) => found[at] === undefined),
        [],
      );
      const query = { kind: 'prefix', field: 'id', value: 'n' } as const;
      assert.ok((await store.collection(SEARCHABLE).count({ query }, EVERYTHING)) >= answered);
      await store.collection(SEARCHABLE).save('after', { status: 'open' });
    } finally {
      await store.close();
    }
  });

  it('says what is wrong with a folder that cannot be used', async () => {
    const file = join(newFolder(), 'a-file');
    closeSync(openSync(file, 'w'));
    await assert.rejects(open(join(file, 'data')), { code: 'datastore_unavailable' });
    assert.ok(existsSync(file));
  });
});

const WRITER = `
  import { openEmbeddedDatastore } from ${JSON.stringify(join(import.meta.dirname, 'embedded-datastore.ts'))};
  import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import { SEARCHABLE } from ${JSON.stringify(join(import.meta.dirname, '../../testing/searchable-kind.ts'))};
  const store = await openEmbeddedDatastore({ folder: process.argv[1], prefix: 'test' });
  const collection = store.collection(SEARCHABLE);
  for (let number = 0; ; number++) {
    try {
      await collection.save('n' + number, { status: 'open', raw: 'x'.repeat(4000) });
      console.log('saved ' + number);
    } catch (error) {
      console.log('refused ' + JSON.stringify({ code: error.code, message: error.message }));
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
  }
`;

/**
 * Starts a process that saves `n0`, `n1` ... until it is refused.
 * @param fileLimit - bytes that a file may have; 0: any
 */
function child(folder: string, fileLimit: number) {
  const limit = fileLimit === 0 ? '' : `ulimit -f ${Math.floor(fileLimit / 1024)} && `;
  const script = `${limit}exec "$0" -e "$1" "$2"`;
  const writer = spawn('bash', ['-c', script, process.execPath, WRITER, folder], {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => writer.once('exit', resolve));
  let printed = '';
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const answered = () => printed.split('\n').filter((line) => line.startsWith('saved ')).length;
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      assert.ok(
        performance.now() < deadline && writer.exitCode === null,
        `the writer stopped after: ${printed.slice(-500)}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    answered,
    saved: (count: number) => until(() => (answered() >= count ? true : undefined)),
    refused: () =>
      until(() => {
        const line = /^refused (.*)$/m.exec(printed)?.[1];
        return line === undefined ? undefined : (JSON.parse(line) as { code: string; message: string });
      }),
    async kill() {
      writer.kill('SIGKILL');
      await gone;
    },
  };
}
