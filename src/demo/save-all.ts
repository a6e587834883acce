import type { Collection } from '../datastore/port/collection.ts';

/**
 * Writes documents in one request, over what is there under their identifiers. @throws Error, when one
 * is refused
 */
export async function saveAll<T>(
  collection: Collection<T>,
  documents: readonly T[],
  idOf: (document: T) => string,
): Promise<void> {
  const results = await collection.bulk(
    documents.map((document) => ({ kind: 'save', id: idOf(document), document })),
    { visible: 'now' },
  );
  const refused = results.find((result) => !result.ok);
  if (refused && !refused.ok) {
    throw new Error(`the demo's ${collection.definition.name} ${refused.id} was refused: ${refused.message}`);
  }
}
