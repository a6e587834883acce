import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FileStorageSubject, inChunks, listAll, openForArea, readAll, sha256Of, someBytes } from './subject.ts';

/** Many at once, and what lies there. */
export function togetherArea(subject: FileStorageSubject): void {
  const opened = openForArea(subject);

  it('keeps one file of content that a hundred callers put at once', async () => {
    const { storage, peer, remains } = opened.current;
    for (const size of [1000, 300_000]) {
      const bytes = someBytes(size, size);
      const expected = { sha256: sha256Of(bytes), size };
      const puts = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 ? peer : storage).put(inChunks(bytes, 10_000 + index * 100)),
        ),
      );
      assert.deepEqual(puts, Array(100).fill(expected));
      assert.ok(bytes.equals(await readAll(peer, expected.sha256)));
      assert.equal(await remains(), 1);
      await storage.delete(expected.sha256);
    }
  });

  it('writes content once: the first time stays', async () => {
    const { storage, peer } = opened.current;
    const bytes = Buffer.from('written once');
    const { sha256 } = await storage.put(bytes);
    const first = await storage.stat(sha256);
    // Storages may count in seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await peer.put(bytes);
    assert.deepEqual(await storage.stat(sha256), first);
    await storage.delete(sha256);
  });

  it('keeps contents apart that are put at once', async () => {
    const { storage, peer, remains } = opened.current;
    const contents = Array.from({ length: 40 }, (_, index) => someBytes(10_000 + index, index));
    const puts = await Promise.all(
      contents.map((bytes, index) => (index % 2 ? peer : storage).put(inChunks(bytes, 777))),
    );
    for (const [index, { sha256 }] of puts.entries()) {
      assert.ok(contents[index]?.equals(await readAll(storage, sha256)), `content ${index}`);
    }
    assert.equal(await remains(), contents.length);
    await Promise.all(puts.map(({ sha256 }) => storage.delete(sha256)));
    assert.equal(await remains(), 0);
  });

  it('lists every file once, in order, in batches, and continues after any of them', async () => {
    const { storage, peer } = opened.current;
    assert.deepEqual(await listAll(storage), { files: [], sizes: [] });
    const expected: { sha256: string; size: number }[] = [];
    for (let index = 0; index < 1234; index += 50) {
      const some = Array.from({ length: Math.min(50, 1234 - index) }, (_, step) => Buffer.from(`file ${index + step}`));
      expected.push(...(await Promise.all(some.map((bytes) => storage.put(bytes)))));
    }
    expected.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
    const { files, sizes } = await listAll(peer);
    assert.deepEqual(
      files.map(({ sha256, size }) => ({ sha256, size })),
      expected,
    );
    assert.ok(
      files.every(({ storedAt }) => Math.abs(Date.now() - storedAt.getTime()) < 600_000),
      'the times are not of now',
    );
    assert.ok(sizes.length > 1 && sizes.every((size) => size > 0 && size <= 1000), `batches of ${sizes}`);
    for (const index of [0, 1, 617, 999, 1000, 1232, 1233]) {
      const rest = await listAll(storage, expected[index]?.sha256);
      assert.deepEqual(
        rest.files.map(({ sha256 }) => sha256),
        expected.slice(index + 1).map(({ sha256 }) => sha256),
      );
    }
    const between = await listAll(storage, 'f'.repeat(64));
    assert.deepEqual(between.files, []);
    for await (const batch of storage.list()) {
      // Deleting what is being listed is what a clean-up does.
      await Promise.all(batch.map(({ sha256 }) => storage.delete(sha256)));
    }
    assert.equal(await opened.current.remains(), 0);
  });

  it('refuses to list behind what is no SHA-256', async () => {
    await assert.rejects(listAll(opened.current.storage, 'abc'), { code: 'invalid_sha256' });
  });
}
