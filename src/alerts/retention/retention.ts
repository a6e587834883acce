import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { allOf, anyOf, MATCH_ALL, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { MAX_RESULT_WINDOW, type SearchItem } from '../../datastore/port/search.ts';
import type { Analytic } from '../../documents/kinds/analytic.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { isTriadError, messageOf } from '../../errors/errors.ts';
import { failedStep, type Job, type JobRun, type JobStep } from '../../jobs/job.ts';
import type { CaseStore } from '../cases/case-store.ts';
import { removeUnusedAnalytics } from './retention-analytics.ts';
import { ALL_HITS, batches } from './retention-batches.ts';
import { type RetentionLimit, type RetentionSettings, retentionLimits } from './retention-limits.ts';
import { RetentionReferences } from './retention-references.ts';

interface RetentionDependencies {
  readonly hits: Collection<Hit>;
  readonly analytics: Collection<Analytic>;
  readonly cases: CaseStore;
  readonly settings: RetentionSettings;
  readonly deleted: { inc(count: number): void };
  /** Default: the present time. */
  readonly now?: () => Date;
}

type Found = readonly SearchItem<Hit>[];

/** A limit with what it selects beyond the limits before it. */
interface Selected extends RetentionLimit {
  readonly total: number;
}

/** Alerts that are found, and whose references are removed, together: each search reads all alerts. */
const FOUND_AT_ONCE = MAX_RESULT_WINDOW;
/** Alerts that are deleted in one transaction, for which other writes wait. */
const BATCH = 2000;
/** Batches in a row of which others changed every alert before it could be deleted. */
const MAX_STALLED = 5;

/**
 * Deletes alerts by age, expiry and rules, in every generation (contract/alert.md section 9.1).
 * Up to 10,000 alerts are found at a time, removed from what refers to them, and deleted in batches of 2,000, except
 * for those that changed meanwhile. A run can be interrupted at any point: the next one finds the rest. Alerts that
 * arrive during a run are left to the next one.
 */
export class Retention implements Job {
  readonly name = 'retention';
  readonly #dependencies: RetentionDependencies;

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies;
  }

  async run(run: JobRun): Promise<readonly JobStep[]> {
    const { hits, cases, analytics, settings, now = () => new Date() } = this.#dependencies;
    const plan = await this.#plan(retentionLimits(settings, now()), run);
    const selected = plan.filter((one) => 'query' in one);
    const all = selected.reduce((sum, { total }) => sum + total, 0);
    const references = new RetentionReferences({ hits, cases });
    const steps: JobStep[] = [];
    let done = 0;
    const report = (count: number) => {
      done += count;
      run.progress(done, all);
    };
    for (const one of plan) {
      if (!('query' in one)) steps.push(one);
      else if (run.dryRun || one.total === 0) steps.push({ ...stepOf(one), changed: one.total });
      else steps.push(await this.#delete(one, references, run, report));
    }
    const { changedCases, failures } = references;
    const [failure] = failures;
    if (failure)
      steps.push(
        failedStep('cases', `${failures.size} could not be changed; ${failure.join(': ')}`, changedCases.size),
      );
    else if (!run.dryRun) steps.push({ name: 'cases', outcome: 'done', changed: changedCases.size });
    const remaining = run.dryRun ? not(anyOf(...selected.map(({ query }) => query))) : MATCH_ALL;
    steps.push(await removeUnusedAnalytics({ hits, analytics, remaining }, run));
    return steps;
  }

  /** Counts what each limit selects. One that cannot be searched for is reported and skipped. */
  async #plan(
    limits: readonly (RetentionLimit | JobStep)[],
    { signal }: JobRun,
  ): Promise<readonly (Selected | JobStep)[]> {
    const plan: (Selected | JobStep)[] = [];
    let remaining: QueryNode = MATCH_ALL;
    for (const limit of limits) {
      if (!('query' in limit)) {
        plan.push(limit);
        continue;
      }
      const query = allOf(limit.query, remaining);
      try {
        plan.push({ ...limit, query, total: await this.#dependencies.hits.count({ query, signal }, ALL_HITS) });
        remaining = allOf(remaining, not(limit.query));
      } catch (error) {
        signal.throwIfAborted();
        plan.push(failedStep(limit.name, messageOf(error)));
      }
    }
    return plan;
  }

  async #delete(
    limit: Selected,
    references: RetentionReferences,
    { signal }: JobRun,
    report: (count: number) => void,
  ): Promise<JobStep> {
    const { query } = limit;
    let changed = 0;
    let stalled = 0;
    try {
      // Finds also cases that their alerts do not list.
      await references.removeItems(query, MATCH_ALL, signal);
      for (;;) {
        signal.throwIfAborted();
        const without: QueryNode =
          references.kept.size === 0 ? MATCH_ALL : not({ kind: 'ids', ids: [...references.kept] });
        const { found, isLast } = await this.#nextFound(allOf(query, without), signal);
        if (found.length > 0) await references.removeAll(found, query, signal);
        const deletable = found.filter(({ id }) => !references.kept.has(id));
        let deleted = 0;
        for await (const batch of batches(deletable, BATCH)) {
          signal.throwIfAborted();
          const count = await this.#deleteBatch(batch);
          deleted += count;
          report(count);
        }
        changed += deleted;
        if (isLast && deleted === found.length) return { ...stepOf(limit), changed };
        stalled = deleted === 0 ? stalled + 1 : 0;
        if (stalled < MAX_STALLED) continue;
        return failedStep(
          limit.name,
          `others kept changing ${found.length} of the alerts; the next run deletes them`,
          changed,
        );
      }
    } catch (error) {
      signal.throwIfAborted();
      return failedStep(limit.name, messageOf(error), changed);
    }
  }

  /**
   * Finds alerts in the order in which they were stored.
   * 2,000 that are scattered over the file change as many pages. With larger steps and without their documents, deleting 200,000 of 1,000,000 took 55 instead of 125 s of processor
   * time. `isLast`: there were no more; what matches later arrived during the run.
   */
  async #nextFound(
    query: QueryNode,
    signal: AbortSignal,
    rows = FOUND_AT_ONCE,
  ): Promise<{ found: Found; isLast: boolean }> {
    const sort = [{ field: '_doc', order: 'asc' }] as const;
    const request = { query, rows, sort, fields: [], signal };
    try {
      const { items: found } = await this.#dependencies.hits.search(request, ALL_HITS);
      return { found, isLast: found.length < rows };
    } catch (error) {
      // Large alerts are read in smaller batches.
      if (!isTriadError(error) || error.code !== 'result_too_large' || rows === 1) throw error;
      return this.#nextFound(query, signal, Math.ceil(rows / 2));
    }
  }

  /** Deletes alerts that did not change since they were found, and returns how many. */
  async #deleteBatch(batch: Found): Promise<number> {
    const { hits, deleted } = this.#dependencies;
    const deletions = batch.map(({ id, version }) => ({ kind: 'delete', id, ifVersion: version }) as const);
    const results = await hits.bulk(deletions, { visible: 'now' });
    throwBulkFailure(results, ['version_conflict', 'document_missing']);
    const count = results.filter(({ ok }) => ok).length;
    deleted.inc(count);
    return count;
  }
}

function stepOf({ name, detail }: RetentionLimit) {
  return { name, outcome: 'done', detail } as const;
}
