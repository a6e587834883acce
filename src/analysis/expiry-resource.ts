import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Collection } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { alertDocument } from '../documents/kinds/analysis/alert.ts';
import { badlistDocument } from '../documents/kinds/analysis/badlist.ts';
import { cachedFileDocument } from '../documents/kinds/analysis/cached-file.ts';
import { emptyResultDocument } from '../documents/kinds/analysis/empty-result.ts';
import { errorDocument } from '../documents/kinds/analysis/error.ts';
import { fileDocument } from '../documents/kinds/analysis/file.ts';
import { filescoreDocument } from '../documents/kinds/analysis/filescore.ts';
import { resultDocument } from '../documents/kinds/analysis/result.ts';
import { retrohuntDocument } from '../documents/kinds/analysis/retrohunt.ts';
import { safelistDocument } from '../documents/kinds/analysis/safelist.ts';
import { submissionDocument } from '../documents/kinds/analysis/submission.ts';
import { submissionSummaryDocument } from '../documents/kinds/analysis/submission-summary.ts';
import { submissionTreeDocument } from '../documents/kinds/analysis/submission-tree.ts';
import type { FileStorage } from '../file-storage/file-storage.ts';
import type { Log } from '../http/request-log.ts';
import { ExpiredApiKeys } from '../identity/keys/expired-api-keys.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { Job } from '../jobs/job.ts';
import type { ArchiveCollections } from './archive-access/archive-collections.ts';
import { ContentRemoval } from './expiry/content-removal.ts';
import { Expiry } from './expiry/expiry.ts';
import { FileCleanup } from './expiry/file-cleanup.ts';
import type { FileUse } from './files/file-use.ts';

export interface ExpiryResourceDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'tokens'>;
  readonly storage: FileStorage;
  readonly fileUse: FileUse;
  readonly settings: Pick<Settings, 'analysis'>;
  /** The archive; undefined: there is none. */
  readonly archived: ArchiveCollections | undefined;
  /** Finishes interrupted deletions of submissions and returns their number. */
  readonly finishDeletions: () => Promise<number>;
  readonly users: UserStore;
  readonly log: Pick<Log, 'info'>;
}

/** Opens the jobs that delete what is too old, and content that no document needs. */
export function openExpiry(dependencies: ExpiryResourceDependencies) {
  const { datastore, coordination, storage, fileUse, settings, finishDeletions, archived } = dependencies;
  const submissions = datastore.collection(submissionDocument);
  const files = datastore.collection(fileDocument);
  const cachedFiles = datastore.collection(cachedFileDocument);
  const archivedFiles = archived === undefined ? [] : [archived.files];
  const content = new ContentRemoval({
    use: fileUse,
    owners: [files, cachedFiles, ...archivedFiles] as readonly Collection<unknown>[],
  });
  // What refers to others goes before them, so that an interrupted run leaves no reference to nothing.
  const collections = [
    submissions,
    datastore.collection(submissionTreeDocument),
    datastore.collection(submissionSummaryDocument),
    datastore.collection(filescoreDocument),
    datastore.collection(resultDocument),
    datastore.collection(emptyResultDocument),
    datastore.collection(errorDocument),
    datastore.collection(alertDocument),
    datastore.collection(safelistDocument),
    datastore.collection(badlistDocument),
    datastore.collection(retrohuntDocument),
    cachedFiles,
    files,
    ...(archived === undefined ? [] : [archived.submissions, archived.results, archived.errors, archived.files]),
  ] as readonly Collection<unknown>[];
  const expiry = new Expiry({
    collections,
    withContent: [files, ...archivedFiles] as readonly Collection<unknown>[],
    content,
    submissions: submissions as Collection<unknown>,
    finishDeletions,
    apiKeys: new ExpiredApiKeys({ users: dependencies.users, log: dependencies.log }),
    settings: settings.analysis.core.expiry,
  });
  const jobs: readonly Job[] = [expiry, new FileCleanup({ storage, content, tokens: coordination.tokens })];
  return { expiry, jobs };
}
