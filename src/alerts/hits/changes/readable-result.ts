import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import { applyOperations } from '../../../datastore/semantics/apply-operations.ts';
import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import type { ClassificationRules } from '../../../documents/schema/field-spec.ts';
import { readDocument } from '../../../documents/schema/read-document.ts';
import { isTriadError, type TriadError } from '../../../errors/errors.ts';

/**
 * Refuses operations that would leave a document that cannot be read: each value may be right and the whole is not, such as a place with
 * a longitude alone. A document that was not readable before, because an older program wrote it, is not held up.
 * @throws InvalidInput `invalid_document`, `at` the path, with the text of a document that is sent so
 */
export function rejectUnreadable<T extends object>(
  definition: DocumentDefinition<T>,
  before: T,
  operations: readonly UpdateOperation[],
  classification: ClassificationRules,
): void {
  const after = structuredClone(before) as Record<string, unknown>;
  applyOperations(after, operations);
  const problem = problemOf(definition, after, classification);
  if (problem !== undefined && problemOf(definition, before, classification) === undefined) throw problem;
}

function problemOf<T>(
  definition: DocumentDefinition<T>,
  document: unknown,
  classification: ClassificationRules,
): TriadError | undefined {
  try {
    readDocument(definition, document, { unknown: 'drop', classification });
    return undefined;
  } catch (error) {
    if (isTriadError(error) && error.kind === 'invalid_input') return error;
    throw error;
  }
}
