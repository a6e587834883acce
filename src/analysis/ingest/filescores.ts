import type { Settings } from '../../config/config-schema.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileScore } from '../../documents/kinds/analysis/filescore.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';

export type FilescoreSettings = Pick<
  Settings['analysis']['core']['ingester'],
  | 'cache_dtl'
  | 'expire_after'
  | 'incomplete_expire_after_seconds'
  | 'incomplete_stale_after_seconds'
  | 'stale_after_seconds'
>;

const DAY = 86_400_000;
const ACCESS = unrestricted('equal submissions of all users share their score');

/** Scores of earlier submissions, by the key that equal ones share (contract/analysis.md section 3.6). */
export class Filescores {
  readonly #collection: Pick<Collection<FileScore>, 'get' | 'save' | 'delete'>;
  readonly #settings: FilescoreSettings;
  readonly #now: () => number;

  constructor(
    collection: Pick<Collection<FileScore>, 'get' | 'save' | 'delete'>,
    settings: FilescoreSettings,
    now: () => number,
  ) {
    this.#collection = collection;
    this.#settings = settings;
    this.#now = now;
  }

  /** Returns a score that is fresh. One that has expired is removed. */
  async fresh(key: string): Promise<FileScore | undefined> {
    const found = await this.#collection.get(key, ACCESS);
    if (found === undefined) return undefined;
    const { expire_after, incomplete_expire_after_seconds, stale_after_seconds, incomplete_stale_after_seconds } =
      this.#settings;
    const [expiry, stale] =
      found.errors > 0
        ? [incomplete_expire_after_seconds, incomplete_stale_after_seconds]
        : [expire_after, stale_after_seconds];
    const age = this.#now() / 1000 - found.time;
    if (age >= expiry) await this.#collection.delete(key);
    return age >= expiry || age >= stale ? undefined : found;
  }

  /** Stores the score of a completed submission. */
  async save(key: string, { sid, max_score, error_count, params }: Submission): Promise<void> {
    const now = this.#now();
    await this.#collection.save(key, {
      expiry_ts: formatDate(new Date(now + this.#settings.cache_dtl * DAY)),
      errors: error_count,
      ...(params.psid === undefined ? {} : { psid: params.psid }),
      score: max_score,
      sid,
      time: now / 1000,
    });
  }
}
