import { ThreadCalls } from '../../threads/thread-calls.ts';
import type { ZipEncryption } from '../formats/encrypted-zip.ts';
import { encryptZip } from '../formats/zip-cipher.ts';
import type { DigestLog } from './threaded-digests.ts';
import type { ZipCall } from './zip-thread.ts';

/** Milliseconds for one chunk, those of other archives before it included. */
const TIMEOUT = 30_000;
/** Bytes that are encrypted without a thread: they take half a millisecond. */
const SMALL = 16 * 1024;

/** Encrypts archives away from the event loop that answers requests. */
export class ThreadedZip {
  readonly #thread: ThreadCalls;

  constructor(log: DigestLog) {
    this.#thread = new ThreadCalls(new URL('./zip-thread.ts', import.meta.url), {
      timeout: TIMEOUT,
      onFailure: (reason) => log.warn({ reason }, 'the thread that encrypts archives ended'),
    });
  }

  /** @throws Unavailable `thread_failed` */
  readonly encrypt: ZipEncryption = async (chunk, keys) => {
    if (chunk.length <= SMALL) {
      encryptZip(chunk, keys);
      return chunk;
    }
    const answer = (await this.#thread.call({ chunk, keys } satisfies ZipCall, [chunk.buffer])) as ZipCall;
    keys.set(answer.keys);
    return answer.chunk;
  };

  async close(): Promise<void> {
    await this.#thread.close();
  }
}
