import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../../coordination/rate-limited-logger.ts';
import type { OwnerReply, OwnerRequest } from './owner-requests.ts';

interface Letter {
  readonly id: string;
  readonly from: string;
  readonly request: OwnerRequest;
  /** Milliseconds since 1970 after which the sender has given up and the request must not be done. */
  readonly until?: number;
}

interface Answer {
  readonly id: string;
  /** Absent: the submission is not with this dispatcher. */
  readonly reply?: OwnerReply;
}

export interface OwnerMailboxDependencies {
  readonly id: string;
  readonly coordination: Pick<Coordination, 'queues' | 'events'>;
  readonly now: () => number;
  /** Does what a letter asks for; undefined when the submission is not here. */
  readonly handle: (request: OwnerRequest) => Promise<OwnerReply | undefined>;
  readonly log: { warn(entry: object, message: string): void };
}

const BATCH = 100;
/** Milliseconds that a look for letters waits. */
const LOOK = 5000;
/** Milliseconds after which a letter that was taken and not answered is delivered again. */
const VISIBILITY = 60_000;
const RETRY = 500;

const queueOf = (dispatcher: string) => `dispatcher:${dispatcher}`;
const channelOf = (dispatcher: string) => `analysis.dispatcher.reply.${dispatcher}`;

/**
 * Letters between dispatchers: a durable queue for each, replies by an event.
 * A letter outlives its reader: the process that takes over its submissions reads it.
 */
export class OwnerMailbox {
  readonly #dependencies: OwnerMailboxDependencies;
  readonly #pending = new Map<string, (answer: Answer) => void>();
  readonly #failures: RateLimitedLogger;
  #listening: Promise<() => Promise<void>> | undefined;
  #isOpen = true;

  constructor(dependencies: OwnerMailboxDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /** Answers letters until closed. */
  async serve(): Promise<void> {
    const { id, coordination } = this.#dependencies;
    while (this.#isOpen) {
      try {
        const letters = await coordination.queues.take<Letter>(queueOf(id), {
          max: BATCH,
          wait: LOOK,
          visibility: VISIBILITY,
        });
        await Promise.all(letters.map((letter) => (this.#isOpen ? this.#answer(letter) : letter.giveBack())));
      } catch (err) {
        if (!this.#isOpen) return;
        this.#failures.warn({ err }, 'letters of other dispatchers cannot be read; it is tried again');
        await sleep(RETRY, undefined, { ref: false });
      }
    }
  }

  /** Answers the letters that a dead dispatcher has left. */
  async serveFor(dead: string): Promise<void> {
    const { queues } = this.#dependencies.coordination;
    for (;;) {
      const letters = await queues.take<Letter>(queueOf(dead), { max: BATCH, visibility: VISIBILITY });
      if (letters.length === 0) return;
      await Promise.all(letters.map((letter) => this.#answer(letter)));
    }
  }

  /**
   * Sends a letter and waits for its answer.
   * Returns undefined when the dispatcher does not have the submission, `late` when there is no answer yet: the letter
   * waits, unless it expires.
   */
  async send(
    to: string,
    request: OwnerRequest,
    wait: number,
    options: { readonly id: string; readonly expires: boolean },
  ): Promise<OwnerReply | undefined | 'late'> {
    const { id: from, coordination, now } = this.#dependencies;
    this.#listening ??= coordination.events.subscribe(channelOf(from), (_, answer) => {
      const given = answer as Answer;
      this.#pending.get(given.id)?.(given);
    });
    await this.#listening;
    const { id } = options;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    this.#pending.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), wait);
    try {
      const letter: Letter = { id, from, request, ...(options.expires ? { until: now() + wait } : {}) };
      await coordination.queues.push(queueOf(to), [letter], { ids: [id] });
      const answer = await promise;
      return answer === undefined ? 'late' : answer.reply;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  /** Takes a letter back that was not read yet. */
  async takeBack(to: string, id: string): Promise<boolean> {
    return (await this.#dependencies.coordination.queues.takeById(queueOf(to), id)) !== undefined;
  }

  static newId(): string {
    return randomUUID();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    const end = await this.#listening?.catch(() => undefined);
    await end?.().catch(() => undefined);
  }

  async #answer({
    item,
    acknowledge,
    giveBack,
  }: {
    item: Letter;
    acknowledge(): Promise<void>;
    giveBack(): Promise<void>;
  }): Promise<void> {
    const { handle, now, coordination } = this.#dependencies;
    if (item.until !== undefined && item.until < now()) return acknowledge();
    try {
      const reply = await handle(item.request);
      const answer: Answer = { id: item.id, ...(reply === undefined ? {} : { reply }) };
      await coordination.events.publish(channelOf(item.from), answer);
      await acknowledge();
    } catch (err) {
      this.#failures.warn({ err }, 'a letter of another dispatcher cannot be answered; it is read again');
      await giveBack();
      await sleep(RETRY, undefined, { ref: false });
    }
  }
}
