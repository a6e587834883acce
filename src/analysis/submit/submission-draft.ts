import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import type { UserStore } from '../../identity/user-store.ts';
import type { UserSettingsService } from '../users/user-settings-service.ts';
import { type Metadata, type MetadataDependencies, resolveMetadata } from './submission-metadata.ts';
import { type ParamsDependencies, resolveParams, type SelectableService } from './submission-params.ts';
import { readSubmissionRequest, type SubmissionRequest } from './submission-request.ts';

/** A submission whose file is not known yet. */
export interface SubmissionDraft {
  readonly request: SubmissionRequest;
  readonly params: Submission['params'];
  /** False: the description is made of the name of the file. */
  readonly hasDescription: boolean;
  readonly metadata: Metadata;
  /** Names of sources that the file may be fetched from. */
  readonly externalSources: readonly string[];
}

export interface DraftDependencies extends ParamsDependencies {
  readonly users: Pick<UserStore, 'recent'>;
  readonly userSettings: Pick<UserSettingsService, 'chosen'>;
  readonly services: { enabled(): Promise<readonly SelectableService[]> };
  /** Returns the values of metadata that administrators suggest, by key. */
  readonly suggestions: () => Promise<unknown>;
}

export type Endpoint = 'submit' | 'ingest';

/** Resolves what callers say about a submission, before its file is looked at. */
export class SubmissionDrafts {
  readonly #dependencies: DraftDependencies;

  constructor(dependencies: DraftDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads and checks the JSON of a submission.
   * @throws InvalidInput as `readSubmissionRequest`, `resolveParams`, `resolveMetadata`
   */
  async draft(actor: AnalysisActor, json: unknown, endpoint: Endpoint): Promise<SubmissionDraft> {
    const request = readSubmissionRequest(json);
    const { users, userSettings, services, settings } = this.#dependencies;
    const [user, chosen, enabled, suggested] = await Promise.all([
      users.recent(actor.username),
      userSettings.chosen(actor.username),
      services.enabled(),
      this.#dependencies.suggestions(),
    ]);
    const submitter = { actor, organization: user?.organization ?? undefined, settings: chosen };
    const { params, profile, type } = request;
    const resolved = resolveParams(this.#dependencies, submitter, {
      params,
      profile,
      type,
      services: enabled,
      endpoint,
    });
    const metadata: MetadataDependencies = { settings: settings.submission, suggestions: suggestionsIn(suggested) };
    const sources = request.externalSources;
    return {
      request,
      ...resolved,
      metadata: resolveMetadata(metadata, {
        usual: chosen?.default_metadata ?? {},
        sent: request.metadata,
        endpoint,
        type: resolved.params.type,
        archived: resolved.params.auto_archive,
      }),
      externalSources: sources.length > 0 ? sources : (chosen?.default_external_sources ?? []),
    };
  }

  /** Returns the parameters of a profile for a file that is known. @throws as `resolveParams` */
  async profileParams(actor: AnalysisActor, profile: string): Promise<Submission['params']> {
    const { params } = await this.draft(actor, { submission_profile: profile }, 'submit');
    return params;
  }
}

/** Returns the values that administrators suggest for a name of metadata. */
export function suggestionsIn(suggested: unknown): (key: string) => readonly string[] {
  return (key) => {
    const values = isObject(suggested) && Object.hasOwn(suggested, key) ? suggested[key] : [];
    return Array.isArray(values) ? values.map(String) : [];
  };
}
