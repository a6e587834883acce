import type { Tokens } from '../../coordination/coordination.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Job, JobRun, JobStep } from '../../jobs/job.ts';
import type { ContentRemoval } from './content-removal.ts';

export interface FileCleanupDependencies {
  readonly storage: Pick<FileStorage, 'list'>;
  readonly content: Pick<ContentRemoval, 'neededOf' | 'remove'>;
  readonly tokens: Pick<Tokens, 'get' | 'put' | 'remove'>;
  readonly now?: () => number;
}

/** Name of the token that says how far an interrupted run came. */
const POSITION = 'file-cleanup:position';
const DAY = 24 * 3_600_000;

/**
 * Deletes content without a document.
 * A process was killed between two writes, or a deletion found the content in use.
 * Content of the last day is left alone. An interrupted run is continued where it was.
 */
export class FileCleanup implements Job {
  readonly name = 'file_cleanup';
  readonly #dependencies: FileCleanupDependencies;

  constructor(dependencies: FileCleanupDependencies) {
    this.#dependencies = dependencies;
  }

  async run({ dryRun, signal, progress }: JobRun): Promise<readonly JobStep[]> {
    const { storage, content, tokens, now = Date.now } = this.#dependencies;
    const before = now() - DAY;
    const after = dryRun ? undefined : await tokens.get(POSITION);
    let changed = 0;
    let seen = 0;
    for await (const batch of storage.list(typeof after === 'string' ? { after } : {})) {
      signal.throwIfAborted();
      const old = batch.filter(({ storedAt }) => storedAt.getTime() < before).map(({ sha256 }) => sha256);
      const needed = old.length === 0 ? new Set() : await content.neededOf(old);
      for (const sha256 of old.filter((one) => !needed.has(one))) {
        if (dryRun || (await content.remove(sha256))) changed += 1;
      }
      seen += batch.length;
      progress(seen, seen);
      const last = batch.at(-1);
      if (!dryRun && last !== undefined) await tokens.put(POSITION, last.sha256, DAY);
    }
    if (!dryRun) await tokens.remove(POSITION);
    return [{ name: 'content without a document', outcome: 'done', changed, detail: `${seen} files looked at` }];
  }
}
