import { TooLarge, Unavailable } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { FairSemaphore } from '../../identity/limits/fair-semaphore.ts';
import { ThreadCalls } from '../../threads/thread-calls.ts';
import { type ExtractedSelector, extractSelectors } from './extract-selectors.ts';
import type { ExtractionCall } from './extraction-thread.ts';

/** Longest text in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/**
 * Characters of text that are read on the event loop, which takes about 10 ms; longer text is read
 * in the thread.
 */
const MAX_CHARACTERS_HERE = 64 * 1024;
/** Milliseconds after which the thread counts as failed. */
const TIMEOUT = 10_000;
/** Maximum number of texts that wait for the thread; together they have at most 200 MB. */
const MAX_WAITING = 100;

/** Finds the selectors in text. Long text is read in a thread, with equal shares for users. */
export class ExtractionService {
  readonly #thread: ThreadCalls;
  readonly #slots = new FairSemaphore({
    slots: 1,
    maxWaiting: MAX_WAITING,
    refusal: () =>
      new Unavailable('too_many_texts', 'Too many long texts wait for the extraction. Try again in a moment.', {
        retryAfter: 5,
      }),
  });

  constructor({ log }: { readonly log: Pick<IdentityLog, 'warn'> }) {
    this.#thread = new ThreadCalls(new URL('./extraction-thread.ts', import.meta.url), {
      timeout: TIMEOUT,
      onFailure: (reason) => log.warn({ reason }, 'the thread that extracts selectors ended'),
    });
  }

  /** @throws TooLarge `text_too_long`; Unavailable `thread_failed`, `too_many_texts` */
  async extract(text: string, { username }: Pick<Actor, 'username'>): Promise<readonly ExtractedSelector[]> {
    if (text.length > MAX_TEXT_BYTES || Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      throw new TooLarge('text_too_long', `The text is longer than 2 MB (${MAX_TEXT_BYTES} bytes). Send it in parts.`, {
        at: 'text',
      });
    }
    if (text.length <= MAX_CHARACTERS_HERE) return extractSelectors(text);
    const call: ExtractionCall = { text };
    const found = await this.#slots.run(username, () => this.#thread.call(call));
    return found as readonly ExtractedSelector[];
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
