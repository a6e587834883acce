import { LRUCache } from 'lru-cache';
import type { Collection, Versioned } from './collection.ts';
import type { ReadAccess } from './read-access.ts';
import type { Version } from './versions.ts';

export interface RecentDocumentsDependencies<T> {
  readonly collection: Collection<T>;
  readonly access: ReadAccess;
  /** Milliseconds; for tests. */
  readonly now?: (() => number) | undefined;
}

interface Recent<T> {
  readonly document: T;
  readonly version: Version;
  checkedAt: number;
}

/** A change by another process is seen after this time; one of this process at once. */
const LIFETIME = 1000;
const MAX_RECENT = 10_000;

/** Documents at most a second old; concurrent reads share a load. Own writes go through `writing`. */
export class RecentDocuments<T> {
  readonly #dependencies: RecentDocumentsDependencies<T>;
  readonly #now: () => number;
  /** Missing documents too: most users have no picture. */
  readonly #recent = new LRUCache<string, Recent<T | undefined>>({ max: MAX_RECENT });
  readonly #loading = new Map<string, { readonly begunAt: number; readonly document: Promise<T | undefined> }>();
  /** Changes with every write, so that a read that was under way before it is not remembered. */
  #writes = 0;

  constructor(dependencies: RecentDocumentsDependencies<T>) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns the same object until the document changes; it is shared and must not be modified. */
  async get(id: string): Promise<Readonly<T> | undefined> {
    const known = this.#recent.get(id);
    if (known && this.#now() - known.checkedAt < LIFETIME) return known.document;
    const loading = this.#loading.get(id);
    // One that takes longer, as with a slow engine, may have seen a state that is older than promised.
    if (loading && this.#now() - loading.begunAt < LIFETIME) return loading.document;
    const load = {
      begunAt: this.#now(),
      document: this.#load(id).finally(() => {
        if (this.#loading.get(id) === load) this.#loading.delete(id);
      }),
    };
    this.#loading.set(id, load);
    return load.document;
  }

  /** Forgets the document before and after the write: a read in between may have seen either state. */
  async writing<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    this.#forget(id);
    try {
      return await write();
    } finally {
      this.#forget(id);
    }
  }

  async #load(id: string): Promise<T | undefined> {
    const writes = this.#writes;
    const checkedAt = this.#now();
    const { collection, access } = this.#dependencies;
    const found: Versioned<T | undefined> = (await collection.getVersioned(id, access)) ?? NOTHING;
    if (writes !== this.#writes) return found.document;
    const known = this.#recent.get(id);
    // A later read was faster.
    if (known && known.checkedAt > checkedAt) return found.document;
    if (known?.version === found.version) {
      known.checkedAt = checkedAt;
      return known.document;
    }
    this.#recent.set(id, { ...found, checkedAt });
    return found.document;
  }

  #forget(id: string): void {
    this.#writes += 1;
    this.#recent.delete(id);
    this.#loading.delete(id);
  }
}

const NOTHING: Versioned<undefined> = { document: undefined, version: 'create' };
