import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { isVersionConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { FileUse } from '../files/file-use.ts';

export interface FileRemovalDependencies {
  readonly files: Collection<FileRecord>;
  readonly fileUse: Pick<FileUse, 'delete'>;
  readonly now?: () => Date;
}

const EVERY_FILE = unrestricted('a file is removed regardless of its classification');

/** Removes files that nothing refers to any more: documents and bytes. */
export class FileRemoval {
  readonly #dependencies: FileRemovalDependencies;

  constructor(dependencies: FileRemovalDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Removes a file unless it is referred to, or was changed meanwhile.
   * A file that a caller holds expires at once instead: expiry removes it when the hold is over.
   */
  async remove(sha256: string, isReferenced: () => Promise<boolean>): Promise<void> {
    const { files, fileUse, now = () => new Date() } = this.#dependencies;
    const file = await files.getVersioned(sha256, EVERY_FILE);
    let isKept = false;
    const isDeleted = await fileUse.delete(sha256, async () => {
      isKept = (await isReferenced()) || !(await unlessChanged(files.delete(sha256, { ifVersion: file?.version })));
      return isKept;
    });
    if (isDeleted || isKept || file === undefined || (await isReferenced())) return;
    const expired = { op: 'set', path: 'expiry_ts', value: formatDate(now()) } as const;
    await unlessChanged(files.update(sha256, [expired], { ifVersion: file.version }));
  }
}

/** Returns false when the document was changed meanwhile. */
async function unlessChanged(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isVersionConflict(error)) return false;
    throw error;
  }
}
