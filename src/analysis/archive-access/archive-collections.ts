import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import {
  archivedErrorDocument,
  archivedFileDocument,
  archivedResultDocument,
  archivedSubmissionDocument,
} from '../../documents/kinds/analysis/archived.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';

/** The collections of the archive. */
export interface ArchiveCollections {
  readonly submissions: Collection<Submission>;
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly errors: Collection<ErrorRecord>;
}

/** Opens the collections of the archive, which are created at their first use. */
export function openArchiveCollections(
  datastore: Pick<Datastore, 'collection'>,
  classification: ClassificationEngine,
): ArchiveCollections {
  const classified = <T extends object>(definition: DocumentDefinition<T>) =>
    classifiedCollection(datastore.collection(definition), definition, classification);
  return {
    submissions: classified(archivedSubmissionDocument),
    files: classified(archivedFileDocument),
    results: classified(archivedResultDocument),
    errors: datastore.collection(archivedErrorDocument),
  };
}
