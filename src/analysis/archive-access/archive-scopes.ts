import { randomUUID } from 'node:crypto';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import type { ReadAccess } from '../../datastore/port/read-access.ts';
import {
  type FacetRequest,
  type FacetResult,
  type GroupRequest,
  type GroupResult,
  type HistogramBucket,
  type HistogramRequest,
  MAX_RESULT_WINDOW,
  type SearchItem,
  type SearchRequest,
  type SearchResult,
  type StatsRequest,
  type StatsResult,
} from '../../datastore/port/search.ts';
import { archivedKind } from '../../documents/kinds/analysis/archived.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { fromArchive } from './read-through.ts';

/** The documents that a search looks in: those outside of the archive, those in it, or both. */
export type SearchScope = 'hot' | 'archive' | 'both';

/** The searches of a collection. */
export type Searched<T> = Pick<Collection<T>, 'search' | 'facet' | 'histogram' | 'stats' | 'group'>;

export interface ArchiveScopesDependencies {
  readonly datastore: Pick<Datastore, 'collection' | 'searchAcross'>;
  readonly hasArchive: boolean;
}

/** Opens what a search looks in. */
export class ArchiveScopes {
  readonly #dependencies: ArchiveScopesDependencies;

  constructor(dependencies: ArchiveScopesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens the searches of a kind. @throws InvalidInput `archive_missing` for one that is not archived */
  searched<T>(definition: DocumentDefinition<T>, scope: SearchScope): Searched<T> {
    const { datastore, hasArchive } = this.#dependencies;
    const archived = hasArchive ? archivedKind(definition) : undefined;
    if (scope === 'archive') {
      if (archived !== undefined) return marked(datastore.collection(archived));
      const message = 'There is no archive to search: leave archive_only out.';
      throw new InvalidInput('archive_missing', message, { at: 'archive_only' });
    }
    if (scope === 'hot' || archived === undefined) return datastore.collection(definition);
    return new BothCollections(datastore, definition, archived);
  }
}

/** Marks the documents of the archive. */
function marked<T>(archive: Collection<T>): Searched<T> {
  const markedItem = (item: SearchItem<T>) => ({ ...item, document: fromArchive(item.document as object) as T });
  return {
    async search(request, access) {
      const found = await archive.search(request, access);
      return { ...found, items: found.items.map(markedItem) };
    },
    facet: (request, access) => archive.facet(request, access),
    histogram: (request, access) => archive.histogram(request, access),
    stats: (request, access) => archive.stats(request, access),
    async group(request, access) {
      const found = await archive.group(request, access);
      return { ...found, groups: found.groups.map((one) => ({ ...one, items: one.items.map(markedItem) })) };
    },
  };
}

/** Begins the cursors of the archive, which come when the others have ended. */
const ARCHIVE_CURSOR = 'archive,';

/** Documents and their copies in the archive, each of which counts, as in the public system. */
class BothCollections<T> implements Searched<T> {
  readonly #datastore: Pick<Datastore, 'searchAcross'>;
  readonly #kinds: readonly [DocumentDefinition<T>, DocumentDefinition<T>];
  readonly #hot: Searched<T>;
  readonly #archive: Searched<T>;

  constructor(
    datastore: ArchiveScopesDependencies['datastore'],
    hot: DocumentDefinition<T>,
    archive: DocumentDefinition<T>,
  ) {
    this.#datastore = datastore;
    this.#kinds = [hot, archive];
    this.#hot = datastore.collection(hot);
    this.#archive = marked(datastore.collection(archive));
  }

  async search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>> {
    const { cursor, ...page } = request;
    if (cursor !== undefined) return this.#continue({ ...page, cursor }, access);
    const [{ name, defaultSort }] = this.#kinds;
    const sorted = { ...page, sort: page.sort ?? defaultSort };
    const found = await this.#datastore.searchAcross(this.#kinds, () => sorted, access);
    const items = (found.items as readonly SearchItem<T>[]).map((item) =>
      item.collection === name ? item : { ...item, document: fromArchive(item.document as object) as T },
    );
    return { ...found, items };
  }

