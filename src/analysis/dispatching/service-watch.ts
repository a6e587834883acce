import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { DispatchedService } from './progress/schedule.ts';
import type { Preemption } from './progress/submission-machine.ts';
import type { ServicePresence } from './service-presence.ts';
import { taskQueue, type WaitingTask } from './task-pump.ts';

export interface ServiceWatchDependencies {
  readonly coordination: Pick<Coordination, 'queues' | 'locks'>;
  readonly services: () => Promise<readonly DispatchedService[]>;
  readonly presence: ServicePresence;
  /** Milliseconds without a worker after which tasks end; 0: never. */
  readonly absentAfter: number;
  /** Ends a waiting task with an error. */
  readonly preempt: (waiting: WaitingTask, reason: Preemption) => Promise<void>;
  /** Other upkeep of the queues, once a minute. */
  readonly sweep: () => Promise<void>;
  readonly log: { warn(entry: object, message: string): void; info(entry: object, message: string): void };
}

const INTERVAL = 2000;
/** Rounds between two looks for queues of services that are gone. */
const ROUNDS = 30;
const LEASE = 30_000;
/** Tasks that one round ends for a service, so that one service does not hold up the others. */
const MAX_ENDED = 1000;
const QUEUE_PREFIX = taskQueue('');

/** Ends waiting tasks that no worker will take, in one process at a time. */
export class ServiceWatch {
  readonly #dependencies: ServiceWatchDependencies;
  readonly #failures: RateLimitedLogger;
  readonly #absent = new Set<string>();
  #rounds = 0;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isOpen = false;

  constructor(dependencies: ServiceWatchDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  start(): void {
    this.#isOpen = true;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    await this.#round;
  }

  /** Looks at the queues of all services once. */
  async look(): Promise<void> {
    const { coordination, services, presence, absentAfter, sweep } = this.#dependencies;
    const lock = await coordination.locks.acquire('analysis:service-watch', LEASE);
    if (lock === undefined) return;
    try {
      const present = new Map((await services()).map((service) => [service.name, service] as const));
      const names = new Set(present.keys());
      if (this.#rounds % ROUNDS === 0) {
        for (const queue of await coordination.queues.list(QUEUE_PREFIX)) names.add(queue.slice(QUEUE_PREFIX.length));
        await sweep();
      }
      this.#rounds += 1;
      const absence = await presence.absences();
      for (const name of names) {
        const length = await coordination.queues.length(taskQueue(name));
        const isAbsent = absentAfter > 0 && absence(name) > absentAfter;
        this.#report(name, isAbsent, length);
        if (length > 0) await this.#tend(name, present.get(name), length, isAbsent);
      }
    } finally {
      await lock.release();
    }
  }

  async #tend(name: string, service: DispatchedService | undefined, length: number, isAbsent: boolean): Promise<void> {
    if (!service?.enabled) await this.#end(name, 'disabled', MAX_ENDED);
    else if (isAbsent) await this.#end(name, 'absent', MAX_ENDED);
    else if (service.max_queue_length > 0 && length > service.max_queue_length) {
      await this.#end(name, 'queue', Math.min(length - service.max_queue_length, MAX_ENDED));
    }
  }

  /** Ends those that would be taken last. */
  async #end(name: string, reason: Preemption, max: number): Promise<void> {
    const { coordination, preempt } = this.#dependencies;
    const waiting = await coordination.queues.peek<WaitingTask>(taskQueue(name), { max, from: 'last' });
    for (const { item, id } of waiting) {
      await preempt(item, reason);
      // A task that its submission does not know is left in the queue otherwise.
      if (id !== undefined) await coordination.queues.takeById(taskQueue(name), id);
    }
  }

  #report(name: string, isAbsent: boolean, length: number): void {
    const { log } = this.#dependencies;
    if (isAbsent && length > 0 && !this.#absent.has(name)) {
      this.#absent.add(name);
      log.warn({ service: name }, 'no worker of a service asks for tasks; they end with SERVICE DOWN');
    }
    if (!isAbsent && this.#absent.delete(name)) log.info({ service: name }, 'a service gets tasks again');
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.look()
        .catch((err: unknown) => {
          this.#failures.warn({ err }, 'the queues of services cannot be looked at; it is tried again');
        })
        .finally(() => {
          if (this.#isOpen) this.#schedule();
        });
    }, INTERVAL).unref();
  }
}
