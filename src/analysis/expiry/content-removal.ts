import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileUse } from '../files/file-use.ts';

export interface ContentRemovalDependencies {
  readonly use: Pick<FileUse, 'delete'>;
  /** Collections whose identifiers are the SHA-256 of content that they need. */
  readonly owners: readonly Collection<unknown>[];
}

const EVERYTHING = unrestricted('content is kept for documents that any user may see');

/** Removes content that no document needs and no caller is about to refer to. */
export class ContentRemoval {
  readonly #dependencies: ContentRemovalDependencies;

  constructor(dependencies: ContentRemovalDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns true when the content was removed.
   * @param deleteDocument deletes its document first, unless a caller holds the content; false: it must stay
   */
  async remove(sha256: string, deleteDocument?: () => Promise<boolean>): Promise<boolean> {
    return this.#dependencies.use.delete(sha256, async () => {
      if (deleteDocument !== undefined && !(await deleteDocument())) return true;
      return (await this.#needed([sha256])).size > 0;
    });
  }

  /** Returns those that documents need. It may be a second old; `remove` looks again. */
  async neededOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const needed = new Set<string>();
    for (const owner of this.#dependencies.owners) {
      const request = { query: { kind: 'ids', ids }, rows: ids.length, fields: [] } as const;
      const { items } = await owner.search(request, EVERYTHING);
      for (const { id } of items) needed.add(id);
    }
    return needed;
  }

  async #needed(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const needed = new Set<string>();
    for (const owner of this.#dependencies.owners) {
      const found = await owner.getMany(ids, EVERYTHING);
      ids.forEach((id, index) => {
        if (found[index] !== undefined) needed.add(id);
      });
    }
    return needed;
  }
}
