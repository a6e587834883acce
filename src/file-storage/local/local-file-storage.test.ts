import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { putLargeStream } from '../../testing/servers/put-large-stream.ts';
import { sha256Of } from '../conformance/subject.ts';
import { openLocalFileStorage } from './local-file-storage.ts';

const WRITER = join(import.meta.dirname, 'conformance-writer.ts');

const withoutSmallDisk = await whyNoSmallDisk();

describe('files in a folder', () => {
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'local-files-'));
  });
  after(() => rm(root, { recursive: true, force: true }));
  const folderFor = (name: string) => join(root, name);

  it('lie as ab/cd/<sha256>, readable for their owner alone', async () => {
    const folder = folderFor('layout');
    const storage = await openLocalFileStorage({ folder });
    const { sha256 } = await storage.put(Buffer.from('where it lies'));
    const path = join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    assert.equal(await readFile(path, 'utf8'), 'where it lies');
    assert.deepEqual(await readdir(join(folder, 'incoming')), []);
    await storage.close();
    const again = await openLocalFileStorage({ folder });
    assert.equal((await again.stat(sha256))?.size, 13, 'it is there after a restart');
    await again.close();
  });

  it('leaves nothing to be seen of a put whose process is killed, and the next start removes its part', async () => {
    const folder = folderFor('killed');
    const writer = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const gone = new Promise((resolve) => writer.once('exit', resolve));
    await new Promise<void>((resolve) => {
      let lines = 0;
      writer.stdout.on('data', (text: Buffer) => {
        lines += text.toString().split('\n').length - 1;
        if (lines >= 5) resolve();
      });
    });
    const meanwhile = await openLocalFileStorage({ folder });
    assert.equal((await readdir(join(folder, 'incoming'))).length, 1, 'the part of a process that lives is left alone');
    writer.kill('SIGKILL');
    await gone;
    assert.deepEqual(await Array.fromAsync(meanwhile.list()), []);
    await meanwhile.close();

    const told: unknown[] = [];
    const logger = { info: (details: object) => told.push(details), warn: () => undefined };
    const storage = await openLocalFileStorage({ folder, logger });
    assert.deepEqual(await readdir(join(folder, 'incoming')), []);
    assert.deepEqual(told, [{ folder, removed: 1 }]);
    assert.deepEqual(await Array.fromAsync(storage.list()), []);
    await storage.close();
  });

  it('removes parts of other machines and of earlier lives of this process number when they are old', async () => {
    const folder = folderFor('parts');
    const incoming = join(folder, 'incoming');
    await mkdir(incoming, { recursive: true });
    const own = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
    const parts: Readonly<Record<string, number>> = {
      'elsewhere.1.young': 3600,
      'elsewhere.1.old': 25 * 3600,
      [`${own}.${process.pid}.now`]: 0,
      [`${own}.${process.pid}.before-this-process`]: 3600,
      [`${own}.1.of-a-process-that-lives`]: 3600,
      [`${own}.999999999.of-a-process-that-is-gone`]: 1,
    };
    for (const [name, age] of Object.entries(parts)) {
      await writeFile(join(incoming, name), name);
      const written = new Date(Date.now() - age * 1000);
      await utimes(join(incoming, name), written, written);
    }
    await (await openLocalFileStorage({ folder })).close();
    assert.deepEqual(
      (await readdir(incoming)).toSorted(),
      ['elsewhere.1.young', `${own}.1.of-a-process-that-lives`, `${own}.${process.pid}.now`].toSorted(),
    );
  });

  it('says that the disk is full, keeps nothing of the file, and continues when there is room', {
    skip: withoutSmallDisk,
  }, async () => {
    const disk = folderFor('small-disk');
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    try {
      const storage = await openLocalFileStorage({ folder: join(disk, 'files') });
      const small = await storage.put(Buffer.alloc(1 << 20, 1));
      await assert.rejects(storage.put(Buffer.alloc(8 << 20, 2)), {
        kind: 'unavailable',
        code: 'file_storage_unavailable',
        message: `The file storage ${join(disk, 'files')} cannot be used: The disk is full. Free space.`,
      });
      assert.deepEqual(await readdir(join(disk, 'files', 'incoming')), []);
      assert.equal((await Array.fromAsync(storage.list())).flat().length, 1);
      await storage.delete(small.sha256);
      assert.equal((await storage.put(Buffer.alloc(2 << 20, 3))).size, 2 << 20);
      await storage.close();
    } finally {
      await run('umount', [disk]);
    }
  });

  it('says so when the system lets a process write no more, and keeps nothing', async () => {
    const folder = folderFor('size-limit');
    // Blocks of 1024 bytes: 2 MiB.
    const output = await run('bash', [
      '-c',
      `ulimit -f 2048; exec "$@"`,
      '-',
      process.execPath,
      WRITER,
      folder,
      String(8 << 20),
    ]);
    const refused = output.split('\n').find((line) => line.startsWith('refused'));
    assert.match(
      refused ?? output,
      /"code":"file_storage_unavailable".*larger than the system lets this process write/,
    );
    const left = await readdir(folder, { recursive: true });
    assert.deepEqual(left, ['incoming']);
  });

  it('does not open in a folder that cannot be one', async () => {
    const file = folderFor('a-file');
    await writeFile(file, '');
    const unavailable = { kind: 'unavailable', code: 'file_storage_unavailable' };
    await assert.rejects(openLocalFileStorage({ folder: join(file, 'files') }), unavailable);
    await symlink('nowhere', folderFor('dangling'));
    await assert.rejects(openLocalFileStorage({ folder: folderFor('dangling') }), unavailable);
  });

  it('tells that it is not well when its folder is gone, and is well when it is back', async () => {
    const folder = folderFor('vanishing');
    const storage = await openLocalFileStorage({ folder });
    await rm(folder, { recursive: true });
    assert.equal((await storage.health()).ok, false);
    await assert.rejects(storage.put(Buffer.from('x')), { code: 'file_storage_unavailable' });
    await mkdir(join(folder, 'incoming'), { recursive: true });
    assert.deepEqual(await storage.health(), { ok: true, detail: '' });
    assert.equal((await storage.put(Buffer.from('x'))).sha256, sha256Of('x'));
    await storage.close();
  });

  it('takes and gives 200 MB in less than 100 MB of memory', async () => {
    const storage = await openLocalFileStorage({ folder: folderFor('large') });
    const { grown } = await putLargeStream(storage);
    assert.ok(grown < 100e6, `the process grew by ${Math.round(grown / 1e6)} MB`);
    await storage.close();
  });
});

/** Why no small disk can be made here; false when it can. */
async function whyNoSmallDisk(): Promise<string | false> {
  const probe = await mkdtemp(join(tmpdir(), 'tmpfs-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe]);
    await run('umount', [probe]);
    return false;
  } catch {
    return 'only root can mount a small disk';
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Resolves with the output; rejects when the process fails. */
async function run(command: string, words: readonly string[]): Promise<string> {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${command} ended with status ${status}: ${printed}`);
  return printed;
}
