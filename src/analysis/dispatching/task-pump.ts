import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueItem, Queues } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { untilAvailable } from '../../coordination/while-available.ts';
import type { Task, TaskPoll } from './task.ts';

/** A task that waits in the queue of its service. */
export interface WaitingTask {
  readonly sid: string;
  readonly sha256: string;
  readonly taskId: string;
}

export const taskQueue = (service: string) => `service:${service}`;

export interface TaskPumpDependencies {
  readonly queues: Queues;
  /**
   * Asks the owner for the task; undefined when it is not wanted any more.
   * `onSilent` is called, perhaps several times, when the owner does not answer soon; the claim continues.
   */
  readonly claim: (waiting: WaitingTask, poll: TaskPoll, onSilent: () => void) => Promise<Task | undefined>;
  /** Keeps a task out of its queue while its owner is silent; returns whether it is. */
  readonly setAside: (item: QueueItem<WaitingTask>) => Promise<boolean>;
  /** Returns a task whose worker has gone. */
  readonly release: (task: Task) => Promise<void>;
  readonly log: { warn(entry: object, message: string): void };
}

interface Waiter {
  readonly poll: TaskPoll;
  readonly resolve: (task: Task | undefined) => void;
  isGone: boolean;
}

const BATCH = 50;
/** Milliseconds that one look at a queue waits; an item without a waiting worker is given back. */
const LOOK = 2000;
const VISIBILITY = 10_000;
const RETRY = 1000;

/** Gives the tasks of a service to the workers of this process, with one look at the queue for all. */
export class TaskPump {
  readonly #service: string;
  readonly #dependencies: TaskPumpDependencies;
  readonly #waiters = new Set<Waiter>();
  readonly #failures: RateLimitedLogger;
  #isRunning = false;
  #isOpen = true;

  constructor(service: string, dependencies: TaskPumpDependencies) {
    this.#service = service;
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /** Workers that wait for a task. */
  get waiting(): number {
    return this.#waiters.size;
  }

  poll(poll: TaskPoll): Promise<Task | undefined> {
    if (!this.#isOpen || poll.signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const leave = (): void => {
        waiter.isGone = true;
        if (this.#waiters.delete(waiter)) waiter.resolve(undefined);
      };
      const timer = setTimeout(leave, poll.wait);
      const waiter: Waiter = {
        poll,
        isGone: false,
        resolve: (task) => {
          clearTimeout(timer);
          poll.signal?.removeEventListener('abort', leave);
          resolve(task);
        },
      };
      poll.signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      if (!this.#isRunning) void this.#run();
    });
  }

  close(): void {
    this.#isOpen = false;
    for (const waiter of [...this.#waiters]) {
      waiter.isGone = true;
      this.#waiters.delete(waiter);
      waiter.resolve(undefined);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const { queues } = this.#dependencies;
    while (this.#waiters.size > 0) {
      try {
        const max = Math.min(this.#waiters.size, BATCH);
        const items = await queues.take<WaitingTask>(taskQueue(this.#service), {
          max,
          wait: LOOK,
          visibility: VISIBILITY,
        });
        for (const item of items) {
          const [waiter] = this.#waiters;
          if (waiter === undefined) await item.giveBack();
          else {
            this.#waiters.delete(waiter);
            void this.#serve(item, waiter);
          }
        }
      } catch (err) {
        if (!this.#isOpen) break;
        this.#failures.warn({ err, service: this.#service }, 'tasks cannot be taken; it is tried again');
        await sleep(RETRY, undefined, { ref: false });
      }
    }
    this.#isRunning = false;
  }

  async #serve(item: QueueItem<WaitingTask>, waiter: Waiter): Promise<void> {
    const { claim, release, setAside } = this.#dependencies;
    // The waiter waits for other tasks too, because the owner of this one is silent.
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      this.#waitAgain(waiter);
    };
    try {
      if (await setAside(item)) return free();
      const task = await claim(item.item, waiter.poll, free);
      // A claimed task is handed out in any case: no one else gets it when it is delivered again.
      await item.acknowledge().catch((err: unknown) => {
        this.#failures.warn({ err, service: this.#service }, 'a task that is handed out stays in its queue for now');
      });
      const isTaken = isFree && !this.#waiters.delete(waiter);
      if (task === undefined) {
        if (!isTaken) this.#waitAgain(waiter);
      } else if (isTaken) await release(task);
      else if (waiter.poll.signal?.aborted) {
        waiter.resolve(undefined);
        await release(task);
      } else waiter.resolve(task);
    } catch (err) {
      this.#failures.warn({ err, service: this.#service }, 'a task cannot be handed out; it is tried again');
      await sleep(RETRY, undefined, { ref: false });
      free();
      await untilAvailable(() => item.giveBack(), { longest: VISIBILITY }).catch(() => undefined);
    }
  }

  #waitAgain(waiter: Waiter): void {
    if (waiter.isGone || !this.#isOpen) {
      waiter.resolve(undefined);
      return;
    }
    this.#waiters.add(waiter);
    if (!this.#isRunning) void this.#run();
  }
}
