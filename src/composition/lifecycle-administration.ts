import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type CollectionIndices, carries, readCollectionIndices } from '../datastore/bootstrap/collection-indices.ts';
import { lifecycleNames } from '../datastore/bootstrap/lifecycle-settings.ts';
import type { IndexInfo } from '../datastore/port/index-admin.ts';
import { ALL_DOCUMENTS } from '../documents/all-documents.ts';
import { Conflict, InvalidInput, NotFound } from '../errors/errors.ts';
import { openDatastore } from './open-adapters.ts';

/** `legacy`: unused, from before the lifecycle. `no alias`: may hold the only documents. */
export type IndexState = 'writes' | 'older' | 'warm' | 'cold' | 'legacy' | 'no alias';

/** Manual operations on the generations of a collection. */
export type LifecycleAdministration = Awaited<ReturnType<typeof openLifecycleAdministration>>;

/** @throws as `openDatastore` */
export async function openLifecycleAdministration(config: Config, options: { readonly logger: Logger }) {
  const datastore = await openDatastore(config, options);
  const { admin } = datastore;
  const indicesOf = (collection: string) => readCollectionIndices(admin, `${admin.prefix}-${known(collection)}`);

  return {
    async list() {
      const listed: (IndexInfo & { readonly collection: string; readonly state: IndexState })[] = [];
      for (const { name } of ALL_DOCUMENTS) {
        const found = await indicesOf(name);
        const { alias, behindAlias, hot } = found;
        const unused = hot !== undefined && !carries(hot, alias) ? [hot] : [];
        for (const index of [...behindAlias, ...unused]) {
          listed.push({ ...index, collection: name, state: stateOf(found, index) });
        }
      }
      return listed;
    },
    /** Begins a new generation now. @throws Conflict `lifecycle_missing`; InvalidInput `unknown_collection` */
    async rollOver(collection: string): Promise<string> {
      const found = await indicesOf(collection);
      const { alias } = found;
      const next = isUnderLifecycle(found) ? await admin.rollover(alias, { force: true }) : undefined;
      if (next !== undefined) return next;
      const message = `${alias} is under no lifecycle, so it has no generations. Switch datastore.ilm.enabled on and start the program once.`;
      throw new Conflict('lifecycle_missing', message, { at: collection });
    },
    /** Deletes the index from before the lifecycle; throws `index_missing`, `index_in_use`. */
    async deleteLegacy(collection: string): Promise<string> {
      const found = await indicesOf(collection);
      const { alias, hot, isLocked } = found;
      const name = hot?.name ?? lifecycleNames(alias).legacy;
      if (hot === undefined) throw new NotFound('index_missing', `There is no index ${name}.`, { at: name });
      if (carries(hot, alias) || isLocked) {
        const message = `The documents of ${alias} are in ${name}. It was not deleted.`;
        throw new Conflict('index_in_use', message, { at: name });
      }
      if (!isUnderLifecycle(found)) {
        const message = `The alias ${alias} is on no generation, so the documents may be in ${name} alone. It was not deleted. Finish a reindex that was interrupted, or start the program once, so that the alias is repaired.`;
        throw new Conflict('index_in_use', message, { at: name });
      }
      await admin.delete(name);
      return name;
    },
    close: () => datastore.close(),
  };
}

/** Returns true when the documents are in generations, so that the legacy index is superfluous. */
function isUnderLifecycle({ alias, generations }: CollectionIndices): boolean {
  return generations.some((index) => carries(index, alias));
}

function stateOf(found: CollectionIndices, index: IndexInfo): IndexState {
  const { alias, behindAlias } = found;
  const names = lifecycleNames(alias);
  const own = index.aliases.find(({ name }) => name === alias);
  if (own === undefined) return isUnderLifecycle(found) ? 'legacy' : 'no alias';
  if (own.writeIndex || behindAlias.length === 1) return 'writes';
  if (carries(index, names.cold)) return 'cold';
  return carries(index, names.warm) ? 'warm' : 'older';
}

function known(collection: string): string {
  if (ALL_DOCUMENTS.some(({ name }) => name === collection)) return collection;
  const names = ALL_DOCUMENTS.map(({ name }) => name).toSorted();
  throw new InvalidInput('unknown_collection', `There is no collection ${collection}. There are ${names.join(', ')}.`);
}
