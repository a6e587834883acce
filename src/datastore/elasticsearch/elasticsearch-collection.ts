import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../errors/errors.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type {
  BulkItem,
  BulkItemResult,
  Collection,
  UpdatePlanResult,
  Versioned,
  Visible,
  WhereOptions,
  WriteOptions,
} from '../port/collection.ts';
import { KeyedMutex } from '../port/keyed-mutex.ts';
import { pickFields } from '../port/picked-fields.ts';
import type { QueryNode } from '../port/query-tree.ts';
import { admits, type ReadAccess } from '../port/read-access.ts';
import type {
  FacetRequest,
  FacetResult,
  GroupRequest,
  GroupResult,
  HistogramBucket,
  HistogramRequest,
  SearchItem,
  SearchRequest,
  SearchResult,
  Selection,
  StatsRequest,
  StatsResult,
} from '../port/search.ts';
import type { UpdateOperation } from '../port/update-operations.ts';
import type { Version } from '../port/versions.ts';
import { versionOf } from '../port/versions.ts';
import { facetValues } from './aggregations/facets.ts';
import { groupDocuments } from './aggregations/groups.ts';
import { histogramBuckets } from './aggregations/histograms.ts';
import { statsOf } from './aggregations/stats.ts';
import type { CollectionContext } from './collection-context.ts';
import { AtomicWrites } from './documents/atomic-writes.ts';
import { BulkSender } from './documents/bulk-sender.ts';
import { DocumentPlacement } from './documents/document-placement.ts';
import { DocumentReading, type FoundDocument } from './documents/document-reading.ts';
import { documentOf, type EngineSource } from './documents/document-source.ts';
import { DocumentWrites, type ItemOutcome, type WrittenItem } from './documents/document-writes.ts';
import { IndexRefresher } from './documents/index-refresher.ts';
import { changeWhere, type WhereChange } from './documents/where-changes.ts';
import { foundPages } from './queries/found-pages.ts';
import { countDocuments, searchDocuments } from './queries/pages.ts';

const STREAM_ROWS = 1000;

/** Documents of one kind in the indices behind an alias. */
export class ElasticsearchCollection<T> implements Collection<T> {
  readonly definition: CollectionDefinition<T>;
  readonly #context: CollectionContext<T>;
  readonly #reading: DocumentReading;
  readonly #placement: DocumentPlacement;
  readonly #writes: DocumentWrites;
  readonly #atomicWrites: AtomicWrites;
  readonly #refresher: IndexRefresher;
  /** Updates of one document by this process do not get in each other's way. */
  readonly #turns = new KeyedMutex();

  constructor(context: CollectionContext<T>) {
    this.definition = context.definition;
    this.#context = context;
    this.#reading = new DocumentReading(context);
    this.#placement = new DocumentPlacement(context, this.#reading, new BulkSender(context, this.#reading));
    this.#writes = new DocumentWrites(context, this.#reading, this.#placement);
    this.#atomicWrites = new AtomicWrites(context, this.#reading, this.#placement, this.#writes);
    this.#refresher = new IndexRefresher(context);
  }

  async get(id: string, access: ReadAccess): Promise<T | undefined> {
    return (await this.getVersioned(id, access))?.document;
  }

