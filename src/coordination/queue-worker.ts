import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../errors/errors.ts';
import type { Coordination, Lock, QueueItem } from './coordination.ts';
import { RateLimitedLogger } from './rate-limited-logger.ts';

/** The work that no request waits for. It does not run until it is started. */
export interface Workers {
  start(): void;
  /** Takes no further work, and resolves when what was begun is finished. */
  stop(): Promise<void>;
}

interface WorkerLog {
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

export interface QueueWorkerOptions {
  /** Name of the queue, and of the lock by which one process at a time works on it. */
  readonly queue: string;
  readonly coordination: Pick<Coordination, 'queues' | 'locks'>;
  /** Maximum number of items of a batch. */
  readonly batchSize: number;
  /** Milliseconds after the first item of a batch during which further ones join it, at most. */
  readonly batchTimeout: number;
  /**
   * Works on a batch, whose items are removed afterwards; after Unavailable they are delivered again.
   * After another error, it is called with each item by itself, so that only those that fail are lost.
   */
  readonly work: (items: readonly unknown[]) => Promise<void>;
  /** Called with the items that will not be delivered again. */
  readonly removed?: (items: readonly unknown[]) => Promise<void>;
  readonly log: WorkerLog;
  /** Milliseconds after which a stop abandons a batch, which is then delivered again. Default 10,000. */
  readonly stopTimeout?: number;
}

/** Milliseconds after which another process continues the work of one that was killed. */
const LEASE = 6000;
/** Milliseconds that an idle worker waits for the first item before it renews the lock. */
const IDLE_WAIT = 2000;
/** Milliseconds between two attempts to get the lock, and after a failure. */
const RETRY = 1000;
/** Milliseconds without a new item after which a batch is complete. */
const GAP = 100;
const STOP_TIMEOUT = 10_000;
/** Milliseconds after which a line in the log reports a batch that has not ended, each time. */
const SLOW_BATCH = 60_000;

/**
 * Works on a durable queue in batches, in one process at a time.
 * Items of a killed process are delivered again.
 */
export class QueueWorker implements Workers {
  readonly #options: QueueWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #failures: RateLimitedLogger;
  #running = false;
  #busy: Promise<void> = Promise.resolve();

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
    this.#failures = new RateLimitedLogger(options.log);
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  /** Takes no further batch, and resolves when the present one is finished or was abandoned. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { queue, log, stopTimeout = STOP_TIMEOUT } = this.#options;
    const { promise: overdue, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      log.error({ queue }, `a batch did not end within ${stopTimeout} ms; it is delivered again`);
      resolve();
    }, stopTimeout);
    await Promise.race([this.#busy, overdue]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { queue, coordination } = this.#options;
    while (!this.#stopped) {
      try {
        const lock = await coordination.locks.acquire(queue, LEASE);
        if (lock !== undefined) await this.#workWhileHeld(lock);
      } catch (err) {
        if (!this.#stopped) this.#failures.warn({ err, queue }, 'the work on a queue was interrupted; it is continued');
      }
      await this.#pause(RETRY);
    }
  }

  async #workWhileHeld(lock: Lock): Promise<void> {
    try {
      while (!this.#stopped && (await lock.renew(LEASE))) {
        const batch = await this.#nextBatch();
        if (this.#stopped) await giveBack(batch);
        else if (batch.length > 0) {
          const work = this.#workOn(batch, lock);
          this.#busy = work.catch(() => undefined);
          await work;
        }
      }
    } finally {
      await lock.release();
    }
  }

  async #nextBatch(): Promise<readonly QueueItem<unknown>[]> {
    const { queue, coordination, batchSize, batchTimeout } = this.#options;
    const take = (max: number, wait: number) =>
      coordination.queues.take<unknown>(queue, { max, wait, visibility: LEASE });
    const batch = [...(await take(batchSize, IDLE_WAIT))];
    const end = performance.now() + batchTimeout;
    while (batch.length > 0 && batch.length < batchSize && performance.now() < end && !this.#stopped) {
      await this.#pause(GAP);
      const more = await take(batchSize - batch.length, 0);
      if (more.length === 0) break;
      batch.push(...more);
    }
    return batch;
  }

  async #workOn(batch: readonly QueueItem<unknown>[], lock: Lock): Promise<void> {
    const { queue, removed, log } = this.#options;
    const renewal = setInterval(() => void lock.renew(LEASE).catch(() => undefined), LEASE / 4);
    const slow = setInterval(() => {
      log.warn({ queue, items: batch.length }, 'a batch of a queue takes more than a minute; the queue waits for it');
    }, SLOW_BATCH);
    try {
      await this.#attempt(batch);
    } catch (err) {
      await giveBack(batch);
      throw err;
    } finally {
      clearInterval(renewal);
      clearInterval(slow);
    }
    await Promise.all(batch.map((one) => one.acknowledge()));
    await removed?.(batch.map(({ item }) => item));
  }

  /** Works on a batch, and on its items one by one after a defect. @throws Unavailable */
  async #attempt(batch: readonly QueueItem<unknown>[]): Promise<void> {
    const { queue, work, log } = this.#options;
    try {
      await work(batch.map(({ item }) => item));
    } catch (err) {
      if (isUnavailable(err)) throw err;
      const isOne = batch.length === 1;
      const what = isOne
        ? 'an item of a queue failed and is dropped'
        : 'a batch of a queue failed; each item is repeated';
      log.error({ err, queue, items: batch.length }, what);
      if (!isOne) for (const one of batch) await this.#attempt([one]);
    }
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}

async function giveBack(batch: readonly QueueItem<unknown>[]): Promise<void> {
  await Promise.all(batch.map((one) => one.giveBack()));
}
