import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileStorage } from '../file-storage.ts';
import { type FileStorageSubject, inChunks, openForArea, readAll, sha256Of, someBytes } from './subject.ts';

const LARGE = 20 * (1 << 20);
/** A storage that does not notice would wait without end. */
const STALLS = { timeout: 10_000 };

export function refusalsArea(subject: FileStorageSubject): void {
  const opened = openForArea(subject);

  it('refuses content that is longer than the limit, as soon as it is', async () => {
    const { storage } = opened.current;
    let given = 0;
    const endless = async function* () {
      for (; given < 20_000; given += 1) yield Buffer.alloc(1000, given % 256);
    };
    await assert.rejects(storage.put(endless(), { limit: 10_000 }), { kind: 'too_large', code: 'file_too_large' });
    assert.ok(given <= 50, `it read ${given} chunks of a thousand bytes on`);
    await assert.rejects(storage.put(Buffer.alloc(101), { limit: 100 }), { code: 'file_too_large' });
    assert.equal((await storage.put(Buffer.alloc(100), { limit: 100 })).size, 100);
    await storage.delete(sha256Of(Buffer.alloc(100)));
    await nothingRemains();
  });

  it('refuses content that is not what it is said to be', async () => {
    const { storage } = opened.current;
    const bytes = Buffer.from('announced');
    const expected = sha256Of('something else');
    await assert.rejects(storage.put(bytes, { expected }), { kind: 'invalid_input', code: 'file_hash_mismatch' });
    assert.equal(await storage.stat(sha256Of(bytes)), undefined);
    assert.equal((await storage.put(bytes, { expected: sha256Of(bytes) })).size, bytes.length);
    await storage.delete(sha256Of(bytes));
    await nothingRemains();
  });

  it('passes on the failure of a source, closes it, and keeps nothing of it', async () => {
    const { storage } = opened.current;
    const bytes = someBytes(LARGE, 2);
    const failing = async function* () {
      yield* inChunks(bytes, 1 << 20);
      throw new Error('the connection of the sender broke');
    };
    const source = Readable.from(failing());
    await assert.rejects(storage.put(source), { message: 'the connection of the sender broke' });
    assert.ok(source.destroyed);
    assert.equal(await storage.stat(sha256Of(bytes)), undefined);
    await nothingRemains();
  });

  it('stops when it is aborted, also while the source gives nothing, and keeps nothing', STALLS, async () => {
    const { storage } = opened.current;
    const reason = new Error('the sender went away');
    const stalling = new Readable({ read: () => undefined });
    stalling.push(someBytes(LARGE, 3));
    const controller = new AbortController();
    const putting = storage.put(stalling, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await assert.rejects(putting, (error) => error === reason);
    assert.ok(stalling.destroyed);
    await assert.rejects(
      storage.put(Buffer.from('too late'), { signal: controller.signal }),
      (error) => error === reason,
    );
    assert.equal(await storage.stat(sha256Of('too late')), undefined);
    await nothingRemains();
  });

  it('shows nothing of a file before it is whole', async () => {
    const { storage, peer } = opened.current;
    const bytes = someBytes(LARGE, 4);
    const sha256 = sha256Of(bytes);
    let seen = 0;
    const watched = async function* () {
      for await (const chunk of inChunks(bytes, 4 << 20)) {
        yield chunk;
        seen += Number((await peer.stat(sha256)) !== undefined) + (await Array.fromAsync(peer.list())).flat().length;
      }
    };
    await storage.put(watched());
    assert.equal(seen, 0);
    assert.equal((await peer.stat(sha256))?.size, bytes.length);
    await storage.delete(sha256);
    await nothingRemains();
  });

  it('keeps what was there when the same content fails or is aborted', async () => {
    const { storage } = opened.current;
    const bytes = Buffer.from('put once, then badly');
    const { sha256 } = await storage.put(bytes);
    await assert.rejects(storage.put(bytes, { limit: 3 }), { code: 'file_too_large' });
    await assert.rejects(storage.put(bytes, { expected: sha256Of('') }), { code: 'file_hash_mismatch' });
    assert.ok(bytes.equals(await readAll(storage, sha256)));
    await storage.delete(sha256);
  });

  it('takes nothing for a SHA-256 that is none', async () => {
    const { storage } = opened.current;
    const sound = sha256Of('sound');
    const names = [
      '',
      '..',
      '../../etc/passwd',
      sound.toUpperCase(),
      sound.slice(1),
      `${sound}0`,
      ` ${sound}`,
      `${sound}\n`,
    ];
    const calls: readonly ((name: string) => Promise<unknown>)[] = [
      (name) => storage.open(name),
      (name) => storage.stat(name),
      (name) => storage.delete(name),
      (name) => storage.put(Buffer.from('x'), { expected: name }),
    ];
    for (const name of names) {
      for (const call of calls) {
        await assert.rejects(call(name), { kind: 'invalid_input', code: 'invalid_sha256' }, JSON.stringify(name));
      }
    }
    await nothingRemains();
  });

  it('closes the source of refused content', async () => {
    const { storage } = opened.current;
    const aborted = AbortSignal.abort(new Error('aborted before'));
    for (const options of [{ limit: 10 }, { expected: 'none' }, { expected: sha256Of('else') }, { signal: aborted }]) {
      const source = Readable.from(inChunks(Buffer.alloc(100), 20));
      await assert.rejects(storage.put(source, options));
      assert.ok(source.destroyed, JSON.stringify(options));
    }
    let ended = false;
    const generator = (async function* () {
      try {
        for (let given = 0; given < 2000; given += 1) yield Buffer.alloc(20);
      } finally {
        ended = true;
      }
    })();
    await assert.rejects(storage.put(generator, { limit: 100 }), { code: 'file_too_large' });
    assert.ok(ended, 'the generator was left open');
    await nothingRemains();
  });

  it('refuses content that is not bytes', async () => {
    const { storage } = opened.current;
    const text = (async function* () {
      yield 'text';
    })() as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
    await assert.rejects(storage.put(text), { name: 'TypeError' });
    await nothingRemains();
  });

  it('is well while it is open; closed, everything is refused and streams fail', STALLS, async () => {
    const other = await subject.open();
    try {
      const { storage, peer } = other;
      assert.deepEqual(await storage.health(), { ok: true, detail: '' });
      const bytes = someBytes(LARGE, 6);
      const { sha256 } = await storage.put(bytes);
      const { stream } = await storage.open(sha256);
      const stalled = storage.put(new Readable({ read: () => undefined }));
      const failed = Promise.all([
        assert.rejects(Array.fromAsync(stream), { code: 'file_storage_unavailable' }),
        assert.rejects(stalled, { code: 'file_storage_unavailable' }),
      ]);
      await sleep(10);
      await storage.close();
      await storage.close();
      await failed;
      await refusesEverything(storage, sha256);
      assert.equal((await storage.health()).ok, false);
      assert.ok(bytes.equals(await readAll(peer, sha256)), 'the other process is not affected');
    } finally {
      await other.dispose();
    }
  });

  async function nothingRemains(): Promise<void> {
    assert.equal(await opened.current.remains(), 0, 'something remains in the storage');
  }
}

async function refusesEverything(storage: FileStorage, sha256: string): Promise<void> {
  const unavailable = { kind: 'unavailable', code: 'file_storage_unavailable' };
  await assert.rejects(storage.put(Buffer.from('x')), unavailable);
  await assert.rejects(storage.open(sha256), unavailable);
  await assert.rejects(storage.stat(sha256), unavailable);
  await assert.rejects(storage.delete(sha256), unavailable);
  await assert.rejects(Array.fromAsync(storage.list()), unavailable);
}
