import type { Settings } from '../config/config-schema.ts';
import { TooManyRequests } from '../errors/errors.ts';
import { type BegunCall, type CallQuota, concurrentCalls } from '../http/call-quota.ts';
import type { Log } from '../http/request-log.ts';
import type { AnalysisActor } from '../identity/actor-factory.ts';
import type { DailyCountKind, DailyCounts, RequestQuota } from '../identity/limits/quota.ts';
import type { RecentUser } from '../identity/user-store.ts';

export interface DailyQuotaDependencies {
  readonly counts: Pick<DailyCounts, 'get'>;
  readonly defaults: Pick<Settings['analysis']['ui']['default_quotas'], 'daily_api_calls' | 'daily_submissions'>;
}

export interface AnalysisQuotaDependencies extends DailyQuotaDependencies {
  readonly places: Pick<RequestQuota, 'enter' | 'leave'>;
  readonly counts: Pick<DailyCounts, 'increment' | 'get'>;
  readonly log: Log;
}

/** Limits requests at once and a day (0: unlimited), and announces the rest (contract/analysis.md 1.6). */
export function analysisQuota({ places, counts, defaults, log }: AnalysisQuotaDependencies): CallQuota {
  const concurrent = concurrentCalls({
    places,
    log,
    refusal: ({ quota }) =>
      new TooManyRequests('quota_exceeded', `You've exceeded your maximum concurrent API calls quota of ${quota}`, {
        retryAfter: 1,
      }),
  });

  const countDay = async ({ access, actor, reply }: BegunCall, calls: number, submissions: number): Promise<void> => {
    const { username } = actor;
    if (submissions > 0) announce(reply, 'submission', submissions, await counts.get('submission', username));
    if (calls === 0) return;
    const counted = access.quota !== 'concurrent';
    const used = await (counted ? counts.increment('api', username) : counts.get('api', username));
    announce(reply, 'api', calls, used);
    if (!counted || used <= calls) return;
    throw new TooManyRequests('daily_quota_exceeded', `You've exceeded your daily maximum API calls quota of ${calls}`);
  };

  return (call) => {
    const [calls, submissions] = dailyQuotas(call.actor as AnalysisActor, defaults);
    const place = call.actor.quota === 0 ? undefined : concurrent(call);
    if (calls === 0 && submissions === 0) return place;
    return (place ?? Promise.resolve()).then(() => countDay(call, calls, submissions));
  };
}

/** Returns what remains of the daily quotas of a user. 0 also stands for unlimited, as clients expect. */
export async function remainingQuotas({ counts, defaults }: DailyQuotaDependencies, user: RecentUser) {
  const left = async (kind: DailyCountKind, quota: number) =>
    quota === 0 ? 0 : remaining(quota, await counts.get(kind, user.uname));
  return {
    daily_api: await left('api', user.api_daily_quota ?? defaults.daily_api_calls),
    daily_submission: await left('submission', user.submission_daily_quota ?? defaults.daily_submissions),
  };
}

/** Announces what remains of the daily quotas of a caller; returns false if the caller has none. */
export async function announceQuotas(
  { counts, defaults }: DailyQuotaDependencies,
  caller: AnalysisActor,
  reply: BegunCall['reply'],
): Promise<boolean> {
  const [calls, submissions] = dailyQuotas(caller, defaults);
  if (calls > 0) announce(reply, 'api', calls, await counts.get('api', caller.username));
  if (submissions > 0) announce(reply, 'submission', submissions, await counts.get('submission', caller.username));
  return calls > 0 || submissions > 0;
}

function dailyQuotas(actor: AnalysisActor, defaults: DailyQuotaDependencies['defaults']) {
  const { dailyQuota = defaults.daily_api_calls, dailySubmissionQuota = defaults.daily_submissions } = actor;
  return [dailyQuota, dailySubmissionQuota] as const;
}

function announce(reply: BegunCall['reply'], kind: DailyCountKind, quota: number, used: number): void {
  reply.header(`x-remaining-quota-${kind}`, String(remaining(quota, used)));
}

function remaining(quota: number, used: number): number {
  return Math.max(quota - used, 0);
}