  async getMany(ids: readonly string[], access: ReadAccess): Promise<(T | undefined)[]> {
    await this.#context.ready();
    const found = await this.#reading.read(ids);
    return found.map((document) => document && this.#admitted(document, access)?.document);
  }

  async getVersioned(id: string, access: ReadAccess): Promise<Versioned<T> | undefined> {
    await this.#context.ready();
    const [found] = await this.#reading.read([id]);
    return found && this.#admitted(found, access);
  }

  async save(id: string, document: T, { ifVersion, visible }: WriteOptions = {}): Promise<Version> {
    return (await this.#one({ kind: 'save', id, document, ...condition(ifVersion) }, visible)).version;
  }

  async update(
    id: string,
    operations: readonly UpdateOperation[],
    { ifVersion, visible }: WriteOptions = {},
  ): Promise<Versioned<T>> {
    const item = { kind: 'update', id, operations, ...condition(ifVersion) } as const;
    // What makes it visible is not part of the turn: others need not wait for it.
    const written = await this.#turns.take(id, () => this.#one(item));
    if (visible === 'now') await this.#show([written]);
    return { document: documentOf<T>(parseJson(written.source ?? '{}') as EngineSource), version: written.version };
  }

  async delete(id: string, { ifVersion, visible }: WriteOptions = {}): Promise<boolean> {
    return (await this.#one({ kind: 'delete', id, ...condition(ifVersion) }, visible)).existed;
  }

  /**
   * `atomic`: docs/decisions/0010-visible-writes-and-atomic-bulks-on-search-engines.md says what it
   * means without transactions.
   */
  async bulk(
    items: readonly BulkItem<T>[],
    { visible = 'soon', atomic = false }: { readonly visible?: Visible; readonly atomic?: boolean } = {},
  ): Promise<readonly BulkItemResult[]> {
    if (items.length === 0) return [];
    await this.#context.ready();
    const outcomes = await (atomic ? this.#atomicWrites.apply(items) : this.#writes.apply(items));
    if (visible === 'now') await this.#show(outcomes);
    return outcomes.map(resultOf);
  }

  updateWhere(
    selection: Selection,
    operations: readonly UpdateOperation[],
    options: WhereOptions,
  ): Promise<UpdatePlanResult> {
    return this.#changeWhere(selection, operations, options);
  }

  deleteWhere(selection: Selection, options: WhereOptions): Promise<UpdatePlanResult> {
    return this.#changeWhere(selection, 'delete', options);
  }

  search(request: SearchRequest, access: ReadAccess): Promise<SearchResult<T>> {
    return searchDocuments(this.#within(request), request, access);
  }

  count(selection: Selection, access: ReadAccess): Promise<number> {
    return countDocuments(this.#within(selection), selection, access);
  }

  facet(request: FacetRequest, access: ReadAccess): Promise<FacetResult> {
    return facetValues(this.#within(request), request, access);
  }

  histogram(request: HistogramRequest, access: ReadAccess): Promise<readonly HistogramBucket[]> {
    return histogramBuckets(this.#within(request), request, access);
  }

  stats(request: StatsRequest, access: ReadAccess): Promise<StatsResult> {
    return statsOf(this.#within(request), request, access);
  }

  group(request: GroupRequest, access: ReadAccess): Promise<GroupResult<T>> {
    return groupDocuments(this.#within(request), request, access);
  }

  #within({ timeout, signal }: Selection): CollectionContext<T> {
    return timeout === undefined && signal === undefined ? this.#context : { ...this.#context, timeout, signal };
  }

  async *stream(
    { fields, ...selection }: Selection & { readonly fields?: readonly string[] },
    access: ReadAccess,
  ): AsyncIterable<SearchItem<T>> {
    await this.#context.ready();
    for await (const { documents } of foundPages(this.#context, selection, access, { rows: STREAM_ROWS, fields })) {
      for (const { id, source } of documents) {
        const document = documentOf<Record<string, unknown>>(source);
        yield { id, collection: this.definition.name, document: pickFields(document, fields) as T };
      }
    }
  }

  async #changeWhere(selection: Selection, change: WhereChange, options: WhereOptions): Promise<UpdatePlanResult> {
    const { access, signal } = options;
    signal?.throwIfAborted();
    await this.#context.ready();
    const { query, filters = [] } = selection;
    const { alias, limits } = this.#context;
    const pages = {
      rows: limits.requestBatchSize,
      signal,
      ...(change === 'delete' ? { fields: [] } : {}),
    };
    const parts = {
      alias,
      placement: this.#placement,
      refresher: this.#refresher,
      find: (extra: readonly QueryNode[]) =>
        foundPages(this.#context, { query, filters: [...filters, ...extra] }, access, pages),
    };
    return changeWhere(parts, change, options);
  }

  async #one(item: BulkItem<T>, visible?: Visible): Promise<WrittenItem> {
    await this.#context.ready();
    const [outcome] = await this.#writes.apply([item]);
    if (!outcome?.ok) throw outcome?.error ?? new Error('a write was left out');
    if (visible === 'now') await this.#show([outcome]);
    return outcome;
  }

  async #show(outcomes: readonly ItemOutcome[]): Promise<void> {
    const indices = new Set(outcomes.flatMap((outcome) => (outcome.ok && outcome.index ? [outcome.index] : [])));
    if (indices.size > 0) await this.#refresher.refresh(indices);
  }

  #admitted(found: FoundDocument, access: ReadAccess): Versioned<T> | undefined {
    const document = documentOf<Record<string, unknown>>(found.source);
    if (!admits(this.definition, access, document)) return undefined;
    return { document: document as T, version: versionOf(found) };
  }
}

function condition(ifVersion: Version | undefined): { readonly ifVersion?: Version } {
  return ifVersion === undefined ? {} : { ifVersion };
}

function resultOf(outcome: ItemOutcome): BulkItemResult {
  if (outcome.ok) return { ok: true, id: outcome.id, version: outcome.version };
  // Anything else is a defect, and no result.
  if (!isTriadError(outcome.error)) throw outcome.error;
  return { ok: false, id: outcome.id, code: outcome.error.code, message: outcome.error.message };
}
