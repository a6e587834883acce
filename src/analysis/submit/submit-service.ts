import type { Coordination } from '../../coordination/coordination.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { Submission, SubmissionParams } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import type { Log } from '../../http/request-log.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { SUBMISSION_CHANNEL, submissionMessage } from '../dispatching/submission-message.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { Arrivals } from './arrivals.ts';
import { HeldFiles } from './held-files.ts';
import type { SubmissionInput } from './submission-body.ts';
import type { SubmissionDraft, SubmissionDrafts } from './submission-draft.ts';
import type { Metadata } from './submission-metadata.ts';
import type { SubmissionQuotas } from './submission-quotas.ts';
import type { FileIntake } from './submitted-file.ts';

/** A submission that needs no further check: its files are stored, its parameters are complete. */
export interface PreparedSubmission {
  /** Default: a new one. */
  readonly sid?: string;
  readonly files: Submission['files'];
  readonly params: SubmissionParams;
  readonly metadata: Metadata;
  /** Date of its deletion; null: never. Default: as `params.ttl` says. */
  readonly expiry?: string | null;
  /** Key that equal submissions share, of those that came in bulk. */
  readonly scanKey?: string;
}

/** The part of the dispatcher that takes submissions over. */
export interface SubmissionDispatcher {
  dispatch(submission: Submission): Promise<void>;
}

export interface SubmitDependencies {
  /** With the access fields of classified documents. */
  readonly submissions: Pick<Collection<Submission>, 'save' | 'delete'>;
  readonly dispatcher: SubmissionDispatcher;
  readonly drafts: SubmissionDrafts;
  readonly intake: FileIntake;
  readonly files: Pick<AnalysisFiles, 'discard' | 'addFuzzyDigests'>;
  readonly quotas: SubmissionQuotas;
  readonly arrivals: Pick<Arrivals, 'note'>;
  readonly events: Pick<Coordination['events'], 'publish'>;
  readonly settings: { readonly allow_malicious_hinting: boolean };
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Request of a caller, once the quota admits it. `draft` checks the JSON of the submission. */
export interface AdmittedRequest {
  /** Identifier of the submission to be. */
  readonly sid: string;
  readonly held: HeldFiles;
  readonly draft: (json: unknown) => Promise<SubmissionDraft>;
}

const DAY = 86_400_000;

/** Starts the analysis of files (contract/analysis.md section 3.4). */
export class SubmitService {
  readonly #dependencies: SubmitDependencies;
  readonly #now: () => number;

  constructor(dependencies: SubmitDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /**
   * Submits the file that `receive` returns, and returns the stored submission.
   * `receive` runs once the quotas of the caller admit it. A failure leaves nothing behind.
   * @throws TooManyRequests `quota_exceeded`, `daily_quota_exceeded`; and as `receive`, `FileIntake.take`
   */
  submit(actor: AnalysisActor, receive: (request: AdmittedRequest) => Promise<SubmissionInput>): Promise<Submission> {
    return this.admit(actor, async (request) => {
      const { draft, file: input } = await receive(request);
      const { held, sid } = request;
      const file = await this.#dependencies.intake.take(input, { actor, draft, held, fuzzy: false });
      const { sha256, size, name, params, metadata } = file;
      await file.save(this.expiryOf(params));
      const submission = await this.start({ sid, files: [{ name, size, sha256 }], params, metadata });
      if (file.undescribed !== undefined) this.#completeDescription(file.undescribed, params.ignore_cache);
      return submission;
    });
  }

  /** Runs work that starts one submission within the quotas of a caller; a failure gives the slot back. */
  async admit(actor: AnalysisActor, work: (request: AdmittedRequest) => Promise<Submission>): Promise<Submission> {
    const { quotas, files, drafts, arrivals } = this.#dependencies;
    arrivals.note();
    const sid = newId();
    await quotas.enter('submission', actor, sid);
    const held = new HeldFiles(files);
    try {
      const submission = await work({ sid, held, draft: (json) => drafts.draft(actor, json, 'submit') });
      await this.#announce(submission);
      return submission;
    } catch (error) {
      await this.#cleanUp([held.discardAll(), quotas.undo('submission', actor, sid)]);
      throw error;
    }
  }

  /**
   * Stores a prepared submission and hands it to the dispatcher; durable once it resolves.
   * @throws Conflict `already_exists`
   */
  async start(prepared: PreparedSubmission): Promise<Submission> {
    const { submissions, dispatcher } = this.#dependencies;
    const submission = this.#document(prepared);
    const { sid } = submission;
    await submissions.save(sid, submission, { ifVersion: ABSENT });
    try {
      // A copy, because the dispatcher of this process may complete it before the answer is written.
      await dispatcher.dispatch(structuredClone(submission));
    } catch (error) {
      await this.#cleanUp([submissions.delete(sid)]);
      throw error;
    }
    return submission;
  }

  /** Returns when a submission with these parameters is deleted; undefined: never. */
  expiryOf({ ttl }: Pick<SubmissionParams, 'ttl'>): string | undefined {
    return ttl === 0 ? undefined : formatDate(new Date(this.#now() + ttl * DAY));
  }

  #document({ sid = newId(), files, params, metadata, expiry, scanKey }: PreparedSubmission): Submission {
    const expires = expiry === undefined ? this.expiryOf(params) : (expiry ?? undefined);
    const hinted = this.#dependencies.settings.allow_malicious_hinting && params.malicious;
    return {
      archived: false,
      classification: params.classification,
      tracing_events: [],
      error_count: 0,
      errors: [],
      ...(expires === undefined ? {} : { expiry_ts: expires }),
      file_count: files.length,
      files,
      from_archive: false,
      max_score: 0,
      metadata: { ...metadata },
      params,
      results: [],
      ...(scanKey === undefined ? {} : { scan_key: scanKey }),
      sid,
      state: 'submitted',
      times: { submitted: formatDate(new Date(this.#now())) },
      to_be_deleted: false,
      verdict: { malicious: hinted ? [params.submitter] : [], non_malicious: [] },
    };
  }

  /** Computes what the answer did not wait for. */
  #completeDescription(file: Parameters<AnalysisFiles['addFuzzyDigests']>[0], isPrecise: boolean): void {
    this.#dependencies.files.addFuzzyDigests(file, { isPrecise }).catch((err: unknown) => {
      this.#dependencies.log.warn({ err, sha256: file.sha256 }, 'the fuzzy hashes of a file were not computed');
    });
  }

  async #announce(submission: Submission): Promise<void> {
    const message = submissionMessage('SubmissionReceived', 'ui', submission);
    try {
      await this.#dependencies.events.publish(SUBMISSION_CHANNEL, message);
    } catch (err) {
      this.#dependencies.log.warn({ err, sid: submission.sid }, 'a new submission was not announced');
    }
  }

  async #cleanUp(work: readonly Promise<unknown>[]): Promise<void> {
    for (const { status, ...outcome } of await Promise.allSettled(work)) {
      if (status === 'fulfilled') continue;
      this.#dependencies.log.warn(
        { err: (outcome as PromiseRejectedResult).reason },
        'a failed submission was not cleaned up',
      );
    }
  }
}
