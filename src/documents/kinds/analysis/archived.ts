import type { DocumentDefinition } from '../../schema/document-definition.ts';
import { errorDocument } from './error.ts';
import { fileDocument } from './file.ts';
import { resultDocument } from './result.ts';
import { submissionDocument } from './submission.ts';

/** Ends the names of collections of the archive. */
const SUFFIX = '_archive';

/** Copies of submissions in the archive. */
export const archivedSubmissionDocument = archived(submissionDocument);
/** Copies of files in the archive. */
export const archivedFileDocument = archived(fileDocument);
/** Copies of results in the archive. */
export const archivedResultDocument = archived(resultDocument);
/** Copies of errors in the archive. */
export const archivedErrorDocument = archived(errorDocument);

/** Kinds of the archive. They have no lifecycle: what is archived stays in one place. */
export const ARCHIVED_DOCUMENTS = [
  archivedSubmissionDocument,
  archivedFileDocument,
  archivedResultDocument,
  archivedErrorDocument,
] as const;

/** Returns the kind of the copies in the archive; undefined when such documents are not archived. */
export function archivedKind<T>({ name }: DocumentDefinition<T>): DocumentDefinition<T> | undefined {
  const found = ARCHIVED_DOCUMENTS.find((one) => one.name === name + SUFFIX);
  return found as unknown as DocumentDefinition<T> | undefined;
}

function archived<T>(definition: DocumentDefinition<T>): DocumentDefinition<T> {
  return { ...definition, name: definition.name + SUFFIX, growsWithoutLimit: false };
}
