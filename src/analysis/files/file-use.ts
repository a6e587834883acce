import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tokens } from '../../coordination/coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';

export interface FileUseDependencies {
  readonly tokens: Tokens;
  readonly storage: Pick<FileStorage, 'stat' | 'delete'>;
  /** Returns whether a document of any collection needs the content. Default: `isReferenced` alone. */
  readonly isNeeded?: ((sha256: string) => Promise<boolean>) | undefined;
}

/** An announcement that content is about to be referred to. */
export interface FileHold {
  readonly sha256: string;
  readonly id: string;
}

/** Milliseconds in which a document has to refer to the content. */
const HOLD_LIFETIME = 15 * 60_000;
/** Milliseconds after which a deletion counts as interrupted: its process was killed. */
const DELETION_LIFETIME = 30_000;
const POLL = 20;

/**
 * Keeps content from being deleted while a caller is about to refer to it.
 * A caller holds the content once it is stored, and then writes its document. A deletion announces itself first, then
 * looks for holds and documents: of the two, the later one sees the earlier one.
 */
export class FileUse {
  readonly #tokens: Tokens;
  readonly #storage: FileUseDependencies['storage'];
  readonly #isNeeded: FileUseDependencies['isNeeded'];

  constructor({ tokens, storage, isNeeded }: FileUseDependencies) {
    this.#tokens = tokens;
    this.#storage = storage;
    this.#isNeeded = isNeeded;
  }

  /**
   * Holds stored content for 15 minutes, before a document refers to it.
   * @throws Unavailable `file_deleted_meanwhile` when a deletion was faster; the content has to be stored again
   */
  async hold(sha256: string): Promise<FileHold> {
    const hold = { sha256, id: randomUUID() };
    await this.#tokens.put(holdKey(sha256), hold.id, HOLD_LIFETIME);
    let isDeleting = false;
    while ((await this.#tokens.get(deletionKey(sha256))) !== undefined) {
      isDeleting = true;
      await sleep(POLL);
    }
    if (isDeleting && (await this.#storage.stat(sha256)) === undefined) {
      const message = `The content ${sha256} expired while it was stored again. Send it once more.`;
      throw new Unavailable('file_deleted_meanwhile', message, { retryAfter: 1 });
    }
    return hold;
  }

  /** Ends a hold before its time, once a document refers to the content; that of a later caller stays. */
  async release({ sha256, id }: FileHold): Promise<void> {
    if ((await this.#tokens.get(holdKey(sha256))) === id) await this.#tokens.remove(holdKey(sha256));
  }

  /**
   * Deletes content unless a caller holds it or `isReferenced`.
   * Returns true when it was deleted, or stays for a document of another collection.
   * @param own holds of the caller, which do not count
   */
  async delete(sha256: string, isReferenced: () => Promise<boolean>, own: readonly FileHold[] = []): Promise<boolean> {
    const key = deletionKey(sha256);
    const mark = randomUUID();
    if ((await this.#tokens.get(key)) !== undefined) return false;
    await this.#tokens.put(key, mark, DELETION_LIFETIME);
    try {
      const holder = await this.#tokens.get(holdKey(sha256));
      if (holder !== undefined && !own.some(({ id }) => id === holder)) return false;
      if (await isReferenced()) return false;
      if (await this.#isNeeded?.(sha256)) return true;
      // A deletion that took too long could be overtaken.
      if ((await this.#tokens.get(key)) !== mark) return false;
      await this.#storage.delete(sha256);
      return true;
    } finally {
      await this.#tokens.remove(key);
    }
  }
}

function holdKey(sha256: string): string {
  return `file-hold:${sha256}`;
}

function deletionKey(sha256: string): string {
  return `file-deletion:${sha256}`;
}
