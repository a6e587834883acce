import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import type { SearchItem } from '../../datastore/port/search.ts';
import type { Case } from '../../documents/kinds/case.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { messageOf } from '../../errors/errors.ts';
import { type CaseItem, itemsOf, logEntry } from '../cases/case-items.ts';
import { removeRelations } from '../cases/case-records.ts';
import { ALL_CASES, type CaseChange, type CaseStore } from '../cases/case-store.ts';
import { ALL_HITS, batches } from './retention-batches.ts';

interface RetentionReferencesDependencies {
  readonly hits: Collection<Hit>;
  readonly cases: CaseStore;
}

/** Cases whose alerts are looked up together. */
const CASES_AT_ONCE = 100;
/** Identifiers that one search looks up. */
const IDS_AT_ONCE = 2000;
/** Identifiers that the log of a case lists. */
const MAX_LISTED = 100;
const AUTHOR = { username: 'retention' };

/** Removes alerts from the records that refer to them, before they are deleted. */
export class RetentionReferences {
  readonly #dependencies: RetentionReferencesDependencies;
  /** Cases that were changed in this run. */
  readonly changedCases = new Set<string>();
  /** Errors of cases that could not be changed, by their identifier. */
  readonly failures = new Map<string, string>();
  /** Alerts of these cases, which must not be deleted. */
  readonly kept = new Set<string>();

  constructor(dependencies: RetentionReferencesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Removes items of alerts that match `doomed` from the cases that match `among`, also hidden ones.
   * References of tasks and enrichments to these items go, too. Each changed case lists the alerts in its log and is
   * reported. Alerts of a case that fails are `kept`.
   */
  async removeItems(doomed: QueryNode, among: QueryNode, signal: AbortSignal): Promise<void> {
    const query = allOf({ kind: 'term', field: 'items.type', value: 'hit' }, among);
    const request = { query, fields: ['items.type', 'items.value'], signal };
    for await (const found of batches(this.#dependencies.cases.collection.stream(request, ALL_CASES), CASES_AT_ONCE)) {
      const gone = await this.#matching(
        doomed,
        found.flatMap(({ document }) => hitsOf(document)),
        signal,
      );
      for (const { id, document } of found) {
        const listed = hitsOf(document).filter((hit) => gone.has(hit));
        if (listed.length > 0) await this.#removeFrom(id, listed);
      }
    }
  }

  /** Removes the alerts, which match `doomed`, from cases that they list and relations of others. */
  async removeAll(found: readonly SearchItem<Hit>[], doomed: QueryNode, signal: AbortSignal): Promise<void> {
    const { hits } = this.#dependencies;
    for await (const part of batches(await this.#relatedTo(found, signal), IDS_AT_ONCE)) {
      await this.removeItems(doomed, { kind: 'ids', ids: part }, signal);
    }
    const ids = found.map(({ id }) => id).filter((id) => !this.kept.has(id));
    if (ids.length === 0) return;
    const remaining = not(doomed);
    // One pass over the lists of all alerts. A search for as many values compares each list with all of them.
    const referred = await hits.facet(
      { query: remaining, field: 'howler.related', include: ids, rows: ids.length, signal },
      ALL_HITS,
    );
    const listed = referred.buckets.map(({ key }) => String(key));
    if (listed.length > 0) await removeRelations(hits, listed, 'soon', remaining);
  }

  /** Returns what alerts list as related. To parse all alerts took a quarter of the processor time. */
  async #relatedTo(found: readonly SearchItem<Hit>[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const query = allOf({ kind: 'ids', ids: found.map(({ id }) => id) }, { kind: 'exists', field: 'howler.related' });
    const request = { query, fields: ['howler.related'], signal };
    const related = new Set<string>();
    for await (const { document } of this.#dependencies.hits.stream(request, ALL_HITS))
      for (const one of document.howler.related ?? []) related.add(one);
    return related;
  }

  async #matching(doomed: QueryNode, ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const matching = new Set<string>();
    for await (const part of batches(new Set(ids), IDS_AT_ONCE)) {
      const query = allOf(doomed, { kind: 'ids', ids: part });
      const request = { query, field: 'howler.id', rows: part.length, signal };
      const { buckets } = await this.#dependencies.hits.facet(request, ALL_HITS);
      for (const { key } of buckets) matching.add(String(key));
    }
    return matching;
  }

  async #removeFrom(id: string, listed: readonly string[]): Promise<void> {
    const { cases } = this.#dependencies;
    const access = { readAccess: ALL_CASES };
    const gone = new Set(listed);
    try {
      await cases.change(access, id, 'soon', async (present) => {
        const change = withoutHits(present, gone);
        return change ? { ...change, ...(await cases.gathered({ ...present, ...change })) } : {};
      });
      this.changedCases.add(id);
    } catch (error) {
      this.failures.set(id, messageOf(error));
      for (const hit of listed) this.kept.add(hit);
    }
  }
}

function hitsOf(document: Pick<Case, 'items'>): readonly string[] {
  return itemsOf(document).flatMap(({ type, value }) => (type === 'hit' ? [value] : []));
}

/** Returns the members of a case that change, if any; folders that become empty stay. */
function withoutHits(present: Case, gone: ReadonlySet<string>) {
  const isGone = ({ type, value }: CaseItem) => type === 'hit' && gone.has(value);
  const removed = itemsOf(present).filter(isGone);
  if (removed.length === 0) return undefined;
  const ids = new Set(removed.map(({ id }) => id));
  const values = removed.map(({ value }) => value);
  const more = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : '';
  const entry = logEntry(AUTHOR, `Removed by retention: ${values.slice(0, MAX_LISTED).join(', ')}${more}`);
  return {
    items: itemsOf(present).filter((item) => !isGone(item)),
    tasks: (present.tasks ?? []).map(({ item, ...task }) => (item && !ids.has(item) ? { ...task, item } : task)),
    enrichments: (present.enrichments ?? []).filter(({ item }) => !ids.has(item)),
    log: [...(present.log ?? []), entry],
  } satisfies CaseChange;
}
