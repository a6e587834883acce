import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { unpackedBytes } from './unpacked-bytes.ts';

const TEXT = 'evil.example\n'.repeat(1000);

describe('unpackedBytes', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'list-'));
  });

  after(() => rm(folder, { recursive: true }));

  const unpacked = async (content: Uint8Array, { size = 1000, maxBytes = 1_000_000 } = {}): Promise<string> => {
    async function* chunks() {
      for (let start = 0; start < content.length; start += size)
        yield Buffer.from(content.subarray(start, start + size));
    }
    const found: Buffer[] = [];
    for await (const chunk of unpackedBytes(chunks(), { place: 'list', folder, maxBytes })) found.push(chunk);
    return Buffer.concat(found).toString();
  };

  it('unpacks gzip and zip, and leaves other content as it is', async () => {
    const gzip = gzipSync(TEXT);
    for (const size of [1, 3, 100_000]) {
      assert.equal(await unpacked(Buffer.from(TEXT), { size }), TEXT);
      assert.equal(await unpacked(gzip, { size }), TEXT);
      assert.equal(await unpacked(await zipOf({ 'list.txt': TEXT }), { size }), TEXT);
    }
    assert.equal(await unpacked(Buffer.concat([gzip, gzip])), TEXT + TEXT);
    assert.equal(await unpacked(Buffer.alloc(0)), '');
    assert.equal(await unpacked(Buffer.from('PK')), 'PK');
  });

  it('follows no name of a member, and skips what systems add', async () => {
    const archive = await zipOf({ '__MACOSX/._list': 'x', '.DS_Store': 'x', 'a/b/list.txt': TEXT });
    assert.equal(await unpacked(archive), TEXT);
    for (const name of ['../../../etc/list.txt', '/etc/list.txt']) {
      await assert.rejects(unpacked(await zipOf({ [name]: TEXT })), /the zip archive is broken \(Unsafe filename\)/);
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('rejects archives with several files, with none, and with a password', async () => {
    const several = /^ListProblem: list: the zip archive has several files\. It has to hold the list alone\.$/;
    await assert.rejects(unpacked(await zipOf({ a: TEXT, b: TEXT })), several);
    await assert.rejects(unpacked(await zipOf({ 'a/': '' })), /the zip archive has no file/);
    await assert.rejects(unpacked(await zipOf({ a: TEXT }, 'secret')), /the zip archive needs a password/);
  });

  it('rejects content that ends early or is damaged', async () => {
    const gzip = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, index) => index)));
    await assert.rejects(unpacked(gzip.subarray(0, -9)), /^ListProblem: list: the gzip content ends in the middle\.$/);
    await assert.rejects(unpacked(gzip.with(20, 255).fill(255, 20, 40)), /the gzip content is broken/);
    const zip = await zipOf({ a: TEXT });
    await assert.rejects(unpacked(zip.subarray(0, -9)), /the zip archive is broken/);
    await assert.rejects(unpacked(Buffer.from(zip).fill(0, 35, 60)), /the zip archive is broken/);
  });

  it('stops at the limit, packed and unpacked', async () => {
    const limit = { maxBytes: TEXT.length };
    for (const packed of [Buffer.from(TEXT), gzipSync(TEXT), await zipOf({ a: TEXT })]) {
      assert.equal(await unpacked(packed, limit), TEXT);
      await assert.rejects(unpacked(packed, { maxBytes: TEXT.length - 1 }), /it has more than 12999 bytes/);
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await assert.rejects(unpacked(bomb), /it has more than 1000000 bytes/);
    await assert.rejects(unpacked(await zipOf({ a: '0'.repeat(50_000_000) })), /it has more than 1000000 bytes/);
    assert.deepEqual(await readdir(folder), []);
  });
});

async function zipOf(members: Readonly<Record<string, string>>, password?: string): Promise<Uint8Array> {
  const options = { useWebWorkers: false, ...(password === undefined ? {} : { password }) };
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [name, text] of Object.entries(members)) {
    await writer.add(name, name.endsWith('/') ? undefined : new TextReader(text), { directory: name.endsWith('/') });
  }
  return writer.close();
}
