import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination, QueueItem } from '../../coordination/coordination.ts';
import type { Workers } from '../../coordination/queue-worker.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { untilAvailable } from '../../coordination/while-available.ts';
import { isUnavailable } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { Arrivals } from '../submit/arrivals.ts';
import { INCOMING_QUEUE } from './ingest-service.ts';
import type { IngestSteps } from './ingest-steps.ts';
import type { IngestTask } from './ingest-task.ts';
import { LEVELS, levelOf } from './sampling.ts';

export interface IngesterDependencies {
  readonly queues: Coordination['queues'];
  readonly steps: IngestSteps;
  /** Requests that bring files: a burst of them comes first. */
  readonly arrivals: Pick<Arrivals, 'room'>;
  readonly settings: Pick<Settings['analysis']['core']['ingester'], 'max_inflight'>;
  /** Returns false while administrators pause the ingester. */
  readonly isActive: () => Promise<boolean>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** Tasks that are looked at at the same time. */
const BATCH = 32;
/** Tasks that are looked at a second during a burst of requests. */
const BURST_BATCH = 16;
const VISIBILITY = 60_000;
const IDLE_WAIT = 2000;
/** Milliseconds between two looks while there is nothing to do, or no room. */
const INTERVAL = 250;
const RETRY = 1000;

/** Name of the queue of a level. */
export function levelQueue(level: (typeof LEVELS)[number]): string {
  return `ingest:unique:${level}`;
}

/**
 * Moves files that came in bulk through their steps.
 * They are decided about as they come in, and submitted while there is room. Every process works on the same queues.
 * An item is removed after its effect is stored, so that after the death of a process it is delivered again, and what
 * is done already stays as it is. A burst of requests is accepted first.
 */
export class Ingester implements Workers {
  readonly #dependencies: IngesterDependencies;
  readonly #failures: RateLimitedLogger;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;
  #wake = Promise.withResolvers<void>();

  constructor(dependencies: IngesterDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  start(): void {
    this.#running ??= Promise.all([
      this.#repeat((max) => this.decide(IDLE_WAIT, max)),
      this.#repeat((max) => this.submit(INTERVAL, max)),
    ]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.resolve();
    await this.#running;
  }

  /** Decides about tasks that came in. Returns their number. */
  async decide(wait = IDLE_WAIT, max = BATCH): Promise<number> {
    const { queues, steps, isActive } = this.#dependencies;
    if (!(await isActive())) {
      await this.#pause(INTERVAL);
      return 0;
    }
    const items = await this.#incoming(max, wait);
    await this.#each(items, async (task) => {
      const wanted = await steps.decide(task, (level) => queues.length(levelQueue(level)));
      if (wanted === undefined) return;
      const { priority } = wanted.params;
      await queues.push(levelQueue(levelOf(priority)), [wanted], { priority, ids: [wanted.ingestId] });
    });
    if (items.length > 0) this.#wake.resolve();
    return items.length;
  }

  /** Takes tasks that came in. A stop does not wait for the first one: what comes after it goes back. */
  async #incoming(max: number, wait: number): Promise<readonly QueueItem<IngestTask>[]> {
    const { signal } = this.#stopping;
    const taking = this.#dependencies.queues.take<IngestTask>(INCOMING_QUEUE, { max, wait, visibility: VISIBILITY });
    const { promise: stopped, resolve } = Promise.withResolvers<undefined>();
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const items = await Promise.race([taking, stopped]);
      if (items !== undefined) return items;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    taking.then((late) => Promise.all(late.map((one) => one.giveBack()))).catch(() => undefined);
    return [];
  }

  /** Submits waiting tasks while there is room. Returns their number. */
  async submit(wait = INTERVAL, max = BATCH): Promise<number> {
    const { queues, steps, settings } = this.#dependencies;
    const inFlight = await steps.inFlight();
    const room = Math.min(max, settings.max_inflight - inFlight);
    const items: QueueItem<IngestTask>[] = [];
    for (const level of LEVELS) {
      if (items.length >= room) break;
      const options = { max: room - items.length, visibility: VISIBILITY };
      items.push(...(await queues.take<IngestTask>(levelQueue(level), options)));
    }
    const isCrowded = inFlight >= settings.max_inflight * 0.8;
    const lengthOf = isCrowded ? (level: (typeof LEVELS)[number]) => queues.length(levelQueue(level)) : undefined;
    await this.#each(items, (task) => steps.submit(task, lengthOf));
    if (items.length === 0) await this.#idle(wait);
    return items.length;
  }

  /** Works on items side by side. One that fails is delivered again later, soon when a server was away. */
  async #each(items: readonly QueueItem<IngestTask>[], work: (task: IngestTask) => Promise<void>): Promise<void> {
    const failed: QueueItem<IngestTask>[] = [];
    await Promise.all(
      items.map(async (one) => {
        try {
          await work(one.item);
          await one.acknowledge();
        } catch (err) {
          const { ingestId } = one.item;
          this.#failures.warn({ err, ingestId }, 'a file that came in bulk was interrupted; it is tried again');
          if (isUnavailable(err)) failed.push(one);
        }
      }),
    );
    if (failed.length === 0) return;
    await this.#pause(RETRY);
    const patience = { longest: VISIBILITY, signal: this.#stopping.signal };
    await Promise.all(failed.map((one) => untilAvailable(() => one.giveBack(), patience)));
  }

  async #repeat(work: (max: number) => Promise<unknown>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const hasRoom = await this.#dependencies.arrivals.room(signal);
        if (!signal.aborted) await work(hasRoom ? BATCH : BURST_BATCH);
      } catch (err) {
        if (signal.aborted) return;
        this.#failures.warn({ err }, 'the work on files that came in bulk was interrupted; it is continued');
        await this.#pause(RETRY);
      }
    }
  }

  /** Waits until something was decided about, at most for a while. */
  async #idle(wait: number): Promise<void> {
    if (wait === 0) return;
    await Promise.race([this.#wake.promise, this.#pause(wait)]);
    this.#wake = Promise.withResolvers<void>();
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}
