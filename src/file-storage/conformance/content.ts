import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { type FileStorageSubject, inChunks, openForArea, readAll, sha256Of, someBytes } from './subject.ts';

const MEBIBYTE = 1 << 20;

export function contentArea(subject: FileStorageSubject): void {
  const opened = openForArea(subject);

  it('gives back what was put, under the SHA-256 of the whole content, to every process', async () => {
    const { storage, peer } = opened.current;
    for (const [size, chunk] of [
      [1, 1],
      [100, 7],
      [65_536, 65_536],
      [MEBIBYTE + 1, 10_000],
      [21 * MEBIBYTE + 13, 300_001],
    ] as const) {
      const bytes = someBytes(size, size);
      const put = await storage.put(inChunks(bytes, chunk));
      assert.deepEqual(put, { sha256: sha256Of(bytes), size });
      const { stream, size: told, length } = await peer.open(put.sha256);
      assert.deepEqual([told, length], [size, size]);
      assert.ok(bytes.equals(Buffer.concat(await Array.fromAsync(stream))), `${size} bytes came back changed`);
    }
  });

  it('takes bytes at once, streams and generators', async () => {
    const { storage } = opened.current;
    const bytes = someBytes(200_000, 1);
    const expected = { sha256: sha256Of(bytes), size: bytes.length };
    assert.deepEqual(await storage.put(bytes), expected);
    await storage.delete(expected.sha256);
    assert.deepEqual(await storage.put(Readable.from(inChunks(bytes, 999))), expected);
    assert.ok(bytes.equals(await readAll(storage, expected.sha256)));
  });

  it('stores empty content', async () => {
    const { storage } = opened.current;
    const sha256 = sha256Of('');
    assert.deepEqual(await storage.put(new Uint8Array()), { sha256, size: 0 });
    assert.equal((await storage.stat(sha256))?.size, 0);
    assert.equal((await readAll(storage, sha256)).length, 0);
  });

  it('tells size and time of a file, and nothing of one that is not there', async () => {
    const { storage, peer } = opened.current;
    const before = Date.now();
    const { sha256 } = await storage.put(Buffer.from('stat'));
    const file = await peer.stat(sha256);
    assert.deepEqual([file?.sha256, file?.size], [sha256, 4]);
    // Storages count in seconds, by clocks of their own.
    assert.ok(Math.abs((file?.storedAt.getTime() ?? 0) - before) < 60_000, `stored at ${file?.storedAt.toISOString()}`);
    assert.equal(await storage.stat(sha256Of('never put')), undefined);
  });

  it('forgets what was deleted, and takes it again', async () => {
    const { storage, peer } = opened.current;
    const bytes = Buffer.from('deleted and put again');
    const { sha256 } = await storage.put(bytes);
    await peer.delete(sha256);
    await peer.delete(sha256);
    assert.equal(await storage.stat(sha256), undefined);
    await assert.rejects(storage.open(sha256), { kind: 'not_found', code: 'file_missing' });
    await storage.put(bytes);
    assert.ok(bytes.equals(await readAll(peer, sha256)));
  });

  it('gives the range that is asked for, cut off at the end', async () => {
    const { storage } = opened.current;
    const bytes = someBytes(100_000, 5);
    const { sha256 } = await storage.put(bytes);
    for (const [offset, length] of [
      [0, 1],
      [0, 100_000],
      [1, undefined],
      [99_999, 1],
      [99_999, undefined],
      [40_000, 20_000],
      [90_000, 50_000],
      [100_000, undefined],
      [100_000, 10],
      [500, 0],
    ] as const) {
      const range = length === undefined ? { offset } : { offset, length };
      const expected = bytes.subarray(offset, length === undefined ? undefined : offset + length);
      const part = await storage.open(sha256, range);
      const given = Buffer.concat(await Array.fromAsync(part.stream));
      assert.ok(expected.equals(given), `${JSON.stringify(range)} gave ${given.length} bytes`);
      assert.deepEqual([part.size, part.length], [bytes.length, expected.length]);
    }
    const { sha256: empty } = await storage.put(new Uint8Array());
    assert.equal((await readAll(storage, empty, { offset: 0 })).length, 0);
  });

  it('refuses ranges that begin behind the end or are none', async () => {
    const { storage } = opened.current;
    const { sha256 } = await storage.put(Buffer.from('ten bytes.'));
    for (const range of [
      { offset: 11 },
      { offset: -1 },
      { offset: 0, length: -1 },
      { offset: 0.5 },
      { offset: Number.NaN },
    ]) {
      await assert.rejects(storage.open(sha256, range), { kind: 'invalid_input', code: 'invalid_range' });
    }
    await assert.rejects(storage.open(sha256Of('no such file'), { offset: 0, length: 0 }), { code: 'file_missing' });
    await assert.rejects(storage.open(sha256Of('no such file'), { offset: 3 }), { code: 'file_missing' });
  });

  it('does not end a read of damaged bytes as if they were sound', async () => {
    const { storage, damage } = opened.current;
    const bytes = someBytes(300_000, 9);
    const { sha256 } = await storage.put(bytes);
    const changed = Buffer.from(bytes);
    changed[150_000] = (changed[150_000] ?? 0) ^ 1;
    await damage(sha256, changed);
    await assert.rejects(readAll(storage, sha256), { kind: 'unavailable', code: 'file_damaged' });
  });

  it('replaces a file that has lost its end when the content is put again', async () => {
    const { storage, damage } = opened.current;
    const bytes = someBytes(50_000, 10);
    const { sha256 } = await storage.put(bytes);
    await damage(sha256, bytes.subarray(0, 100));
    await assert.rejects(readAll(storage, sha256), { code: 'file_damaged' });
    await storage.put(bytes);
    assert.ok(bytes.equals(await readAll(storage, sha256)));
  });

  it('can be left in the middle of a read', async () => {
    const { storage } = opened.current;
    const bytes = someBytes(5 * MEBIBYTE, 11);
    const { sha256 } = await storage.put(bytes);
    for (let round = 0; round < 60; round += 1) {
      const { stream } = await storage.open(sha256);
      if (round % 2 === 0) await stream[Symbol.asyncIterator]().next();
      stream.destroy();
    }
    assert.ok(bytes.equals(await readAll(storage, sha256)), 'streams that were left hold up the next');
  });
}
