import type { Collection, Versioned, Visible } from './collection.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { ReadAccess } from './read-access.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

export interface ChangeOptions {
  readonly access: ReadAccess;
  readonly visible?: Visible;
}

/** Mutexes of each collection, by identifier: changes within one process do not conflict. */
const turns = new WeakMap<object, KeyedMutex>();

/**
 * Reads a document, changes it and saves it, so that no change by others in between is lost: it is
 * read and changed again then. Changes of one document through the same collection object take turns. `change` gets a
 * copy of its own, may throw to refuse, and returns what to save. It must not change the same document itself.
 * @returns what was saved; undefined when the document is missing
 * @throws Conflict `version_conflict`, when others keep changing it
 */
export function changeDocument<T>(
  collection: Collection<T>,
  id: string,
  change: (document: T) => T | Promise<T>,
  options: ChangeOptions,
): Promise<Versioned<T> | undefined> {
  return inTurn(collection, id, () => changeNow(collection, id, change, options));
}

/**
 * Runs `task`, which changes one document, after the other changes of it through the same collection
 * object. It must not wait for another of them.
 */
export function inTurn<T, Result>(collection: Collection<T>, id: string, task: () => Promise<Result>): Promise<Result> {
  const own = turns.get(collection) ?? new KeyedMutex();
  turns.set(collection, own);
  return own.take(id, task);
}

async function changeNow<T>(
  collection: Collection<T>,
  id: string,
  change: (document: T) => T | Promise<T>,
  { access, visible = 'soon' }: ChangeOptions,
): Promise<Versioned<T> | undefined> {
  return retryOnConflict(async () => {
    const stored = await collection.getVersioned(id, access);
    if (!stored) return undefined;
    const document = await change(stored.document);
    const version = await collection.save(id, document, { ifVersion: stored.version, visible });
    return { document, version };
  });
}
