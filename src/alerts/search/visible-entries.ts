import type { ClassificationEngine } from '../../classification/classification.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
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

/**
 * Returns a found item without its classified entries that are above `classification`.
 * The document of a kind without such entries is not read: 25 documents are a third of a search with cached answers.
 */
export function itemWithVisibleEntries<T>(
  engine: Pick<ClassificationEngine, 'isAccessible'>,
  classification: string,
  definition: Pick<DocumentDefinition<T>, 'classifiedEntries'>,
  item: SearchItem<T>,
): SearchItem<T> {
  if (definition.classifiedEntries === undefined) return item;
  const { id, collection, version } = item;
  return { id, collection, version, document: withVisibleEntries(engine, classification, definition, item.document) };
}
