import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { BrokenAdapter } from '../../../testing/run-broken-adapter.ts';
import { withMethods } from '../../../testing/with-methods.ts';
import type { Collection } from '../../port/collection.ts';
import type { Datastore } from '../../port/datastore.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import type { DatastoreArea } from '../index.ts';
import { EVERYTHING } from '../things.ts';

export interface BrokenDatastore extends BrokenAdapter {
  readonly area: DatastoreArea;
  readonly collection?: (sound: Collection<StoredDocument>) => Partial<Collection<StoredDocument>>;
  readonly admin?: (sound: IndexAdmin) => Partial<IndexAdmin>;
}

/**
 * Adapters with one fault each, made from a sound one.
 * The suite is worth something as long as it fails on every one.
 */
export const BROKEN_DATASTORES: Readonly<Record<string, BrokenDatastore>> = {
  'loses-updates': {
    fault: 'update reads, changes and saves in three steps, so that concurrent updates are lost',
    area: 'concurrency',
    noticedBy: 'adds up increments that run at once',
    collection: (sound) => ({
      update: async (id, operations, options) => {
        const document = await sound.get(id, EVERYTHING);
        if (document === undefined) return sound.update(id, operations, options);
        const port = Number(document.port ?? 0) + operations.filter(({ op }) => op === 'increment').length;
        const version = await sound.save(id, { ...document, port }, options);
        return { document: { ...document, port }, version };
      },
    }),
  },
  'ignores-version': {
    fault: 'save ignores ifVersion',
    area: 'versions',
    noticedBy: 'refuses a write on an earlier version and changes nothing',
    collection: (sound) => ({
      save: (id, document, options) => sound.save(id, document, { visible: options?.visible ?? 'soon' }),
    }),
  },
  'rounds-integers': {
    fault:
      'update parses the document with JSON.parse, so that integers beyond 2^53 that it does not change are rounded',
    area: 'integers',
    noticedBy: 'changes integers exactly and leaves the others alone',
    collection: (sound) => ({
      update: async (id, operations, options) => {
        const document = await sound.get(id, EVERYTHING);
        if (document !== undefined) await sound.save(id, JSON.parse(JSON.stringify(document)), options);
        return sound.update(id, operations, options);
      },
    }),
  },
  'filters-score': {
    fault: 'filters of a search by relevance score',
    area: 'relevance',
    noticedBy: 'takes no score from filters and access',
    collection: (sound) => ({
      search: (request, access) => {
        const { query, filters = [], ...rest } = request;
        const must = [query, ...filters];
        return sound.search({ ...rest, query: { kind: 'boolean', must, should: [], mustNot: [] } }, access);
      },
    }),
  },
  'facet-ignores-access': {
    fault: 'facet ignores what the caller may see',
    area: 'access',
    noticedBy: 'does not count it in a facet, list its values, or hint at them',
    collection: (sound) => ({ facet: (request) => sound.facet(request, EVERYTHING) }),
  },
  'gives-live-object': {
    fault: 'get gives the same object to every reader',
    area: 'isolation',
    noticedBy: 'gives copies: what the caller does with them stays with the caller',
    collection: (sound) => {
      const live = new Map<string, { version: string; document: StoredDocument }>();
      return {
        get: async (id, access) => {
          const present = await sound.getVersioned(id, access);
          if (present === undefined) return undefined;
          const known = live.get(id);
          if (known?.version === present.version) return known.document;
          live.set(id, present);
          return present.document;
        },
      };
    },
  },
  'facet-counts-values': {
    fault: 'facet counts the values of a list, not the documents',
    area: 'facets',
    noticedBy: 'counts documents, not values',
    collection: (sound) => ({
      facet: async (request, access) => {
        const { buckets, other } = await sound.facet(request, access);
        const repeated = new Map<unknown, number>();
        for await (const { document } of sound.stream(request, access)) {
          const values = document[request.field];
          if (!Array.isArray(values)) continue;
          for (const value of values) repeated.set(value, (repeated.get(value) ?? 0) + 1);
        }
        return {
          buckets: buckets.map((bucket) => ({ ...bucket, count: repeated.get(bucket.key) ?? bucket.count })),
          other,
        };
      },
    }),
  },
  'sorts-missing-first': {
    fault: 'a search puts documents without the sort field first in ascending order',
    area: 'sorting',
    noticedBy: 'orders values of every kind, missing ones last in both directions',
    collection: (sound) => ({
      search: (request, access) => {
        if (request.sort === undefined) return sound.search(request, access);
        const sort = request.sort.map((clause) =>
          clause.order === 'asc' ? ({ missing: 'first', ...clause } as const) : clause,
        );
        return sound.search({ ...request, sort }, access);
      },
    }),
  },
  'stream-repeats': {
    fault: 'stream continues by position instead of by identifier, so that writes make it repeat documents',
    area: 'stream',
    noticedBy: 'repeats and leaves out nothing while others write',
    collection: (sound) => ({
      stream: async function* (selection, access) {
        const sort = [{ field: 'id', order: 'asc' }] as const;
        for (let offset = 0; ; offset += 250) {
          const { items } = await sound.search({ ...selection, sort, offset, rows: 250 }, access);
          yield* items;
          if (items.length < 250) return;
        }
      },
    }),
  },
  'switches-one-by-one': {
    fault: 'aliases are switched one after the other, and those before a failure stay switched',
    area: 'administration',
    noticedBy: 'switches nothing when one alias is not where it must be',
    admin: (sound) => ({
      switchAliases: async (actions) => {
        for (const action of actions) await sound.switchAliases([action]);
      },
    }),
  },
};

/** A store whose collections and administration are the sound ones with some methods replaced. */
export function breakDatastore(sound: Datastore, broken: Pick<BrokenDatastore, 'collection' | 'admin'>): Datastore {
  return withMethods(sound, {
    ...(broken.admin === undefined ? {} : { admin: withMethods(sound.admin, broken.admin(sound.admin)) }),
    collection: (definition) => {
      const collection = sound.collection(definition);
      const replaced = broken.collection?.(collection as Collection<unknown> as Collection<StoredDocument>) ?? {};
      return withMethods(collection, replaced as Partial<typeof collection>);
    },
  });
}
