import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { allOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { isVersionConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import type { Version } from '../../datastore/port/versions.ts';
import { messageOf } from '../../errors/errors.ts';
import { failedStep, type Job, type JobRun, type JobStep } from '../../jobs/job.ts';
import type { ContentRemoval } from './content-removal.ts';

export interface ExpirySettings {
  /** Hours for which expired documents are kept. */
  readonly delay: number;
  /** Deletes whole days (UTC) alone. */
  readonly batch_delete: boolean;
  /** Deletes the content of files with their documents. */
  readonly delete_storage: boolean;
  /** Documents that are deleted in one transaction. */
  readonly delete_batch_size: number;
}

export interface ExpiryDependencies {
  /** Collections whose documents expire, in the order in which they are deleted. */
  readonly collections: readonly Collection<unknown>[];
  /** Collections whose identifiers are the SHA-256 of content. */
  readonly withContent: readonly Pick<Collection<unknown>, 'definition'>[];
  readonly content: Pick<ContentRemoval, 'remove'>;
  /** Submissions that users deleted. */
  readonly submissions: Pick<Collection<unknown>, 'count'>;
  /** Finishes interrupted deletions of submissions and returns their number. */
  readonly finishDeletions: () => Promise<number>;
  /** API keys, which belong to their users. */
  readonly apiKeys: {
    count(cutoff: number): Promise<number>;
    remove(cutoff: number, signal: AbortSignal): Promise<number>;
  };
  readonly settings: ExpirySettings;
  /** Default: the present time. */
  readonly now?: () => Date;
}

interface Expired {
  readonly collection: Collection<unknown>;
  readonly query: QueryNode;
  readonly total: number;
}

/** Field of every kind that expires. */
const FIELD = 'expiry_ts';
/** Name of API keys in steps and counts, as the public system has it. */
const KEYS = 'apikey';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Batches in a row of which others changed every document before it could be deleted. */
const MAX_STALLED = 5;
/** Files that are deleted at the same time. */
const PARALLEL = 8;
const EVERYTHING = unrestricted('expiry deletes documents regardless of who may see them');
const TO_BE_DELETED: QueryNode = { kind: 'term', field: 'to_be_deleted', value: true };

/**
 * Deletes documents whose time has come, the oldest first, and the content of files.
 * Source: contract/analysis.md section 10.2.
 * A document that others renew meanwhile stays. A run can be interrupted at any point: the next one finds the rest.
 */
export class Expiry implements Job {
  readonly name = 'expiry';
  /** Documents that this process deleted since its start, by kind. */
  readonly deleted = new Map<string, number>();
  readonly #dependencies: ExpiryDependencies;

  constructor(dependencies: ExpiryDependencies) {
    this.#dependencies = dependencies;
  }

  async run(run: JobRun): Promise<readonly JobStep[]> {
    const plan = await this.#plan(run);
    const all = plan.reduce((sum, one) => sum + ('query' in one ? one.total : 0), 0);
    const steps = [await this.#deletedSubmissions(run)];
    let done = 0;
    const report = (count: number) => {
      done += count;
      run.progress(done, all);
    };
    for (const one of plan) {
      if (!('query' in one)) steps.push(one);
      else if (run.dryRun || one.total === 0) steps.push({ ...this.#stepOf(one.collection), changed: one.total });
      else steps.push(await this.#delete(one, run, report));
    }
    return [...steps, await this.#expireKeys(run)];
  }

  /** Counts the documents of each kind whose time has come. */
  async pending(): Promise<ReadonlyMap<string, number>> {
    const pending = new Map<string, number>();
    for (const collection of this.#dependencies.collections) {
      pending.set(collection.definition.name, await collection.count({ query: this.#expired() }, EVERYTHING));
    }
    return pending.set(KEYS, await this.#dependencies.apiKeys.count(this.#cutoff()));
  }

  /** Counts what expired. A collection that cannot be searched is reported and skipped. */
  async #plan({ signal }: JobRun): Promise<readonly (Expired | JobStep)[]> {
    const plan: (Expired | JobStep)[] = [];
    for (const collection of this.#dependencies.collections) {
      const query = this.#expired();
      try {
        plan.push({ collection, query, total: await collection.count({ query, signal }, EVERYTHING) });
      } catch (error) {
        signal.throwIfAborted();
        plan.push(failedStep(collection.definition.name, messageOf(error)));
      }
    }
    return plan;
  }

  async #deletedSubmissions({ dryRun, signal }: JobRun): Promise<JobStep> {
    const name = 'deleted submissions';
    const { submissions, finishDeletions } = this.#dependencies;
    try {
      const count = await submissions.count({ query: TO_BE_DELETED, signal }, EVERYTHING);
      return { name, outcome: 'done', changed: dryRun || count === 0 ? count : await finishDeletions() };
    } catch (error) {
      signal.throwIfAborted();
      return failedStep(name, messageOf(error));
    }
  }

  async #expireKeys({ dryRun, signal }: JobRun): Promise<JobStep> {
    const { apiKeys } = this.#dependencies;
    const cutoff = this.#cutoff();
    try {
      const changed = await (dryRun ? apiKeys.count(cutoff) : apiKeys.remove(cutoff, signal));
      if (!dryRun) this.#count(KEYS, changed);
      return { name: KEYS, outcome: 'done', changed };
    } catch (error) {
      signal.throwIfAborted();
      return failedStep(KEYS, messageOf(error));
    }
  }

  #count(name: string, deleted: number): void {
    this.deleted.set(name, (this.deleted.get(name) ?? 0) + deleted);
  }

  async #delete({ collection, query }: Expired, { signal }: JobRun, report: (count: number) => void): Promise<JobStep> {
    const { name } = collection.definition;
    const { delete_batch_size: rows } = this.#dependencies.settings;
    const sort = [{ field: FIELD, order: 'asc' }] as const;
    let changed = 0;
    let stalled = 0;
    const kept = new Set<string>();
    /** A search may find documents for a second after their deletion. */
    let recent: readonly string[] = [];
    try {
      for (;;) {
        signal.throwIfAborted();
        const skipped = [...kept, ...recent];
        const remaining = skipped.length === 0 ? query : allOf(query, not({ kind: 'ids', ids: skipped }));
        const { items } = await collection.search({ query: remaining, rows, sort, fields: [], signal }, EVERYTHING);
        const deleted = await (this.#hasContent(collection)
          ? this.#deleteWithContent(collection, items, kept, signal)
          : this.#deleteBatch(collection, items));
        if (this.#hasContent(collection)) recent = items.map(({ id }) => id);
        changed += deleted;
        this.#count(name, deleted);
        report(deleted);
        // What is left of the last batch was renewed.
        if (items.length < rows) return { ...this.#stepOf(collection), changed };
        stalled = deleted === 0 ? stalled + 1 : 0;
        if (stalled < MAX_STALLED) continue;
        return failedStep(name, `others kept changing ${items.length} documents; the next run deletes them`, changed);
      }
    } catch (error) {
      signal.throwIfAborted();
      return failedStep(name, messageOf(error), changed);
    }
  }

  /** Deletes documents that did not change since they were found, and returns how many. */
  async #deleteBatch(collection: Collection<unknown>, batch: readonly SearchItem<unknown>[]): Promise<number> {
    if (batch.length === 0) return 0;
    const deletions = batch.map(({ id, version }) => ({ kind: 'delete', id, ifVersion: version }) as const);
    const results = await collection.bulk(deletions, { visible: 'now' });
    throwBulkFailure(results, ['version_conflict', 'document_missing']);
    return results.filter(({ ok }) => ok).length;
  }

  /**
   * Deletes documents and then their content.
   * Those whose content a caller holds are `kept` for a later run.
   * Content that a killed process leaves behind has no document, and is found by the job `file_cleanup`.
   */
  async #deleteWithContent(
    collection: Collection<unknown>,
    batch: readonly SearchItem<unknown>[],
    kept: Set<string>,
    signal: AbortSignal,
  ): Promise<number> {
    let deleted = 0;
    const next = batch.values();
    const worker = async () => {
      for (const { id, version } of next) {
        signal.throwIfAborted();
        let isDeleted = false;
        await this.#dependencies.content.remove(id, async () => {
          isDeleted = await deleteUnchanged(collection, id, version);
          return isDeleted;
        });
        if (isDeleted) deleted += 1;
        else kept.add(id);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    return deleted;
  }

  #hasContent({ definition }: Collection<unknown>): boolean {
    const { settings, withContent } = this.#dependencies;
    return settings.delete_storage && withContent.some((one) => one.definition.name === definition.name);
  }

  #expired(): QueryNode {
    return { kind: 'range', field: FIELD, upper: { value: this.#cutoff(), inclusive: true } };
  }

  #cutoff(): number {
    const { settings, now = () => new Date() } = this.#dependencies;
    const time = now().getTime() - settings.delay * HOUR;
    return settings.batch_delete ? Math.floor(time / DAY) * DAY : time;
  }

  #stepOf({ definition }: Collection<unknown>) {
    const detail = `${FIELD} up to ${new Date(this.#cutoff()).toISOString()}`;
    return { name: definition.name, outcome: 'done', detail } as const;
  }
}

/** Returns false when the document changed since it was found, or is gone. */
async function deleteUnchanged(
  collection: Collection<unknown>,
  id: string,
  version: Version | undefined,
): Promise<boolean> {
  try {
    return await collection.delete(id, { ifVersion: version });
  } catch (error) {
    if (isVersionConflict(error)) return false;
    throw error;
  }
}
