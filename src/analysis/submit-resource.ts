import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { classifiedCollection } from '../identity/accounts/classified-collection.ts';
import { DailyCounts } from '../identity/limits/quota.ts';
import type { UserStore } from '../identity/user-store.ts';
import { announceQuotas } from './analysis-quota.ts';
import type { AnalysisFiles } from './files/analysis-files.ts';
import { OutboundClient } from './outbound/outbound-client.ts';
import { Arrivals } from './submit/arrivals.ts';
import { FileSources } from './submit/file-sources.ts';
import { Resubmissions } from './submit/resubmissions.ts';
import { SubmissionBodies } from './submit/submission-body.ts';
import { SubmissionDrafts } from './submit/submission-draft.ts';
import type { SelectableService } from './submit/submission-params.ts';
import { SubmissionQuotas } from './submit/submission-quotas.ts';
import { submitRoutes } from './submit/submit-routes.ts';
import { type SubmissionDispatcher, SubmitService } from './submit/submit-service.ts';
import { FileIntake } from './submit/submitted-file.ts';
import type { SystemValues } from './system/system-values.ts';
import { submissionProfiles } from './users/submission-profiles.ts';
import type { UserSettingsService } from './users/user-settings-service.ts';

export interface SubmitResourceDependencies {
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly storage: FileStorage;
  readonly files: AnalysisFiles;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly userSettings: UserSettingsService;
  readonly values: SystemValues;
  readonly services: { enabled(): Promise<readonly SelectableService[]> };
  readonly dispatcher: SubmissionDispatcher;
  readonly settings: Config;
  readonly log: Log;
}

export type SubmitResource = ReturnType<typeof openSubmit>;

/** Opens what takes files in. */
export function openSubmit(dependencies: SubmitResourceDependencies) {
  const { datastore, coordination, storage, files, classification, values, services, log } = dependencies;
  const { analysis, http, ui } = dependencies.settings;
  const { users, userSettings, dispatcher } = dependencies;
  const submissions = classifiedCollection(
    datastore.collection(submissionDocument),
    submissionDocument,
    classification,
  );
  const fileRecords = datastore.collection(fileDocument);
  const profiles = submissionProfiles(analysis.submission, classification);
  const client = new OutboundClient({ allowedNetworks: analysis.outbound.allowed_networks });
  const sources = new FileSources({ settings: analysis, classification, client, log });
  const counts = new DailyCounts({ counters: coordination.counters, log });
  const defaults = analysis.ui.default_quotas;
  const quotas = new SubmissionQuotas({
    counters: coordination.counters,
    counts,
    settings: { enforce_quota: ui.enforce_quota, defaults },
    log,
  });
  const suggestions = values.reader('metadata_suggestions', (suggested) => suggested);
  const drafts = new SubmissionDrafts({
    classification,
    settings: analysis,
    profiles,
    users,
    userSettings,
    services,
    suggestions,
  });
  const intake = new FileIntake({ settings: analysis, classification, files, fileRecords, storage, sources });
  const { events } = coordination;
  const arrivals = new Arrivals();
  const submit = new SubmitService({
    submissions,
    dispatcher,
    drafts,
    intake,
    files,
    quotas,
    arrivals,
    events,
    settings: analysis.ui,
    log,
  });
  const resubmissions = new Resubmissions({
    submit,
    drafts,
    submissions,
    fileRecords,
    files,
    classification,
    profiles,
  });
  const { max_file_size } = analysis.submission;
  const bodies = new SubmissionBodies({ files, sources, limits: { max_body_size: http.max_body_size, max_file_size } });
  const announceQuota = async (...[actor, reply]: QuotaAnnouncement) => {
    if (ui.enforce_quota) await announceQuotas({ counts, defaults }, actor, reply);
  };
  return { submit, resubmissions, bodies, drafts, intake, quotas, arrivals, announceQuota };
}

type QuotaAnnouncement = Parameters<typeof announceQuotas> extends [unknown, ...infer Rest] ? Rest : never;

export function routesOfSubmit({
  submit,
  resubmissions,
  bodies,
  announceQuota,
}: SubmitResource): readonly RouteModule[] {
  return [submitRoutes({ submit, resubmissions, bodies, announceQuota })];
}
