import type { ClassificationEngine } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Collection } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import type { FileRecord } from '../documents/kinds/analysis/file.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { RouteModule } from '../http/route-access.ts';
import { withArchive } from './archive-access/read-through.ts';
import { FileDownload } from './files/file-download.ts';
import { FileReader } from './files/file-reader.ts';
import { fileRoutes } from './files/file-routes.ts';
import { openAnalysisFiles } from './files/open-analysis-files.ts';
import { SimilarFiles } from './files/similar-files.ts';
import type { DigestLog } from './files/threaded-digests.ts';
import { identificationRoutes } from './identification/identification-routes.ts';
import { IdentificationTexts } from './identification/identification-texts.ts';
import type { SubmitService } from './submit/submit-service.ts';
import type { SystemValues } from './system/system-values.ts';
import { ChunkedUploads } from './ui/chunked-uploads.ts';
import { type UploadRouteDependencies, uploadRoutes } from './ui/upload-routes.ts';
import type { UserSettingsService } from './users/user-settings-service.ts';

export interface FilesResourceDependencies {
  readonly datastore: Datastore;
  readonly coordination: Pick<Coordination, 'tokens'>;
  readonly storage: FileStorage;
  readonly classification: ClassificationEngine;
  readonly settings: Config;
  readonly values: SystemValues;
  readonly userSettings: UserSettingsService;
  readonly log: DigestLog;
  /** Files in the archive; undefined: there is no archive. */
  readonly archivedFiles?: Collection<FileRecord> | undefined;
}

export type FilesParts = ReturnType<typeof openFiles>;

/** Opens files, what they are, and what reads them. */
export function openFiles(dependencies: FilesResourceDependencies) {
  const { datastore, storage, classification, settings, userSettings } = dependencies;
  const opened = openAnalysisFiles(dependencies);
  const { collection, identification, zip } = opened;
  const readable = withArchive(collection, dependencies.archivedFiles);
  const reader = new FileReader({ collection: readable, storage, classification });
  return {
    ...opened,
    storage,
    reader,
    texts: new IdentificationTexts({ values: dependencies.values, identification }),
    similar: new SimilarFiles({ reader, collection, results: datastore.collection(resultDocument) }),
    download: new FileDownload({
      reader,
      storage,
      submissions: datastore.collection(submissionDocument),
      userSettings,
      classification,
      zip,
      settings: settings.analysis.ui,
    }),
  };
}

/** Returns the routes of files and of the texts by which they are identified. */
export function routesOfFiles({ reader, download, similar, storage, texts }: FilesParts): readonly RouteModule[] {
  return [
    fileRoutes({ reader, download, similar, purge: (sha256) => storage.delete(sha256) }),
    identificationRoutes({ texts }),
  ];
}

export interface UploadsDependencies extends Pick<FilesParts, 'storage' | 'use' | 'collection' | 'files'> {
  readonly coordination: Pick<Coordination, 'tokens' | 'counters'>;
  readonly submit: SubmitService;
  readonly bundles: UploadRouteDependencies['bundles'];
  readonly settings: Config;
}

/** Returns the routes by which browsers upload files in chunks. */
export function routesOfUploads(dependencies: UploadsDependencies): readonly RouteModule[] {
  const { storage, use: fileUse, collection: fileRecords, files, coordination, submit, settings } = dependencies;
  const maxFileSize = settings.analysis.submission.max_file_size;
  const uploads = new ChunkedUploads({ coordination, storage, fileUse, fileRecords, files, maxFileSize });
  return [uploadRoutes({ uploads, submit, bundles: dependencies.bundles })];
}
