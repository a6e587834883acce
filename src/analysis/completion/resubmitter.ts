import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { isConflict } from '../../errors/errors.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { Resubmission } from './action-runner.ts';

export interface ResubmitterDependencies {
  readonly submissions: Collection<Submission>;
  readonly dispatch: (submission: Submission) => Promise<void>;
  readonly classification: ClassificationEngine;
  readonly now?: () => Date;
}

const DAY = 86_400_000;
const ACCESS = unrestricted('a deeper analysis continues a submission of any classification');

/** Starts deeper analyses of submissions that were analysed. */
export class Resubmitter {
  readonly #submissions: Collection<Submission>;
  readonly #dependencies: ResubmitterDependencies;
  readonly #now: () => Date;

  constructor(dependencies: ResubmitterDependencies) {
    this.#dependencies = dependencies;
    this.#submissions = classifiedCollection(dependencies.submissions, submissionDocument, dependencies.classification);
    this.#now = dependencies.now ?? (() => new Date());
  }

  /** Stores and dispatches a submission under its identifier; the same again changes nothing. */
  async resubmit({ sid, files, metadata, params }: Resubmission): Promise<void> {
    const submission = this.#submission({ sid, files, metadata, params });
    try {
      await this.#submissions.save(sid, submission, { ifVersion: ABSENT, visible: 'now' });
      await this.#dependencies.dispatch(submission);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // A repetition: it was stored, and may not have been dispatched.
      const stored = await this.#submissions.get(sid, ACCESS);
      if (stored?.state === 'submitted') await this.#dependencies.dispatch(stored);
    }
  }

  #submission({
    sid,
    files,
    metadata,
    params,
  }: Pick<Resubmission, 'sid' | 'files' | 'metadata' | 'params'>): Submission {
    const { classification } = this.#dependencies;
    const now = this.#now();
    const input = {
      sid,
      classification: params.classification,
      error_count: 0,
      errors: [],
      expiry_ts: params.ttl > 0 ? formatDate(new Date(now.getTime() + params.ttl * DAY)) : undefined,
      file_count: files.length,
      files,
      max_score: 0,
      metadata,
      // The slot of the quota is that of the first submission.
      params: { ...params, quota_item: false },
      results: [],
      state: 'submitted',
      times: { submitted: formatDate(now) },
    };
    return readDocument(submissionDocument, input, { unknown: 'drop', classification, now }).document;
  }
}
