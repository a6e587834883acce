import { unrestricted } from '../../datastore/port/read-access.ts';

export const ALL_HITS = unrestricted('retention deletes alerts regardless of who may see them');

/** Yields items in lists of at most this size. */
export async function* batches<T>(
  items: AsyncIterable<T> | Iterable<T>,
  size: number,
): AsyncGenerator<readonly T[], void> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
