import type { Config } from '../../config/config.ts';
import type { AnalysisActor } from '../../identity/analysis-actors.ts';
import type { DailyCounts } from '../../identity/limits/daily-counts.ts';
import type { RecentUser } from '../../identity/user-store.ts';

export interface RemainingQuotasDependencies {
  readonly counts: Pick<DailyCounts, 'get'>;
  readonly settings: Config;
}

/** What is left of the daily quotas of users. */
export class RemainingQuotas {
  readonly #dependencies: RemainingQuotasDependencies;

  constructor(dependencies: RemainingQuotasDependencies) {
    this.#dependencies = dependencies;
  }

  /** 0 stands for unlimited too, as clients expect it. */
  async of(user: RecentUser): Promise<{ readonly daily_api: number; readonly daily_submission: number }> {
    const { default_quotas: defaults } = this.#dependencies.settings.analysis.ui;
    return {
      daily_api: await this.#left('api', user.uname, user.api_daily_quota ?? defaults.daily_api_calls),
      daily_submission: await this.#left(
        'submission',
        user.uname,
        user.submission_daily_quota ?? defaults.daily_submissions,
      ),
    };
  }

  /**
   * Headers for a caller who has a daily quota, of the answer that tells them about themselves. Undefined without one, and where quotas are
   * enforced: then every answer has them already.
   */
  headersFor(caller: AnalysisActor): Promise<Readonly<Record<string, string>>> | undefined {
    const { settings } = this.#dependencies;
    const { default_quotas: defaults } = settings.analysis.ui;
    const api = caller.dailyQuota ?? defaults.daily_api_calls;
    const submissions = caller.dailySubmissionQuota ?? defaults.daily_submissions;
    if (settings.ui.enforce_quota || (api === 0 && submissions === 0)) return undefined;
    return this.#headers(caller.username, api, submissions);
  }

  async #headers(username: string, api: number, submissions: number): Promise<Readonly<Record<string, string>>> {
    const headers: Record<string, string> = {};
    if (api > 0) headers['x-remaining-quota-api'] = `${await this.#left('api', username, api)}`;
    if (submissions > 0) {
      headers['x-remaining-quota-submission'] = `${await this.#left('submission', username, submissions)}`;
    }
    return headers;
  }

  async #left(kind: 'api' | 'submission', username: string, quota: number): Promise<number> {
    return quota === 0 ? 0 : Math.max(quota - (await this.#dependencies.counts.get(kind, username)), 0);
  }
}
