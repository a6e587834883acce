import type { Coordination } from '../../coordination/coordination.ts';

/** Item of the correlation queue. `rule_id` null: every rule that is active. */
export interface CorrelationJob {
  readonly id: string;
  readonly rule_id: string | null;
}

export const CORRELATION_QUEUE = 'alerts.correlation';

/**
 * Schedules alerts and events for the rules of cases, which put them into their cases.
 * No worker takes from the queue yet; records that arrive are not scheduled until there is one.
 */
export class CorrelationScheduler {
  readonly #queues: Pick<Coordination['queues'], 'push'>;

  constructor({ queues }: { queues: Pick<Coordination['queues'], 'push'> }) {
    this.#queues = queues;
  }

  /** Schedules records that a user chose for one rule. @throws Unavailable */
  async chosen(ids: readonly string[], ruleId: string): Promise<void> {
    if (ids.length === 0) return;
    await this.#queues.push(
      CORRELATION_QUEUE,
      ids.map((id): CorrelationJob => ({ id, rule_id: ruleId })),
    );
  }
}
