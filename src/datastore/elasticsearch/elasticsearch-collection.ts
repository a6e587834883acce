import { parseJson } from '../../json/lossless-json.ts';
import type { BulkItem, NewDocument, UpdatePlanResult, Versioned, Visible } from '../port/collection.ts';
import type {
  CheckedCursor,
  CheckedFacet,
  CheckedGroup,
  CheckedHistogram,
  CheckedPage,
  CheckedSelection,
  CheckedStats,
  CheckedStream,
  CheckedWhere,
  CollectionAdapter,
  WhereChange,
  WriteManner,
  WriteOutcome,
} from '../port/datastore-adapter.ts';
import { KeyedMutex } from '../port/keyed-mutex.ts';
import { allOf, type QueryNode } from '../port/query-tree.ts';
import type { SearchItem } from '../port/search.ts';
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
export class ElasticsearchCollection<T> implements CollectionAdapter<T> {
  readonly #context: CollectionContext<T>;
  readonly #refresher: IndexRefresher;
  /** Updates of one document by this process do not get in each other's way. */
  readonly #turns = new KeyedMutex();

  constructor(context: CollectionContext<T>) {
    this.#context = context;
    this.#refresher = new IndexRefresher(context);
  }

  async read(ids: readonly string[]): Promise<readonly (Versioned<T> | undefined)[]> {
    await this.#context.ready();
    const found = await readDocuments(this.#context, ids);
    return found.map((one) => one && { document: documentOf<T>(one.source), version: versionOf(one) });
  }

  async write(items: readonly BulkItem<T>[], { visible, documents }: WriteManner): Promise<readonly WriteOutcome<T>[]> {
    await this.#context.ready();
    const apply = () => applyItems(this.#context, items);
    const [first] = items;
    const isUpdate = items.length === 1 && first?.kind === 'update';
    // What makes it visible is not part of the turn: others need not wait for it.
    const outcomes = isUpdate ? await this.#turns.take(first.id, apply) : await apply();
    if (visible === 'now') {
      await this.#show(outcomes.flatMap((outcome) => (outcome.ok && outcome.index ? [outcome.index] : [])));
    }
    if (!documents) return outcomes;
    return outcomes.map((outcome) => {
      if (!outcome.ok || outcome.source === undefined) return outcome;
      return { ...outcome, document: documentOf<T>(parseJson(outcome.source) as EngineSource) };
    });
  }

  async createAll(documents: readonly NewDocument<T>[], visible: Visible): Promise<void> {
    await this.#context.ready();
    const indices = await createAll(this.#context, documents);
    if (visible === 'now') await this.#show(indices);
  }

  async changeWhere(
    selection: CheckedSelection,
    change: WhereChange,
    options: CheckedWhere,
  ): Promise<UpdatePlanResult> {
    const { signal } = options;
    const pages = {
      rows: this.#context.limits.requestBatchSize,
      patterns: change === 'delete' ? [] : undefined,
    };
    const parts = {
      context: this.#context,
      refresher: this.#refresher,
      find: (extra: readonly QueryNode[]) =>
        foundPages(this.#context, { ...selection, query: allOf(selection.query, ...extra), signal }, pages),
    };
    return changeWhere(parts, change, options);
  }

  page(request: CheckedPage) {
    return searchDocuments(this.#context, request);
  }

  cursorPage(request: CheckedCursor) {
    return cursorPage(this.#context, request);
  }

  async count(selection: CheckedSelection): Promise<number> {
    return countMatches(this.#context, selection, await collectionQuery(this.#context, selection));
  }

  facet(request: CheckedFacet) {
    return facetValues(this.#context, request);
  }

  histogram(request: CheckedHistogram) {
    return histogramBuckets(this.#context, request);
  }

  stats(request: CheckedStats) {
    return statsOf(this.#context, request);
  }

  group(request: CheckedGroup) {
    return groupDocuments(this.#context, request);
  }

  async *stream({ fields, ...selection }: CheckedStream): AsyncIterable<SearchItem<T>> {
    const { definition } = this.#context;
    const pages = foundPages(this.#context, selection, { rows: STREAM_ROWS, patterns: fields.patterns });
    for await (const { documents } of pages) {
      for (const { id, source } of documents) {
        yield { id, collection: definition.name, document: fields.pick(documentOf(source)) as T };
      }
    }
  }

  async #show(indices: Iterable<string>): Promise<void> {
    const written = new Set(indices);
    if (written.size > 0) await this.#refresher.refresh(written);
  }
}
