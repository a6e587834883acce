import type { Coordination } from '../coordination/coordination.ts';
import { TooManyRequests } from '../errors/errors.ts';
import { type CallQuota, concurrentCalls } from '../http/call-quota.ts';
import type { Log } from '../http/request-log.ts';
import { RequestQuota } from '../identity/limits/quota.ts';

/** Concurrent requests of the alert service (contract/alert.md section 2): one too many is a 429. */
export function alertQuota({ counters }: Pick<Coordination, 'counters'>, log: Log): CallQuota {
  return concurrentCalls({
    places: new RequestQuota({ counters, log }),
    log,
    refusal: ({ quota }) =>
      new TooManyRequests('quota_exceeded', `You've exceeded your maximum quota of ${quota}`, { retryAfter: 1 }),
  });
}
