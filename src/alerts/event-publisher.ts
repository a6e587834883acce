import type { Coordination } from '../coordination/coordination.ts';
import { RateLimitedLogger } from '../coordination/rate-limited-logger.ts';

/** Channel of the progress of actions. */
export const ACTIONS_CHANNEL = 'alerts.events.action';

/**
 * Returns a function that publishes events to every process of the installation.
 * Never fails: what they report is stored already. `id` of the record is for the log.
 */
export function eventPublisher<Payload>(
  events: Pick<Coordination['events'], 'publish'>,
  log: { warn(entry: object, message: string): void },
  channel: string,
): (id: string, payload: Payload) => Promise<void> {
  const failures = new RateLimitedLogger(log);
  return async (id, payload) => {
    try {
      await events.publish(channel, payload);
    } catch (error) {
      failures.warn({ err: error, channel, id }, 'an event could not be published');
    }
  };
}
