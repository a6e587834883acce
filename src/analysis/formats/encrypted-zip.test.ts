import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { BlobReader, BlobWriter, ZipReader } from '@zip.js/zip.js';
import { ThreadedZip } from '../files/threaded-zip.ts';
import { encryptedZip, type ZipMember } from './encrypted-zip.ts';

const PASSWORD = 'infected';

describe('encryptedZip', () => {
  it('packs content that other programs open with the password alone', async () => {
    const random = randomBytes(700_000);
    for (const content of [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(1_000_000, 'text '), random]) {
      const archive = await packed(content);
      assert.deepEqual(await unpacked(archive, PASSWORD), content);
      await assert.rejects(unpacked(archive, 'wrong'));
      if (content.length > 1) assert.equal(archive.includes(content.subarray(0, 100)), false);
    }
    const [first, second] = [await packed(random), await packed(random)];
    assert.notDeepEqual(first, second, 'the beginning is random');
  });

  it('has lengths of eight bytes for content of four gigabytes, which is sent in parts', async () => {
    const content = Buffer.from('not really that long');
    const archive = await packed(content, { size: 5e9 });
    assert.deepEqual(await unpacked(archive, PASSWORD), content);
    assert.ok(archive.includes(Buffer.from('PK\x06\x06')));
  });

  it('is read by the zip archives of Python', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'triad-zip-'));
    context.after(() => rm(folder, { recursive: true }));
    if (spawnSync('python3', ['--version']).status !== 0) return context.skip('python3 is not installed');
    const path = join(folder, 'a.zip');
    for (const size of [11, 5e9]) {
      await writeFile(path, await packed(Buffer.from('hello world'), { size, name: 'größe.txt' }));
      const script = `import zipfile; z=zipfile.ZipFile(${JSON.stringify(path)}); print(z.namelist()[0], z.read(z.namelist()[0], b'infected').decode())`;
      const { stdout, stderr } = spawnSync('python3', ['-X', 'utf8', '-c', script], { encoding: 'utf8' });
      assert.equal(stdout.trim(), 'größe.txt hello world', stderr);
    }
  });

  it('encrypts in a thread the same bytes, and leaves the event loop free', async (context) => {
    const zip = new ThreadedZip({ warn() {} });
    context.after(() => zip.close());
    const contents = [randomBytes(9_000_000), randomBytes(3_000_000), Buffer.from('small')];
    let isDone = false;
    let turns = 0;
    const watching = (async () => {
      for (; !isDone; turns += 1) await setImmediate();
    })();
    const archives = await Promise.all(contents.map((content) => packed(content, { encrypt: zip.encrypt })));
    isDone = true;
    await watching;
    for (const [index, content] of contents.entries()) {
      assert.deepEqual(await unpacked(archives[index] ?? assert.fail(), PASSWORD), content);
    }
    assert.ok(turns > 100, `others had ${turns} turns`);
  });

  it('fails as its content does', async () => {
    async function* broken() {
      yield Buffer.from('a');
      throw new Error('the disk is gone');
    }
    await assert.rejects(async () => {
      for await (const _chunk of encryptedZip(broken(), { name: 'a', password: PASSWORD, size: 10 }));
    }, /the disk is gone/);
  });
});

async function packed(content: Buffer, changes: Partial<ZipMember> = {}): Promise<Buffer> {
  async function* parts() {
    for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
  }
  const chunks: Uint8Array[] = [];
  const member = { name: 'file', password: PASSWORD, size: content.length, ...changes };
  for await (const chunk of encryptedZip(parts(), member)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function unpacked(archive: Buffer, password: string): Promise<Buffer> {
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(archive)])), { useWebWorkers: false });
  const [entry] = await reader.getEntries();
  assert.ok(entry !== undefined && !entry.directory);
  const blob = await entry.getData(new BlobWriter(), { password, checkSignature: true });
  return Buffer.from(await blob.arrayBuffer());
}
