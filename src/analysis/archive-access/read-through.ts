import type { Collection } from '../../datastore/port/collection.ts';
import { isTriadError } from '../../errors/errors.ts';

/** Returns a collection that reads documents by their identifier from the archive where it has none. */
export function withArchive<T extends object>(hot: Collection<T>, archive: Collection<T> | undefined): Collection<T> {
  if (archive === undefined) return hot;
  return {
    definition: hot.definition,
    get: async (id, access) => (await hot.get(id, access)) ?? fromArchive(await archive.get(id, access)),
    async getMany(ids, access) {
      const found = await hot.getMany(ids, access);
      const missing = ids.filter((_, index) => found[index] === undefined);
      if (missing.length === 0) return found;
      const archived = await archive.getMany(missing, access);
      const byId = new Map(missing.map((id, index) => [id, archived[index]]));
      return ids.map((id, index) => found[index] ?? fromArchive(byId.get(id)));
    },
    getVersioned: (id, access) => hot.getVersioned(id, access),
    save: (id, document, options) => hot.save(id, document, options),
    async update(id, operations, options) {
      try {
        return await hot.update(id, operations, options);
      } catch (error) {
        if (!isTriadError(error) || error.code !== 'document_missing') throw error;
        return await archive.update(id, operations, options);
      }
    },
    delete: (id, options) => hot.delete(id, options),
    bulk: (items, options) => hot.bulk(items, options),
    createAll: (documents, visible) => hot.createAll(documents, visible),
    updateWhere: (selection, operations, options) => hot.updateWhere(selection, operations, options),
    deleteWhere: (selection, options) => hot.deleteWhere(selection, options),
    search: (request, access) => hot.search(request, access),
    count: (selection, access) => hot.count(selection, access),
    facet: (request, access) => hot.facet(request, access),
    histogram: (request, access) => hot.histogram(request, access),
    stats: (request, access) => hot.stats(request, access),
    group: (request, access) => hot.group(request, access),
    stream: (selection, access) => hot.stream(selection, access),
  };
}

/** Marks a document of the archive, where its kind can be marked. */
export function fromArchive<T extends object | undefined>(document: T): T {
  return document !== undefined && 'from_archive' in document ? { ...document, from_archive: true } : document;
}
