import { parseJson } from '../../json/lossless-json.ts';
import type { CollectionAdapter } from '../port/datastore-adapter.ts';
import { KeyedMutex } from '../port/keyed-mutex.ts';
import { allOf, type QueryNode } from '../port/query-tree.ts';
import { versionOf } from '../port/versions.ts';
import { facetValues } from './aggregations/facets.ts';
import { groupDocuments } from './aggregations/groups.ts';
import { histogramBuckets } from './aggregations/histograms.ts';
import { statsOf } from './aggregations/stats.ts';
import type { CollectionContext } from './collection-context.ts';
import { createAll } from './documents/creations.ts';
import { readDocuments } from './documents/document-reading.ts';
import { documentOf, type EngineSource } from './documents/document-source.ts';
import { applyItems } from './documents/document-writes.ts';
import { IndexRefresher } from './documents/index-refresher.ts';
import { changeWhere } from './documents/where-changes.ts';
import { cursorPage } from './queries/cursors.ts';
import { collectionQuery } from './queries/engine-query.ts';
import { foundPages } from './queries/found-pages.ts';
import { searchDocuments } from './queries/pages.ts';
import { countMatches } from './queries/search-call.ts';

const STREAM_ROWS = 1000;

/** Documents of one kind in the indices behind an alias. */
export function elasticsearchCollection<T>(context: CollectionContext<T>): CollectionAdapter<T> {
  const refresher = new IndexRefresher(context.engine);
  /** Updates of one document by this process do not get in each other's way. */
  const turns = new KeyedMutex();
  const show = async (indices: Iterable<string>) => {
    const written = new Set(indices);
    if (written.size > 0) await refresher.refresh(written);
  };
  return {
    async read(ids) {
      await context.ready();
      const found = await readDocuments(context, ids);
      return found.map((one) => one && { document: documentOf<T>(one.source), version: versionOf(one) });
    },
    async write(items, { visible, documents }) {
      await context.ready();
      const apply = () => applyItems(context, items);
      const [first] = items;
      const isUpdate = items.length === 1 && first?.kind === 'update';
      // What makes it visible is not part of the turn: others need not wait for it.
      const outcomes = isUpdate ? await turns.take(first.id, apply) : await apply();
      if (visible === 'now') {
        await show(outcomes.flatMap((outcome) => (outcome.ok && outcome.index ? [outcome.index] : [])));
      }
      if (!documents) return outcomes;
      return outcomes.map((outcome) => {
        if (!outcome.ok || outcome.source === undefined) return outcome;
        return { ...outcome, document: documentOf<T>(parseJson(outcome.source) as EngineSource) };
      });
    },
    async createAll(documents, visible) {
      await context.ready();
      const indices = await createAll(context, documents);
      if (visible === 'now') await show(indices);
    },
    changeWhere(selection, change, options) {
      const { signal } = options;
      const pages = { rows: context.limits.requestBatchSize, patterns: change === 'delete' ? [] : undefined };
      const find = (extra: readonly QueryNode[]) =>
        foundPages(context, { ...selection, query: allOf(selection.query, ...extra), signal }, pages);
      return changeWhere({ context, refresher, find }, change, options);
    },
    page: (request) => searchDocuments(context, request),
    cursorPage: (request) => cursorPage(context, request),
    count: async (selection) => countMatches(context, selection, await collectionQuery(context, selection)),
    facet: (request) => facetValues(context, request),
    histogram: (request) => histogramBuckets(context, request),
    stats: (request) => statsOf(context, request),
    group: (request) => groupDocuments(context, request),
    async *stream({ fields, ...selection }) {
      const pages = foundPages(context, selection, { rows: STREAM_ROWS, patterns: fields.patterns });
      for await (const { documents } of pages) {
        for (const { id, source } of documents) {
          yield { id, collection: context.definition.name, document: fields.pick(documentOf(source)) as T };
        }
      }
    },
  };
}
