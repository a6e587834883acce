import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Workers } from '../coordination/queue-worker.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { errorDocument } from '../documents/kinds/analysis/error.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { HealthCheck } from '../http/health-checks.ts';
import type { Log } from '../http/request-log.ts';
import type { UserAccounts } from '../identity/accounts/user-accounts.ts';
import type { AnalysisIdentity } from '../identity/analysis-identity.ts';
import type { AuditLog } from '../identity/audit/audit-log.ts';
import type { InstallationTokens } from '../identity/installation-tokens/installation-tokens.ts';
import type { CodeLogin } from '../identity/oauth/code-login.ts';
import type { OwnTokens } from '../identity/obo/own-tokens.ts';
import type { UserStore } from '../identity/user-store.ts';
import { openAlerts } from './alerts-resource.ts';
import { openAnalyzers } from './analyzers-resource.ts';
import { openArchive } from './archive/archive-resource.ts';
import type { ArchiveOrder } from './archive/archiver.ts';
import { openArchiveCollections } from './archive-access/archive-collections.ts';
import { ArchiveScopes } from './archive-access/archive-scopes.ts';
import { withArchive } from './archive-access/read-through.ts';
import { openCompletion } from './completion-resource.ts';
import { openDispatcher } from './dispatching/open-dispatcher.ts';
import { openExpiry } from './expiry-resource.ts';
import { openFiles } from './files-resource.ts';
import { openIngest } from './ingest-resource.ts';
import { openLists } from './lists-resource.ts';
import { LiveService } from './live/live-service.ts';
import { Heartbeats } from './live/status-messages.ts';
import { ServiceOverview } from './overview/service-overview.ts';
import { openReading } from './reading-resource.ts';
import { EarlierStepReader } from './results/earlier-steps.ts';
import { openResults } from './results/open-results.ts';
import { SubmissionKeys } from './search/submission-keys.ts';
import { openServices } from './services/open-services.ts';
import { openSignatures } from './signatures-resource.ts';
import { openSubmit } from './submit-resource.ts';
import { openSystem } from './system-resource.ts';
import type { UserOwnedData } from './users/user-owned-data.ts';

export interface AnalysisServerDependencies extends UserOwnedData {
  /** Version of the program, `api_server_version` of every answer. */
  readonly version: string;
  readonly settings: Config;
  readonly log: Log;
  readonly datastore: Datastore;
  readonly coordination: Coordination;
  readonly files: FileStorage;
  readonly checks: readonly HealthCheck[];
  readonly outage?: () => Error | undefined;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly accounts: UserAccounts;
  readonly analysisIdentity: AnalysisIdentity;
  readonly codeLogin: CodeLogin;
  readonly ownTokens: OwnTokens;
  readonly installationTokens: Pick<InstallationTokens, 'keySet'>;
  readonly auditLog: AuditLog;
}

export type AnalysisParts = ReturnType<typeof openAnalysisParts>;

