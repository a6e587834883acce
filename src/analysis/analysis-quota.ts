import type { Settings } from '../config/config-schema.ts';
import { TooManyRequests } from '../errors/errors.ts';
import { type BegunCall, type CallQuota, concurrentCalls } from '../http/call-quota.ts';
import type { Log } from '../http/request-log.ts';
import type { AnalysisActor } from '../identity/analysis-actors.ts';
import type { DailyCounts } from '../identity/limits/daily-counts.ts';
import type { RequestQuota } from '../identity/limits/quota.ts';

export interface AnalysisQuotaDependencies {
  readonly places: Pick<RequestQuota, 'enter' | 'leave'>;
  readonly counts: Pick<DailyCounts, 'increment' | 'get'>;
  readonly defaults: Pick<Settings['analysis']['ui']['default_quotas'], 'daily_api_calls' | 'daily_submissions'>;
  readonly log: Log;
}

/**
 * Quotas of the analysis service (contract/analysis.md section 1.6): requests at the same time, then requests of the day. 0 is unlimited.
 * What remains of the day is told with every answer, also with a refusal.
 */
export function analysisQuota({ places, counts, defaults, log }: AnalysisQuotaDependencies): CallQuota {
  const concurrent = concurrentCalls({
    places,
    log,
    refusal: ({ quota }) =>
      new TooManyRequests('quota_exceeded', `You've exceeded your maximum concurrent API calls quota of ${quota}`, {
        retryAfter: 1,
      }),
  });

  const countDay = async (call: BegunCall, calls: number, submissions: number): Promise<void> => {
    const { access, actor, reply } = call;
    const { username } = actor;
    if (submissions > 0)
      announceRemaining(reply, 'submission', submissions - (await counts.get('submission', username)));
    if (calls === 0) return;
    const counted = access.quota !== 'concurrent';
    const used = await (counted ? counts.increment('api', username) : counts.get('api', username));
    announceRemaining(reply, 'api', calls - used);
    if (!counted || used <= calls) return;
    throw new TooManyRequests('daily_quota_exceeded', `You've exceeded your daily maximum API calls quota of ${calls}`);
  };

  return {
    begin(call) {
      const actor = call.actor as AnalysisActor;
      const calls = actor.dailyQuota ?? defaults.daily_api_calls;
      const submissions = actor.dailySubmissionQuota ?? defaults.daily_submissions;
      const place = actor.quota === 0 ? undefined : concurrent.begin(call);
      if (calls === 0 && submissions === 0) return place;
      return (place ?? Promise.resolve()).then(() => countDay(call, calls, submissions));
    },
  };
}

function announceRemaining(reply: BegunCall['reply'], kind: 'api' | 'submission', remaining: number): void {
  reply.header(`x-remaining-quota-${kind}`, String(Math.max(remaining, 0)));
}
