import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';

/** Returns the case without items above `classification`. Items without a classification stay. */
export function withVisibleCaseItems<T>(
  engine: Pick<ClassificationEngine, 'isAccessible'>,
  classification: string,
  document: T,
): T {
  if (!isObject(document) || !Array.isArray(document.items)) return document;
  const items = document.items.filter((item) => {
    const marking = isObject(item) ? item.classification : undefined;
    return typeof marking !== 'string' || marking === '' || engine.isAccessible(classification, marking);
  });
  return { ...document, items };
}