  async facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult> {
    const wanted = request.rows ?? 10;
    // The most frequent of both may be further down in each.
    const wider = { ...request, rows: Math.min(10 * wanted + 100, 1000), minCount: 1 };
    const [hot, archive] = await Promise.all([this.#hot.facet(wider, access), this.#archive.facet(wider, access)]);
    const counts = new Map(hot.buckets.map((bucket) => [bucket.key, bucket]));
    for (const bucket of archive.buckets) {
      const count = bucket.count + (counts.get(bucket.key)?.count ?? 0);
      counts.set(bucket.key, { ...bucket, count });
    }
    const least = request.minCount ?? 1;
    const buckets = [...counts.values()]
      .filter(({ count }) => count >= least)
      .sort((left, right) => right.count - left.count || (left.label < right.label ? -1 : 1));
    const others = buckets.slice(wanted).reduce((sum, { count }) => sum + count, 0);
    return { buckets: buckets.slice(0, wanted), other: hot.other + archive.other + others };
  }

  async histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]> {
    const all = { ...request, minCount: 0 };
    const found = await Promise.all([this.#hot.histogram(all, access), this.#archive.histogram(all, access)]);
    const steps = new Map<number, HistogramBucket>();
    for (const bucket of found.flat()) {
      const count = bucket.count + (steps.get(bucket.key)?.count ?? 0);
      steps.set(bucket.key, { ...bucket, count });
    }
    const least = request.minCount ?? 0;
    return [...steps.values()].filter(({ count }) => count >= least).sort((left, right) => left.key - right.key);
  }

  async stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult> {
    const [hot, archive] = await Promise.all([this.#hot.stats(request, access), this.#archive.stats(request, access)]);
    if (hot.count === 0 || archive.count === 0) return hot.count === 0 ? archive : hot;
    const count = hot.count + archive.count;
    const sum = Number(hot.sum) + Number(archive.sum);
    const min = lower(hot.min, archive.min);
    const max = lower(hot.max, archive.max) === hot.max ? archive.max : hot.max;
    return { count, sum, min, max, avg: sum / count };
  }

  async group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>> {
    const { offset = 0, rows = 25, limit = 1 } = request;
    const window = { ...request, offset: 0, rows: Math.min(offset + rows, MAX_RESULT_WINDOW) };
    const [hot, archive] = await Promise.all([this.#hot.group(window, access), this.#archive.group(window, access)]);
    type Group = GroupResult<T>['groups'][number];
    const groups = new Map<Group['value'], Group>(hot.groups.map((one) => [one.value, one]));
    for (const one of archive.groups) {
      const present = groups.get(one.value);
      const items = [...(present?.items ?? []), ...one.items].slice(0, limit);
      groups.set(one.value, { value: one.value, total: one.total + (present?.total ?? 0), items });
    }
    return { groups: [...groups.values()].slice(offset, offset + rows), total: hot.total + archive.total, offset };
  }

  /** Pages through the documents, and through the archive after them. */
  async #continue(request: SearchRequest & { readonly cursor: string }, access: ReadAccess): Promise<SearchResult<T>> {
    const { cursor } = request;
    if (!cursor.startsWith(ARCHIVE_CURSOR)) {
      const found = await this.#hot.search(request, access);
      return found.nextCursor === undefined ? { ...found, nextCursor: `${ARCHIVE_CURSOR}*,${randomUUID()}` } : found;
    }
    const inner = cursor.slice(ARCHIVE_CURSOR.length);
    const found = await this.#archive.search({ ...request, cursor: inner.startsWith('*,') ? '*' : inner }, access);
    return found.nextCursor === undefined ? found : { ...found, nextCursor: ARCHIVE_CURSOR + found.nextCursor };
  }
}

function lower<N extends number | bigint | null>(left: N, right: N): N {
  if (left === null || right === null) return left === null ? right : left;
  return left <= right ? left : right;
}
