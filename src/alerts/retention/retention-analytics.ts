import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { anyOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { lowercase } from '../../datastore/regular-language/code-points.ts';
import type { Analytic } from '../../documents/kinds/analytic.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { messageOf } from '../../errors/errors.ts';
import { failedStep, type JobRun, type JobStep } from '../../jobs/job.ts';
import { ALL_HITS, batches } from './retention-batches.ts';

interface AnalyticsContext {
  readonly hits: Collection<Hit>;
  readonly analytics: Collection<Analytic>;
  /** Alerts that remain. */
  readonly remaining: QueryNode;
}

const ALL_ANALYTICS = unrestricted('analytics carry no classification');
const NAME = 'analytics';
/** Analytics that are looked up together. */
const AT_ONCE = 500;

/** Deletes analytics that no remaining alert names, in any case, and that hold no rule. */
export async function removeUnusedAnalytics(
  { hits, analytics, remaining }: AnalyticsContext,
  { signal, dryRun }: JobRun,
): Promise<JobStep> {
  const query = not(anyOf({ kind: 'exists', field: 'rule' }, { kind: 'exists', field: 'rule_type' }));
  let changed = 0;
  try {
    for await (const found of batches(analytics.stream({ query, fields: ['name'], signal }, ALL_ANALYTICS), AT_ONCE)) {
      const include = [...new Set(found.map(({ document }) => lowercase(document.name)))];
      const request = { query: remaining, field: 'howler.analytic', include, rows: include.length, signal };
      const { buckets } = await hits.facet(request, ALL_HITS);
      const used = new Set(buckets.map(({ key }) => String(key)));
      const unused = found.filter(({ document }) => !used.has(lowercase(document.name)));
      const deletions = unused.map(({ id }) => ({ kind: 'delete', id }) as const);
      if (!dryRun) throwBulkFailure(await analytics.bulk(deletions), ['document_missing']);
      changed += unused.length;
    }
    return { name: NAME, outcome: 'done', changed };
  } catch (error) {
    signal.throwIfAborted();
    return failedStep(NAME, messageOf(error), changed);
  }
}