/** Opens what routes, workers and jobs of the analysis service share, once in a process. */
export function openAnalysisParts(dependencies: AnalysisServerDependencies) {
  // Without enforcement nothing has a classification here, as clients expect (contract/analysis.md section 9.1).
  const classification = dependencies.classification.whenNotEnforced('unrestricted');
  const { datastore, coordination, settings, log, users, files: storage } = dependencies;
  const system = openSystem({ datastore });
  const lists = openLists({ datastore, classification, settings, values: system.values });
  const alerts = openAlerts({ datastore, coordination, classification, users, settings, log });
  const archived = settings.analysis.datastore.archive.enabled
    ? openArchiveCollections(datastore, classification)
    : undefined;
  const scopes = new ArchiveScopes({ datastore, hasArchive: archived !== undefined });
  const readableFiles = withArchive(datastore.collection(fileDocument), archived?.files);
  const keys = new SubmissionKeys({ files: readableFiles, classification });
  const shared = { datastore, coordination, storage, classification, settings, log };
  const fileParts = openFiles({
    ...shared,
    values: system.values,
    userSettings: dependencies.userSettings,
    archivedFiles: archived?.files,
  });
  const { files, use: fileUse, collection: fileRecords } = fileParts;
  const services = openServices({ datastore, coordination, classification, settings, log });
  const dispatcher = openDispatcher({
    ...{ datastore, coordination, classification, settings, users, log },
    services: services.registry,
    isActive: () => system.components.isActive('dispatcher'),
    earlier: new EarlierStepReader({
      results: datastore.collection(resultDocument),
      errors: datastore.collection(errorDocument),
      classification,
      services: services.registry,
    }),
  });
  const live = new LiveService({ submissions: datastore.collection(submissionDocument), dispatcher });
  const submit = openSubmit({
    ...{ datastore, coordination, storage, files, classification, users, dispatcher, settings, log },
    userSettings: dependencies.userSettings,
    services: services.registry,
    values: system.values,
  });
  const intake = openResults({
    ...{ datastore, files, fileRecords, storage, classification, settings, log, dispatcher },
    heuristics: services.heuristics,
    safelist: lists.lookup,
  });
  const analyzers = openAnalyzers({
    ...{ settings, datastore, coordination, storage, files, dispatcher, intake, log },
    registry: services.registry,
  });
  const signatures = openSignatures({ datastore, coordination, classification, services, log });
  const completion = openCompletion({
    ...{ datastore, coordination, classification, alerts, dispatcher, settings, log },
    values: system.values,
    archive: archived && ((sid, options) => orderArchive({ sid, metadata: {}, ...options })),
    ended: async (ended, submission, scan) => {
      const { sid, submitter, quota_item: holdsSlot } = ended;
      if (holdsSlot) await submit.quotas.release('submission', submitter, sid);
      await ingest.steps.ended(ended, submission, scan);
    },
  });
  const ingest = openIngest({
    ...{ datastore, coordination, classification, files, submit, dispatcher, settings, log },
    actions: completion.actions,
    isActive: () => system.components.isActive('ingester'),
  });
  const reading = openReading({
    ...{ datastore, storage, files, fileUse, classification, settings, users, log },
    version: dependencies.version,
    services: services.registry,
    rescans: ingest.rescans,
    archived,
    scopes,
    cancel: (sid) => dispatcher.cancel(sid),
  });
  const archive =
    archived &&
    openArchive({
      ...{ datastore, coordination, storage, fileUse, classification, users, settings, log },
      collections: archived,
      avatars: dependencies.avatars,
      services: services.registry,
      submit: submit.submit,
      values: system.values,
      deleteSubmission: reading.deleteArchived,
    });
  const orderArchive = async (order: ArchiveOrder) => archive?.archiver.order(order);
  const finishDeletions = () => reading.deletion.resume();
  const { expiry, jobs } = openExpiry({
    ...{ datastore, coordination, storage, fileUse, settings, finishDeletions, users, log },
    datastore,
    coordination,
    storage,
    fileUse,
    settings,
    finishDeletions,
    archived,
  });
  const heartbeats = new Heartbeats({
    ...{ coordination, dispatcher, expiry, services: services.registry },
    ingest: ingest.steps,
    alerter: alerts.alerter,
    serviceCounts: intake.counts,
    settings: settings.analysis,
  });
  /** In the order of their start; they stop in the opposite order. */
  const workers: readonly Workers[] = [
    alerts.runner,
    completion.worker,
    dispatcher,
    ingest.worker,
    analyzers,
    heartbeats,
    ...(archive === undefined ? [] : [archive.archiver]),
  ];
  const overview = new ServiceOverview({
    registry: services.registry,
    queues: coordination.queues,
    lastPolls: () => dispatcher.presence.lastPolls(),
  });
  return {
    classification,
    system,
    lists,
    alerts,
    completion,
    fileParts,
    signatures,
    files,
    fileUse,
    services,
    dispatcher,
    submit,
    ingest,
    live,
    intake,
    analyzers,
    overview,
    reading,
    archive,
    keys,
    scopes,
    jobs,
    workers: allWorkers(workers),
  };
}

/** Starts and stops workers together: those that others hand their work to are started first. */
function allWorkers(workers: readonly Workers[]): Workers {
  return {
    start() {
      for (const one of workers) one.start();
    },
    async stop() {
      for (const one of workers.toReversed()) await one.stop();
    },
  };
}
