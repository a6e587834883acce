import type { ClassificationEngine } from '../../classification/classification.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';

/** Returns a document without its entries above `classification`; the same object without such entries. */
export function withVisibleEntries<T>(
  engine: Pick<ClassificationEngine, 'isAccessible'>,
  classification: string,
  { classifiedEntries }: Pick<DocumentDefinition<T>, 'classifiedEntries'>,
  document: T,
): T {
  if (classifiedEntries === undefined || !isObject(document)) return document;
  const entries = document[classifiedEntries];
  if (!Array.isArray(entries)) return document;
  const visible = entries.filter((entry) => {
    const marking = isObject(entry) ? entry.classification : undefined;
    return typeof marking !== 'string' || marking === '' || engine.isAccessible(classification, marking);
  });
  return { ...document, [classifiedEntries]: visible };
}
