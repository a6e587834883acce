import type { Collection } from '../../datastore/port/collection.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';

export interface LoadedResults {
  /** By key, in the order of the keys. */
  readonly results: ReadonlyMap<string, Result>;
  /** Keys of results that do not exist, or that are beyond the limit. */
  readonly missing: readonly string[];
}

export interface LoadOptions {
  readonly access: ReadAccess;
  /** Characters of sections to load, about. Default 256 Mi; one result may have 32 MB. */
  readonly limit?: number;
}

const LIMIT = 256 * 1024 * 1024;
/** Results of the first batch, whose size is not known yet, and of any other. */
const FIRST = 20;
const MOST = 1000;
/** Characters of a batch, about. */
const BATCH = 32 * 1024 * 1024;
/** Characters that a section and an extracted file take beside the body, about. */
const ENTRY = 500;

/**
 * Loads results in batches that fit into memory, up to a limit for all of them.
 * One submission may have thousands of large results; those beyond the limit count as missing.
 */
export async function loadResults(
  collection: Pick<Collection<Result>, 'getMany'>,
  keys: readonly string[],
  { access, limit = LIMIT }: LoadOptions,
): Promise<LoadedResults> {
  const results = new Map<string, Result>();
  const missing: string[] = [];
  let size = 0;
  for (let at = 0, count = FIRST; at < keys.length; ) {
    const batch = keys.slice(at, at + count);
    at += batch.length;
    if (size >= limit) {
      missing.push(...batch);
      continue;
    }
    const found = await collection.getMany(batch, access);
    const before = size;
    for (const [index, key] of batch.entries()) {
      const result = found[index];
      if (result === undefined || size >= limit) missing.push(key);
      else {
        results.set(key, result);
        size += sizeOf(result);
      }
    }
    const average = Math.max(1, (size - before) / batch.length);
    count = Math.min(MOST, Math.max(1, Math.floor(BATCH / average)));
  }
  return { results, missing };
}

function sizeOf({ result, response }: Result): number {
  const entries = response.extracted.length + response.supplementary.length;
  return result.sections.reduce((sum, { body }) => sum + ENTRY + (body?.length ?? 0), entries * ENTRY);
}
