import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';

/** Item of the correlation queue. `rule_id` null: every rule that is active. */
export interface CorrelationJob {
  readonly id: string;
  readonly rule_id: string | null;
}

export const CORRELATION_QUEUE = 'alerts.correlation';
export const CORRELATION_FAILED = 'Correlation processing could not be scheduled.';

export interface CorrelationSchedulerDependencies {
  queues: Pick<Coordination['queues'], 'push'>;
  /** Whether a worker takes new records from the queue. Nobody asked for each of them: without one they would lie there for ever. */
  hasWorker: boolean;
  log: { warn(entry: object, message: string): void };
}

/** Has alerts and events looked at by the rules of cases, which put them into their cases. */
export class CorrelationScheduler {
  readonly #dependencies: CorrelationSchedulerDependencies;
  readonly #log: RateLimitedLogger;

  constructor(dependencies: CorrelationSchedulerDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /**
   * For records that have just arrived: every active rule looks at them.
   * @returns warnings for the sender: the records are stored all the same
   */
  async arrived(ids: readonly string[]): Promise<readonly string[]> {
    if (!this.#dependencies.hasWorker || ids.length === 0) return [];
    try {
      await this.#push(ids, null);
      return [];
    } catch (error) {
      this.#log.warn({ err: error, records: ids.length }, 'correlation of new records could not be scheduled');
      return [CORRELATION_FAILED];
    }
  }

  /** For records that somebody chose: one rule looks at them, as soon as a worker runs. @throws Unavailable */
  async chosen(ids: readonly string[], ruleId: string): Promise<void> {
    if (ids.length > 0) await this.#push(ids, ruleId);
  }

  #push(ids: readonly string[], ruleId: string | null): Promise<void> {
    return this.#dependencies.queues.push(
      CORRELATION_QUEUE,
      ids.map((id): CorrelationJob => ({ id, rule_id: ruleId })),
    );
  }
}
