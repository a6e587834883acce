import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { unlessUnavailable } from '../../coordination/while-available.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { TooManyRequests } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import type { DailyCounts } from '../../identity/limits/quota.ts';

export interface SubmissionQuotaDependencies {
  readonly counters: Pick<Coordination['counters'], 'enter' | 'leave'>;
  readonly counts: Pick<DailyCounts, 'increment' | 'decrement' | 'get'>;
  readonly settings: {
    readonly enforce_quota: boolean;
    readonly defaults: Settings['analysis']['ui']['default_quotas'];
  };
  readonly log: Pick<Log, 'warn'>;
}

/** Submissions that wait for their analysis, and files that come in bulk. */
export type QuotaKind = 'submission' | 'ingest';

/** The part of a caller that quotas depend on. */
export type QuotaHolder = Pick<
  AnalysisActor,
  'username' | 'submissionQuota' | 'asyncSubmissionQuota' | 'dailySubmissionQuota'
>;

const HOUR = 3_600_000;
const KINDS = {
  submission: { prefix: 'submissions', lifetime: HOUR, refusal: 'maximum concurrent submission' },
  ingest: { prefix: 'async-submissions', lifetime: 24 * HOUR, refusal: 'maximum async concurrent submission' },
} as const;

/**
 * Limits the submissions of a user at the same time and a day, over all processes.
 * A slot has the identifier of its submission, by which it is released; releasing it twice does nothing.
 */
export class SubmissionQuotas {
  readonly #dependencies: SubmissionQuotaDependencies;
  readonly #failures: RateLimitedLogger;

  constructor(dependencies: SubmissionQuotaDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /**
   * Takes the slot `id` and counts the submission of the day.
   * @throws TooManyRequests `quota_exceeded`, `daily_quota_exceeded`; nothing is taken then
   */
  async enter(kind: QuotaKind, user: QuotaHolder, id: string): Promise<void> {
    if (!this.#dependencies.settings.enforce_quota) return;
    await this.#countDay(user);
    const limit = this.#limitOf(kind, user);
    if (limit === 0) return;
    const { prefix, lifetime, refusal } = KINDS[kind];
    const entering = this.#dependencies.counters.enter(`${prefix}:${user.username}`, limit, lifetime, id);
    if ((await this.#unlessUnavailable(entering, id)) !== undefined) return;
    await this.#uncountDay(user);
    throw new TooManyRequests('quota_exceeded', `You've exceeded your ${refusal} quota of ${limit}`, {
      retryAfter: 1,
      response: '',
    });
  }

  /** Takes back `enter` after a submission that failed. */
  async undo(kind: QuotaKind, user: QuotaHolder, id: string): Promise<void> {
    if (!this.#dependencies.settings.enforce_quota) return;
    await this.release(kind, user.username, id);
    await this.#uncountDay(user);
  }

  /** Releases a slot, if it is held. */
  async release(kind: QuotaKind, username: string, id: string): Promise<void> {
    if (!this.#dependencies.settings.enforce_quota) return;
    await this.#unlessUnavailable(
      this.#dependencies.counters.leave(`${KINDS[kind].prefix}:${username}`, id),
      undefined,
    );
  }

  /** Releases the slot of a submission that was completed or deleted. */
  async completed({ sid, params }: Pick<Submission, 'sid' | 'params'>): Promise<void> {
    if (params.quota_item) await this.release('submission', params.submitter, sid);
  }

  async #countDay(user: QuotaHolder): Promise<void> {
    const limit = this.#dayLimitOf(user);
    if (limit === 0) return;
    const { counts } = this.#dependencies;
    if ((await counts.increment('submission', user.username)) <= limit) return;
    await counts.decrement('submission', user.username);
    throw new TooManyRequests(
      'daily_quota_exceeded',
      `You've reached your daily maximum submission quota of ${limit}`,
      { response: '' },
    );
  }

  async #uncountDay(user: QuotaHolder): Promise<void> {
    if (this.#dayLimitOf(user) !== 0) await this.#dependencies.counts.decrement('submission', user.username);
  }

  #dayLimitOf({ dailySubmissionQuota }: QuotaHolder): number {
    return dailySubmissionQuota ?? this.#dependencies.settings.defaults.daily_submissions;
  }

  #limitOf(kind: QuotaKind, { submissionQuota, asyncSubmissionQuota }: QuotaHolder): number {
    const { defaults } = this.#dependencies.settings;
    return kind === 'submission'
      ? (submissionQuota ?? defaults.concurrent_submissions)
      : (asyncSubmissionQuota ?? defaults.concurrent_async_submissions);
  }

  #unlessUnavailable<T>(work: Promise<T>, otherwise: T): Promise<T> {
    return unlessUnavailable(work, otherwise, (err) =>
      this.#failures.warn({ err }, 'submissions are not counted against quotas'),
    );
  }
}
