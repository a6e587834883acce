import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { MAX_PRIORITY, type Submission, type SubmissionParams } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { SubmissionProfile } from '../users/submission-profiles.ts';
import type { SubmissionDrafts } from './submission-draft.ts';
import { profileMissing, readParams } from './submission-params.ts';
import { nameOf } from './submission-request.ts';
import type { SubmitService } from './submit-service.ts';

export interface ResubmissionDependencies {
  readonly submit: SubmitService;
  readonly drafts: SubmissionDrafts;
  readonly submissions: Pick<Collection<Submission>, 'get'>;
  readonly fileRecords: Pick<Collection<FileRecord>, 'get'>;
  readonly files: Pick<AnalysisFiles, 'freshen'>;
  readonly classification: ClassificationEngine;
  readonly profiles: ReadonlyMap<string, SubmissionProfile>;
}

export interface FileAgain {
  readonly sha256: string;
  /** Submission whose parameters, metadata and expiry are copied. */
  readonly copySid: string | undefined;
  readonly name: string | undefined;
}

/** Lowest priority of submissions that people wait for. */
const USER_PRIORITY = 500;
const DYNAMIC = 'Dynamic Analysis';
const ACCESS = unrestricted('a refusal says that the caller may not see the file or submission');

/** Analyses known files again (contract/analysis.md section 3.4). */
export class Resubmissions {
  readonly #dependencies: ResubmissionDependencies;

  constructor(dependencies: ResubmissionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Analyses a file again with dynamic analysis.
   * @throws NotFound `file_missing`; Forbidden `file_forbidden`, `submission_forbidden`
   */
  dynamic(actor: AnalysisActor, request: FileAgain): Promise<Submission> {
    return this.#again(actor, request, async ({ params, name }) => {
      const { selected, excluded, ...others } = params.services;
      const services = {
        ...others,
        selected: selected.includes(DYNAMIC) ? selected : [...selected, DYNAMIC],
        excluded: excluded.filter((one) => one !== DYNAMIC),
      };
      const priority = Math.max(Math.min(params.priority, MAX_PRIORITY), USER_PRIORITY);
      return { ...params, services, priority, description: `Resubmit ${name} for Dynamic Analysis` };
    });
  }

  /**
   * Analyses a file again under a profile.
   * @throws as `dynamic`; InvalidInput `submission_profile_missing`
   */
  withProfile(actor: AnalysisActor, profile: string, request: FileAgain): Promise<Submission> {
    return this.#again(actor, request, async ({ params: { classification }, name }) => {
      const { profiles, drafts } = this.#dependencies;
      const known = profiles.get(profile);
      if (known === undefined) throw profileMissing(profile);
      const params = await drafts.profileParams(actor, profile);
      return { ...params, classification, description: `Resubmit ${name} with ${known.display_name}` };
    });
  }

  /**
   * Repeats a submission.
   * @throws NotFound `submission_missing`, `file_missing`; Forbidden `submission_forbidden`
   */
  repeat(actor: AnalysisActor, sid: string): Promise<Submission> {
    const { submit, submissions } = this.#dependencies;
    return submit.admit(actor, async (admitted) => {
      const original = await submissions.get(sid, ACCESS);
      if (original === undefined) {
        throw new NotFound('submission_missing', `Submission ${sid} does not exists.`, { response: {} });
      }
      this.#assertVisible(actor, original);
      const { files, metadata, classification, expiry_ts: expiry } = original;
      for (const { sha256 } of files) await this.#freshen(sha256, expiry, classification);
      const params = this.#paramsOf(actor, {
        ...original.params,
        classification,
        description: `Resubmit ${files.map((one) => one.name).join(', ')} for analysis`,
      });
      return submit.start({ sid: admitted.sid, files, params, metadata, expiry: expiry ?? null });
    });
  }

  #again(
    actor: AnalysisActor,
    { sha256, copySid, name: given }: FileAgain,
    change: (base: { readonly params: SubmissionParams; readonly name: string }) => Promise<SubmissionParams>,
  ): Promise<Submission> {
    const { submit, fileRecords, submissions, classification: engine } = this.#dependencies;
    return submit.admit(actor, async (admitted) => {
      const file = await fileRecords.get(sha256, ACCESS);
      if (file === undefined) throw fileMissing(sha256);
      if (!engine.isAccessible(actor.classification, file.classification, true)) {
        const message = "You are not allowed to re-submit a file that you don't have access to";
        throw new Forbidden('file_forbidden', message, { response: '' });
      }
      const copied = copySid === undefined ? undefined : await submissions.get(copySid, ACCESS);
      if (copied !== undefined) this.#assertVisible(actor, copied);
      const { classification, expiry_ts: expiry } = copied ?? file;
      const uri = file.type.startsWith('uri/') ? file.uri_info?.uri : undefined;
      const name = nameOf(uri ?? (given || sha256));
      const base = copied?.params ?? { services: { selected: [] }, priority: USER_PRIORITY };
      const params = this.#paramsOf(actor, { ...base, classification, description: '-' });
      const changed = { ...(await change({ params, name })), quota_item: true };
      await this.#freshen(sha256, expiry, classification);
      const files = [{ name, sha256, size: file.size }];
      const metadata = copied?.metadata ?? {};
      return submit.start({ sid: admitted.sid, files, params: changed, metadata, expiry: expiry ?? null });
    });
  }

  /** Returns complete parameters of a caller. */
  #paramsOf({ username }: AnalysisActor, values: object): SubmissionParams {
    const own = { ...values, submitter: username, quota_item: true };
    return readParams(own, this.#dependencies.classification);
  }

  #assertVisible(actor: AnalysisActor, { classification }: Pick<Submission, 'classification'>): void {
    if (this.#dependencies.classification.isAccessible(actor.classification, classification, true)) return;
    const message = "You are not allowed to re-submit a submission that you don't have access to";
    throw new Forbidden('submission_forbidden', message, { response: '' });
  }

  async #freshen(sha256: string, expiry: string | undefined, classification: string): Promise<void> {
    if (!(await this.#dependencies.files.freshen(sha256, { expiry, classification }))) throw fileMissing(sha256);
  }
}

function fileMissing(sha256: string): NotFound {
  return new NotFound(
    'file_missing',
    `File ${sha256} cannot be found on the server therefore it cannot be resubmitted.`,
    { response: {} },
  );
}
