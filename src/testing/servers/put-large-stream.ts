import assert from 'node:assert/strict';
import type { FileStorage } from '../../file-storage/file-storage.ts';

const CHUNK = 1 << 16;
/** More than the storages hold in memory. */
const WARM_UP = 128 * CHUNK;
const SIZE = 200_000_000 - (200_000_000 % CHUNK);

/**
 * Measures a large stream through a file storage: seconds for each direction, and the maximum growth
 * of the process in bytes.
 */
export async function putLargeStream(storage: FileStorage): Promise<{ put: number; get: number; grown: number }> {
  // The first use of everything loads code, which is not measured: also that of content in several parts, and of reading.
  const first = await storage.put(oneChunkAtATime(WARM_UP));
  for await (const _chunk of (await storage.open(first.sha256)).stream);
  await storage.delete(first.sha256);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(watch, 20);
  try {
    const began = performance.now();
    const { sha256, size } = await storage.put(oneChunkAtATime(SIZE));
    const put = (performance.now() - began) / 1000;
    assert.equal(size, SIZE);
    const reading = performance.now();
    const { stream } = await storage.open(sha256);
    let read = 0;
    for await (const chunk of stream) read += chunk.length;
    const get = (performance.now() - reading) / 1000;
    assert.equal(read, SIZE);
    watch();
    await storage.delete(sha256);
    return { put, get, grown: most - before };
  } finally {
    clearInterval(timer);
  }
}

/** Numbered chunks, as they come from a socket: a new buffer each. */
async function* oneChunkAtATime(size: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += CHUNK) {
    const chunk = Buffer.alloc(CHUNK, sent >>> 16);
    chunk.writeUInt32LE(sent, 0);
    yield chunk;
  }
}
