import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { alertDocument } from '../documents/kinds/analysis/alert.ts';
import { emptyResultDocument } from '../documents/kinds/analysis/empty-result.ts';
import { errorDocument } from '../documents/kinds/analysis/error.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { filescoreDocument } from '../documents/kinds/analysis/filescore.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import { submissionSummaryDocument } from '../documents/kinds/analysis/submission-summary.ts';
import { submissionTreeDocument } from '../documents/kinds/analysis/submission-tree.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { Log } from '../http/request-log.ts';
import type { RouteModule } from '../http/route-access.ts';
import { classifiedCollection } from '../identity/accounts/classified-collection.ts';
import type { UserStore } from '../identity/user-store.ts';
import { EveryCopyDeletion } from './archive/every-copy-deletion.ts';
import type { ArchiveCollections } from './archive-access/archive-collections.ts';
import type { ArchiveScopes } from './archive-access/archive-scopes.ts';
import { withArchive } from './archive-access/read-through.ts';
import { BundleExport } from './bundles/bundle-export.ts';
import { BundleImport, type BundleImportDependencies } from './bundles/bundle-import.ts';
import { bundleRoutes } from './bundles/bundle-routes.ts';
import { fileResultsRoutes } from './file-results/file-results-routes.ts';
import { FileResultsService } from './file-results/file-results-service.ts';
import type { AnalysisFiles } from './files/analysis-files.ts';
import type { FileUse } from './files/file-use.ts';
import { ExternalSources } from './hash-search/external-sources.ts';
import { hashSearchRoutes } from './hash-search/hash-search-routes.ts';
import { HashSearchService } from './hash-search/hash-search-service.ts';
import { ontologyRoutes } from './ontology/ontology-routes.ts';
import { OntologyService } from './ontology/ontology-service.ts';
import { OutboundClient } from './outbound/outbound-client.ts';
import { errorRoutes } from './result-views/error-routes.ts';
import { resultRoutes } from './result-views/result-routes.ts';
import { ResultService, type ServiceLookup } from './result-views/result-service.ts';
import { assistanceRoutes } from './submissions/assistance-routes.ts';
import { DerivedDocuments } from './submissions/derived-documents.ts';
import { FileRemoval } from './submissions/file-removal.ts';
import { SubmissionContents } from './submissions/submission-contents.ts';
import { SubmissionDeletion } from './submissions/submission-deletion.ts';
import { SubmissionList } from './submissions/submission-list.ts';
import { submissionRoutes } from './submissions/submission-routes.ts';
import { SubmissionService } from './submissions/submission-service.ts';

export interface ReadingDependencies {
  readonly datastore: Datastore;
  readonly storage: FileStorage;
  readonly files: AnalysisFiles;
  readonly fileUse: FileUse;
  readonly classification: ClassificationEngine;
  readonly users: UserStore;
  readonly services: ServiceLookup & BundleImportDependencies['services'];
  readonly rescans: BundleImportDependencies['rescans'];
  readonly settings: Pick<Settings, 'analysis'>;
  /** Version of the program. */
  readonly version: string;
  readonly log: Log;
  /** The archive; undefined: there is none. */
  readonly archived: ArchiveCollections | undefined;
  readonly scopes: ArchiveScopes;
  /** Ends the analysis of a submission that is under way. */
  readonly cancel: (sid: string) => Promise<unknown>;
}

export type Reading = ReturnType<typeof openReading>;

/** Opens what reads submissions, results and errors, and deletes submissions. */
export function openReading(dependencies: ReadingDependencies) {
  const { datastore, storage, files: analysisFiles, fileUse, classification, settings, log } = dependencies;
  const { submission, datastore: caches, ui, outbound } = settings.analysis;
  const { emptyresult_dtl: emptyResultDays } = submission;
  const classified = <T extends object>(definition: DocumentDefinition<T>) =>
    classifiedCollection(datastore.collection(definition), definition, classification);
  const submissions = classified(submissionDocument);
  const files = classified(fileDocument);
  const results = classified(resultDocument);
  const errors = datastore.collection(errorDocument);
  const alerts = classified(alertDocument);
  const trees = classified(submissionTreeDocument);
  const summaries = classified(submissionSummaryDocument);

  const emptyResults = datastore.collection(emptyResultDocument);
  const external = new ExternalSources({
    sources: ui.external_sources,
    outbound: new OutboundClient({ allowedNetworks: outbound.allowed_networks }),
    ...{ classification, log },
  });

  const { archived, scopes } = dependencies;
  const readable = {
    submissions: withArchive(submissions, archived?.submissions),
    files: withArchive(files, archived?.files),
    results: withArchive(results, archived?.results),
    errors: withArchive(errors, archived?.errors),
  };
  const contents = new SubmissionContents({ ...readable, classification });
  const deletionOf = (kinds: ArchiveCollections, cancel: (sid: string) => Promise<unknown>) =>
    new SubmissionDeletion({
      ...{ ...kinds, emptyResults, trees, summaries, classification, cancel },
      fileScores: datastore.collection(filescoreDocument),
      removal: new FileRemoval({ files: kinds.files, fileUse }),
    });
  const hotDeletion = deletionOf({ submissions, files, results, errors }, dependencies.cancel);
  const archiveDeletion = archived && deletionOf(archived, () => Promise.resolve());
  const derived = new DerivedDocuments({ trees, summaries, settings: submission, cacheDays: caches.cache_dtl });
  return {
    errors,
    contents,
    derived,
    submissions: new SubmissionService({
      ...{ contents, derived, alerts },
      submissions: readable.submissions,
      settings: submission,
    }),
    lists: new SubmissionList({ scopes, users: dependencies.users }),
    deletion: new EveryCopyDeletion([hotDeletion, ...(archiveDeletion === undefined ? [] : [archiveDeletion])]),
    /** Deletes a submission that was copied into the archive. */
    deleteArchived: (sid: string) => hotDeletion.move(sid),
    results: new ResultService({
      ...readable,
      classification,
      services: dependencies.services,
      emptyResultDays,
    }),
    external,
    version: dependencies.version,
    hashes: new HashSearchService({ files, results, alerts, external, classification }),
    ontology: new OntologyService({
      ...{ contents, alerts, storage },
      files: readable.files,
      results: readable.results,
      classification,
      system: ui.fqdn,
    }),
    bundles: {
      exports: new BundleExport({
        ...{ contents, derived, alerts, storage, classification, emptyResultDays },
        files: readable.files,
        system: ui.fqdn,
      }),
      imports: new BundleImport({
        ...{ submissions, results, emptyResults, errors, alerts, storage, classification, emptyResultDays },
        ...{ services: dependencies.services, rescans: dependencies.rescans },
        files: analysisFiles,
        maxDays: submission.max_dtl,
      }),
    },
    fileResults: new FileResultsService({
      ...{ results, submissions, archived, classification },
      files: readable.files,
      verdicts: submission.verdicts,
    }),
  };
}

/** Returns the routes that read submissions, results and errors. */
export function routesOfReading(reading: Reading): readonly RouteModule[] {
  const { submissions, lists, deletion, results, errors, fileResults, hashes, external, version } = reading;
  return [
    submissionRoutes({ submissions, lists, deletion }),
    resultRoutes(results),
    errorRoutes({ results, errors }),
    fileResultsRoutes(fileResults),
    hashSearchRoutes({ hashes, external, version }),
    ontologyRoutes(reading.ontology),
    bundleRoutes(reading.bundles),
    assistanceRoutes,
  ];
}
