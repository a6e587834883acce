import { Conflict } from '../../errors/errors.ts';
import type { Collection, Versioned, Visible } from './collection.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { ReadAccess } from './read-access.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { Version } from './versions.ts';

/** Mutexes of each collection, by identifier: changes within one process do not conflict. */
const turns = new WeakMap<object, KeyedMutex>();

/**
 * Reads, changes and saves a document, and repeats that while others write in between.
 * `change` gets a copy of its own, may throw to refuse, and must not change the same document itself. Changes through the
 * same collection object take turns. Returns undefined for a missing document; throws Conflict `version_conflict`.
 * @param options `ifVersion`: changes that version alone, once. Default: the present one
 */
export function changeDocument<T>(
  collection: Collection<T>,
  id: string,
  change: (document: T) => T | Promise<T>,
  options: { readonly access: ReadAccess; readonly visible?: Visible; readonly ifVersion?: Version | undefined },
): Promise<Versioned<T> | undefined> {
  const { access, visible = 'soon', ifVersion } = options;
  const attempt = async () => {
    const stored = await collection.getVersioned(id, access);
    if (!stored) return undefined;
    if (ifVersion !== undefined && ifVersion !== stored.version) {
      throw new Conflict('version_conflict', `${id} was changed since the version in If-Match. Read it again.`);
    }
    const document = await change(stored.document);
    const version = await collection.save(id, document, { ifVersion: stored.version, visible });
    return { document, version };
  };
  return inTurn(collection, id, () => (ifVersion === undefined ? retryOnConflict(attempt) : attempt()));
}

/** Runs `task` after other changes of the document by this process; it must not wait for another. */
export function inTurn<T, Result>(collection: Collection<T>, id: string, task: () => Promise<Result>): Promise<Result> {
  const own = turns.get(collection) ?? new KeyedMutex();
  turns.set(collection, own);
  return own.take(id, task);
}
