import { Conflict, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { IndexAdmin, IndexInfo } from '../port/index-admin.ts';
import { type CollectionIndices, carries, groupIndices, readCollectionIndices } from './collection-indices.ts';
import { lifecycleNames } from './lifecycle-settings.ts';

/** `legacy`: unused, from before the lifecycle. `no alias`: may hold the only documents. */
export type IndexState = 'writes' | 'older' | 'warm' | 'cold' | 'legacy' | 'no alias';

/** An index of a collection, for operators. */
export interface ListedIndex extends IndexInfo {
  readonly collection: string;
  readonly state: IndexState;
}

/** Manual operations on the generations of collections. */
export class CollectionLifecycle {
  readonly #admin: IndexAdmin;
  readonly #collections: readonly string[];

  /** @param collections names of all collections */
  constructor(admin: IndexAdmin, collections: readonly string[]) {
    this.#admin = admin;
    this.#collections = collections;
  }

  /** Returns the indices of all collections. */
  async list(): Promise<readonly ListedIndex[]> {
    const [all, phases] = await Promise.all([this.#admin.list(`${this.#admin.prefix}-*`), this.#admin.phases()]);
    return this.#collections.flatMap((collection) => {
      const found = groupIndices(all, this.#aliasOf(collection));
      const { alias, behindAlias, hot } = found;
      const unused = hot !== undefined && !carries(hot, alias) ? [hot] : [];
      return [...behindAlias, ...unused].map((index) => ({
        ...index,
        collection,
        state: stateOf(found, index, phases),
      }));
    });
  }

  /**
   * Begins a new generation now, and returns its index.
   * @throws Conflict `lifecycle_missing`; InvalidInput `unknown_collection`
   */
  async rollOver(collection: string): Promise<string> {
    const found = await this.#indicesOf(collection);
    const { alias } = found;
    const next = isUnderLifecycle(found) ? await this.#admin.rollover(alias, { force: true }) : undefined;
    if (next !== undefined) return next;
    const message = `${alias} is under no lifecycle, so it has no generations. Switch datastore.ilm.enabled on and start the program once.`;
    throw new Conflict('lifecycle_missing', message, { at: collection });
  }

  /** Deletes the index from before the lifecycle; throws `index_missing`, `index_in_use`. */
  async deleteLegacy(collection: string): Promise<string> {
    const found = await this.#indicesOf(collection);
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
    await this.#admin.delete(name);
    return name;
  }

  async #indicesOf(collection: string): Promise<CollectionIndices> {
    if (this.#collections.includes(collection)) return readCollectionIndices(this.#admin, this.#aliasOf(collection));
    const names = this.#collections.toSorted().join(', ');
    throw new InvalidInput('unknown_collection', `There is no collection "${collection}". There are ${names}.`);
  }

  #aliasOf(collection: string): string {
    return `${this.#admin.prefix}-${collection}`;
  }
}

/** Returns true when the documents are in generations, so that the legacy index is superfluous. */
function isUnderLifecycle({ alias, generations }: CollectionIndices): boolean {
  return generations.some((index) => carries(index, alias));
}

/** @param phases by index, where the server moves indices through them */
function stateOf(found: CollectionIndices, index: IndexInfo, phases: ReadonlyMap<string, string>): IndexState {
  const { alias, behindAlias } = found;
  const names = lifecycleNames(alias);
  const own = index.aliases.find(({ name }) => name === alias);
  if (own === undefined) return isUnderLifecycle(found) ? 'legacy' : 'no alias';
  if (own.writeIndex || behindAlias.length === 1) return 'writes';
  const phase = phases.get(index.name);
  if (phase === 'cold' || carries(index, names.cold)) return 'cold';
  return phase === 'warm' || carries(index, names.warm) ? 'warm' : 'older';
}
