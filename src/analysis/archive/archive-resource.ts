import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Log } from '../../http/request-log.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import type { ArchiveCollections } from '../archive-access/archive-collections.ts';
import { suggestionsIn } from '../submit/submission-draft.ts';
import { archiveMetadata } from '../submit/submission-metadata.ts';
import type { SystemValues } from '../system/system-values.ts';
import { archiveRoutes } from './archive-routes.ts';
import { ArchiveService, type ArchiveServiceDependencies } from './archive-service.ts';
import { ArchivedFiles, type ArchivedFilesDependencies } from './archived-files.ts';
import { Archiver, type ArchiverDependencies } from './archiver.ts';

export interface ArchiveResourceDependencies
  extends Pick<ArchiverDependencies, 'fileUse' | 'deleteSubmission'>,
    Pick<ArchiveServiceDependencies, 'submit' | 'services'>,
    Pick<ArchivedFilesDependencies, 'users' | 'avatars'> {
  readonly collections: ArchiveCollections;
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'queues' | 'locks' | 'events'>;
  readonly storage: FileStorage;
  readonly classification: ClassificationEngine;
  readonly values: Pick<SystemValues, 'reader'>;
  readonly settings: Pick<Settings, 'analysis'>;
  readonly log: Log;
}

export type ArchiveResource = ReturnType<typeof openArchive>;

/** Opens the archive of an installation that has one. */
export function openArchive(dependencies: ArchiveResourceDependencies) {
  const { collections: archive, datastore, coordination, classification, values, log } = dependencies;
  const { analysis: settings } = dependencies.settings;
  const classified = <T extends object>(definition: DocumentDefinition<T>) =>
    classifiedCollection(datastore.collection(definition), definition, classification);
  const submissions = classified(submissionDocument);
  const archiver = new Archiver({
    ...{ coordination, submissions, archive, classification, settings, log },
    files: classified(fileDocument),
    results: classified(resultDocument),
    errors: datastore.collection(errorDocument),
    storage: dependencies.storage,
    fileUse: dependencies.fileUse,
    deleteSubmission: dependencies.deleteSubmission,
  });
  const suggested = values.reader('metadata_suggestions', (value) => value);
  const service = new ArchiveService({
    ...{ submissions, archiver, classification, settings },
    submit: dependencies.submit,
    services: dependencies.services,
    checkMetadata: async (given) => {
      const suggestions = suggestionsIn(await suggested());
      return archiveMetadata({ settings: settings.submission, suggestions }, given);
    },
  });
  const files = new ArchivedFiles({
    ...{ files: archive.files, events: coordination.events, classification },
    users: dependencies.users,
    avatars: dependencies.avatars,
  });
  return { archiver, service, files };
}

/** Returns the routes of the archive; none without one, so that they answer like an unknown address. */
export function routesOfArchive(opened: ArchiveResource | undefined): readonly RouteModule[] {
  return opened === undefined ? [] : [archiveRoutes({ archive: opened.service, files: opened.files })];
}
