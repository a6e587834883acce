import { isTriadError } from '../errors/errors.ts';
import type { Collection, Versioned } from './collection.ts';
import type { ReadAccess } from './read-access.ts';

export interface ChangeOptions {
  readonly access: ReadAccess;
  readonly visible?: 'now' | 'soon';
}

/** How often a change is tried when others change the document at the same time. */
const ATTEMPTS = 10;

/**
 * Reads a document, changes it and saves it, so that no change by others in between is lost: it is read and changed again then.
 * `change` gets a copy of its own, may throw to refuse, and returns what to save.
 * @returns what was saved; undefined when the document is missing
 * @throws Conflict `version_conflict`, when others keep changing it
 */
export async function changeDocument<T>(
  collection: Collection<T>,
  id: string,
  change: (document: T) => T | Promise<T>,
  { access, visible = 'soon' }: ChangeOptions,
): Promise<Versioned<T> | undefined> {
  for (let attempt = 1; ; attempt++) {
    const stored = await collection.getVersioned(id, access);
    if (!stored) return undefined;
    const document = await change(stored.document);
    try {
      const version = await collection.save(id, document, { ifVersion: stored.version, visible });
      return { document, version };
    } catch (error) {
      const conflict = isTriadError(error) && error.code === 'version_conflict';
      if (!conflict || attempt === ATTEMPTS) throw error;
    }
  }
}
