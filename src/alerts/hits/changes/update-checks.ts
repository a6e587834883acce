import type { Collection } from '../../../datastore/port/collection.ts';
import type { QueryNode } from '../../../datastore/port/query-tree.ts';
import type { ReadAccess } from '../../../datastore/port/read-access.ts';
import type { Selection } from '../../../datastore/port/search.ts';
import type { UpdateOperation } from '../../../datastore/port/update-operations.ts';
import { INTEGER_LIMITS } from '../../../datastore/query-language/number-parsing.ts';
import { applyOperations } from '../../../datastore/semantics/apply-operations.ts';
import type { DocumentDefinition } from '../../../documents/schema/document-definition.ts';
import type { ClassificationRules } from '../../../documents/schema/field-spec.ts';
import { valueAt } from '../../../documents/schema/plain-objects.ts';
import { readDocument, readFieldValue } from '../../../documents/schema/read-document.ts';
import { pythonText } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, isTriadError, type TriadError } from '../../../errors/errors.ts';

/**
 * Rejects operations that would leave an unreadable document, such as a place with a longitude alone.
 * A document that was not readable before, because an older program wrote it, may be changed all the same.
 * @throws InvalidInput `number_out_of_range`, when an increment leaves the range of its field; `invalid_document`, `at` the path
 */
export function rejectUnreadable<T extends object>(
  definition: DocumentDefinition<T>,
  before: T,
  operations: readonly UpdateOperation[],
  classification: ClassificationRules,
): void {
  const after = structuredClone(before) as Record<string, unknown>;
  for (const operation of operations) {
    const { op, path } = operation;
    const present = valueAt(after, path);
    applyOperations(after, [operation]);
    if (op !== 'increment') continue;
    try {
      readFieldValue(definition, path, valueAt(after, path));
    } catch (cause) {
      const message = `The field ${path} cannot hold ${pythonText(present ?? 0)} changed by ${operation.by}`;
      throw new InvalidInput('number_out_of_range', message, { at: path, cause });
    }
  }
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

/** @throws InvalidInput `number_out_of_range`, when an increment would leave the range of an integer */
export async function assertIncrementsFit<T>(
  collection: Collection<T>,
  selection: Selection,
  operations: readonly UpdateOperation[],
  access: ReadAccess,
): Promise<void> {
  const changes = new Map<string, bigint>();
  for (const operation of operations) {
    if (operation.op !== 'increment') continue;
    const kind = collection.definition.fieldByPath.get(operation.path)?.searchKind;
    if (kind === 'integer' || kind === 'long') {
      changes.set(operation.path, (changes.get(operation.path) ?? 0n) + BigInt(operation.by));
    }
  }
  for (const [field, by] of changes) {
    const isLong = collection.definition.fieldByPath.get(field)?.searchKind === 'long';
    const { min, max } = INTEGER_LIMITS[isLong ? 'long' : 'integer'];
    const bound = by > 0n ? max - by : min - by;
    const end = { value: isLong ? bound : Number(bound), inclusive: false };
    const beyond: QueryNode = { kind: 'range', field, ...(by > 0n ? { lower: end } : { upper: end }) };
    const filters = [...(selection.filters ?? []), beyond];
    if (by === 0n || (await collection.count({ ...selection, filters }, access)) === 0) continue;
    const message = `The field ${field} holds integers from ${min} to ${max}, and a change by ${by} would leave them`;
    throw new InvalidInput('number_out_of_range', message, { at: field });
  }
}
