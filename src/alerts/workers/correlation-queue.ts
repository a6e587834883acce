import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { isListOfStrings } from './trigger-queue.ts';

/** Queue of records for the rules of cases: of jobs, arrivals, and bare identifiers. */
export const CORRELATION_QUEUE = 'alerts.correlation';

/** A record for one rule, or for every active one (null). */
export interface CorrelationJob {
  readonly id: string;
  readonly rule_id: string | null;
}

/** Records of one request, for every active rule. */
interface Arrival {
  readonly ids: readonly string[];
}

/** Identifiers of one item. */
const MAX_IDS = 1000;

/** Queues new records for the rules of cases. */
export class CorrelationQueue {
  readonly #queues: Pick<Coordination['queues'], 'push'>;
  readonly #enabled: boolean;
  readonly #failures: RateLimitedLogger;

  /** @param options.enabled false: new records are not queued */
  constructor(options: {
    readonly queues: Pick<Coordination['queues'], 'push'>;
    readonly enabled: boolean;
    readonly log: { warn(entry: object, message: string): void };
  }) {
    this.#queues = options.queues;
    this.#enabled = options.enabled;
    this.#failures = new RateLimitedLogger(options.log);
  }

  /** Queues stored records. Returns warnings for the sender, in the words of the public system. */
  async schedule(ids: readonly string[]): Promise<readonly string[]> {
    if (!this.#enabled || ids.length === 0) return [];
    const arrivals: Arrival[] = [];
    for (let at = 0; at < ids.length; at += MAX_IDS) arrivals.push({ ids: ids.slice(at, at + MAX_IDS) });
    try {
      await this.#queues.push(CORRELATION_QUEUE, arrivals);
      return [];
    } catch (err) {
      this.#failures.warn({ err, records: ids.length }, 'new records could not be queued for the rules of cases');
      return ['Correlation processing could not be scheduled.'];
    }
  }
}

/** Reads an item of the queue as jobs; none for anything else. */
export function readCorrelationJobs(item: unknown): readonly CorrelationJob[] {
  if (typeof item === 'string') return [{ id: item, rule_id: null }];
  if (!isObject(item)) return [];
  const { id, ids, rule_id: rule = null } = item;
  if (rule !== null && typeof rule !== 'string') return [];
  if (typeof id === 'string') return [{ id, rule_id: rule }];
  return isListOfStrings(ids) ? ids.map((one) => ({ id: one, rule_id: rule })) : [];
}
