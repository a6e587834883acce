import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';

/** Payload of the event `action`, by which people see how far a run has come. */
export interface ActionProgressed {
  readonly request_id: string;
  readonly processed: number;
  readonly total: number;
}

export const ACTIONS_CHANNEL = 'alerts.events.action';
/** Alerts between two events of a run. */
const INTERVAL = 10;

export interface ActionProgressDependencies {
  events: Pick<Coordination['events'], 'publish'>;
  log: { warn(entry: object, message: string): void };
}

/** Tells how far runs have come. Nothing depends on it: what cannot be told is logged. */
export class ActionProgress {
  readonly #dependencies: ActionProgressDependencies;
  readonly #log: RateLimitedLogger;

  constructor(dependencies: ActionProgressDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /** Tells every tenth alert. */
  async told(requestId: string, processed: number, total: number): Promise<void> {
    if (processed % INTERVAL !== 0) return;
    try {
      await this.#dependencies.events.publish(ACTIONS_CHANNEL, {
        request_id: requestId,
        processed,
        total,
      } satisfies ActionProgressed);
    } catch (error) {
      this.#log.warn({ err: error, request: requestId }, 'the progress of an action could not be published');
    }
  }
}
