import { type BulkItem, throwBulkFailure } from '../datastore/port/collection.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { classifiedCollection } from '../identity/accounts/classified-collection.ts';
import type { TestProgram } from './start-test-program.ts';

/** Stores a document as its service would; see `seedDocuments`. */
export async function seedDocument<T extends object>(
  program: Pick<TestProgram, 'foundation'>,
  definition: DocumentDefinition<T>,
  id: string,
  input: unknown,
  finish?: (document: T) => T,
): Promise<void> {
  await seedDocuments(program, definition, [{ id, document: input }], finish);
}

/**
 * Stores documents as their service would, which searches see at once.
 * @param finish changes what was read, for states that only the program makes
 */
export async function seedDocuments<T extends object>(
  { foundation: { datastore, ...foundation } }: Pick<TestProgram, 'foundation'>,
  definition: DocumentDefinition<T>,
  inputs: readonly { readonly id: string; readonly document: unknown }[],
  finish: (document: T) => T = (document) => document,
): Promise<void> {
  const classification = foundation.classification.whenNotEnforced('unrestricted');
  const collection = datastore.collection(definition);
  const writer =
    definition.classificationField === undefined
      ? collection
      : classifiedCollection(collection, definition, foundation.classification);
  const documents = inputs.map(({ id, document: input }): BulkItem<T> => {
    const { document } = readDocument(definition, input, { unknown: 'refuse', classification });
    return { kind: 'save', id, document: finish(document) };
  });
  throwBulkFailure(await writer.bulk(documents, { visible: 'now' }));
}
