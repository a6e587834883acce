import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Service } from '../../documents/kinds/analysis/service.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SubmitService } from '../submit/submit-service.ts';
import type { Archiver } from './archiver.ts';

export interface ArchiveServiceDependencies {
  readonly submissions: Collection<Submission>;
  readonly archiver: Pick<Archiver, 'order'>;
  readonly submit: Pick<SubmitService, 'start'>;
  readonly services: { all(): Promise<readonly Pick<Service, 'name' | 'category'>[]> };
  readonly classification: ClassificationEngine;
  /** Checks metadata by the scheme of the archive. @throws InvalidInput `invalid_metadata` */
  readonly checkMetadata: (given: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, string>>>;
  readonly settings: Pick<Settings['analysis'], 'core'>;
}

export interface ArchiveRequest {
  readonly deleteAfter: boolean;
  readonly alternateLife: boolean;
  /** Metadata that the submission gets, where it has none of the name. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type ArchiveReply =
  | { readonly success: true; readonly action: 'archive' }
  | { readonly success: true; readonly action: 'resubmit'; readonly sid: string };

const EVERYTHING = unrestricted('the route tells missing submissions from those that the caller may not see');
const FAILURE = { response: { success: false } };

/** Sends submissions into the archive. */
export class ArchiveService {
  readonly #dependencies: ArchiveServiceDependencies;

  constructor(dependencies: ArchiveServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Orders the copy of a submission, or first an analysis with the services that the archive requires.
   * @throws NotFound `submission_missing`; Forbidden `submission_not_visible`
   * @throws InvalidInput `submission_not_completed`, `invalid_metadata`
   */
  async archive(actor: Pick<Actor, 'classification'>, sid: string, request: ArchiveRequest): Promise<ArchiveReply> {
    const { submissions, classification, archiver } = this.#dependencies;
    const submission = await submissions.get(sid, EVERYTHING);
    if (submission === undefined) {
      throw new NotFound('submission_missing', `The submission '${sid}' was not found in the system`, FAILURE);
    }
    if (!classification.isAccessible(actor.classification, submission.classification, true)) {
      const message = `The submission '${sid}' is not accessible by this user`;
      throw new Forbidden('submission_not_visible', message, FAILURE);
    }
    if (submission.state !== 'completed') {
      const message = `The submission '${sid}' cannot be archived before its analysis is completed`;
      throw new InvalidInput('submission_not_completed', message, FAILURE);
    }
    const metadata = await this.#dependencies.checkMetadata({ ...request.metadata, ...submission.metadata });
    const { deleteAfter, alternateLife } = request;
    const services = await this.#missingServices(submission);
    if (services === undefined) {
      await archiver.order({ sid, deleteAfter, metadata, alternateLife });
      return { action: 'archive', success: true };
    }
    const params = {
      ...submission.params,
      ...{ auto_archive: true, delete_after_archive: deleteAfter, use_archive_alternate_dtl: alternateLife },
      ...{ quota_item: false, psid: sid, services: { ...submission.params.services, selected: services } },
    };
    const again = await this.#dependencies.submit.start({ files: submission.files, params, metadata });
    await submissions.update(sid, [{ op: 'set', path: 'archived', value: true }], { visible: 'now' });
    return { action: 'resubmit', sid: again.sid, success: true };
  }

  /** Returns all services of another analysis; undefined when the archive requires none. */
  async #missingServices({ params }: Submission): Promise<string[] | undefined> {
    const { settings, services } = this.#dependencies;
    const required = settings.core.archiver.minimum_required_services;
    if (required.length === 0) return undefined;
    const known = await services.all();
    const expand = (names: readonly string[]) =>
      names.flatMap((name) => {
        const members = known.filter(({ category }) => category === name).map((one) => one.name);
        return members.length === 0 ? [name] : members;
      });
    const selected = new Set(expand(params.services.selected));
    const missing = expand(required).filter((name) => !selected.has(name));
    return missing.length === 0 ? undefined : [...selected, ...missing];
  }
}
