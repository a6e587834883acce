import { ThreadCalls } from '../../threads/thread-calls.ts';
import type { FuzzyDigests } from './fuzzy-digests.ts';
import { FuzzyDigester } from './fuzzy-digests.ts';

/** Milliseconds for one chunk. */
const TIMEOUT = 30_000;
/** Bytes that are digested at once without a thread: they take a millisecond. */
const SMALL = 16 * 1024;
/** Bytes that the thread gets at a time, for 30 ms of work. */
const CHUNK = 512 * 1024;

export interface DigestLog {
  warn(details: object, message: string): void;
}

/** Computes fuzzy digests of files of any size, away from the event loop that answers requests. */
export class ThreadedDigests {
  readonly #thread: ThreadCalls;
  #lastFile = 0;

  constructor(log: DigestLog) {
    this.#thread = new ThreadCalls(new URL('./digest-thread.ts', import.meta.url), {
      timeout: TIMEOUT,
      onFailure: (reason) => log.warn({ reason }, 'the thread that computes digests of files ended'),
    });
  }

  /** @param size bytes of the whole content */
  async digest(content: AsyncIterable<Uint8Array>, size: number): Promise<FuzzyDigests> {
    if (size <= SMALL) {
      const digester = new FuzzyDigester(size);
      for await (const chunk of content) digester.update(chunk);
      return digester.digest();
    }
    this.#lastFile += 1;
    const file = this.#lastFile;
    await this.#thread.call({ kind: 'begin', file, size });
    try {
      for await (const chunk of gathered(content)) {
        await this.#thread.call({ kind: 'update', file, chunk }, [chunk.buffer]);
      }
    } catch (error) {
      // The thread forgets the file.
      this.#thread.call({ kind: 'end', file }).catch(() => undefined);
      throw error;
    }
    return (await this.#thread.call({ kind: 'end', file })) as FuzzyDigests;
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}

/** Copies chunks together, so that a message carries many and its buffer can be moved to the thread. */
async function* gathered(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(CHUNK);
  let filled = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = Math.min(chunk.byteLength - at, CHUNK - filled);
      buffer.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < CHUNK) continue;
      yield buffer;
      buffer = new Uint8Array(CHUNK);
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.slice(0, filled);
}
