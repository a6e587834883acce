import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { anyOf } from '../../datastore/port/query-tree.ts';
import { MAX_RESULT_WINDOW, type SearchItem, type SearchResult, type SortClause } from '../../datastore/port/search.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { FieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import { Forbidden } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { PreparedJson } from '../../json/sorted-json.ts';
import { mappingKeyFields, searchableFields, searchableMappings } from './fields/all-field-catalogues.ts';
import { namesSecret } from './fields/secret-fields.ts';
import { ItemAnswers, itemOfV1, itemOfV2 } from './item-shape.ts';
import { type PageSource, pageAcross } from './page-across.ts';
import type { SearchCursors } from './search-cursors.ts';
import type { GroupInput, SearchInput, SelectionInput } from './search-schemas.ts';
import { compileSelection } from './selection.ts';
import { checkSortFields } from './sort-clauses.ts';
import { withVisibleCaseItems } from './visible-case-items.ts';

/** Members to put beside those of a hit, such as `__template`. */
type Metadata = Readonly<Record<string, unknown>>;

/** Returns the metadata of hits, one object per hit in their order. */
interface MetadataSource {
  of(actor: Actor, hits: readonly Metadata[], kinds: readonly string[]): Promise<readonly Metadata[]>;
}

export interface SearchServiceDependencies {
  datastore: Datastore;
  classification: ClassificationEngine;
  metadata: MetadataSource;
  cursors: SearchCursors;
}

/** A found document as it goes into the answer; as text, when that was made before. */
export type ShownItem = Record<string, unknown> | PreparedJson;

/** Found documents as the interface shows them. */
export interface SearchAnswer {
  readonly offset: number;
  /** Version 1: as asked for; version 2: the number of items. */
  readonly rows: number;
  /** At most 10,000 unless the request sets another limit or asks for the exact number. */
  readonly total: number;
  readonly items: readonly ShownItem[];
  readonly next_deep_paging_id?: string;
}

export interface GroupAnswer {
  readonly offset: number;
  readonly rows: number;
  /** Matching documents, not groups. */
  readonly total: number;
  readonly items: readonly {
    readonly value: string | number | bigint | null;
    readonly total: number;
    readonly items: readonly Record<string, unknown>[];
  }[];
}

/**
 * Search over every kind of document, as `actor` may see it: documents above their classification are neither shown nor
 * counted, secrets of users are neither shown nor searched.
 */
export class SearchService {
  readonly #datastore: Datastore;
  readonly #classification: ClassificationEngine;
  readonly #metadata: SearchServiceDependencies['metadata'];
  readonly #cursors: SearchCursors;
  readonly #answers = new ItemAnswers();

  constructor(dependencies: SearchServiceDependencies) {
    this.#datastore = dependencies.datastore;
    this.#classification = dependencies.classification;
    this.#metadata = dependencies.metadata;
    this.#cursors = dependencies.cursors;
  }

  /**
   * Version 1: one kind, stored fields.
   * @throws InvalidInput `invalid_query`, `unknown_sort_field`, `result_window_too_large`, `invalid_cursor`; TooManyRequests
   *   `too_many_cursors`; Forbidden `secret_field`
   */
  async search(actor: Actor, definition: DocumentDefinition<unknown>, input: SearchInput): Promise<SearchAnswer> {
    rejectSecretFields(definition, input.fl);
    checkSortFields([definition], input.sort);
    const request = {
      ...compileSelection(definition, input),
      ...paging(input),
      ...(input.sort ? { sort: input.sort } : {}),
    };
    const result = await this.#cursors.during(actor, [definition.name], input.deep_paging_id, () =>
      this.#datastore.collection(definition).search(request, actor.searchAccess),
    );
    const items = await this.#shown(1, actor, input, result.items, () => definition);
    return answer(input, result, items, input.rows);
  }

  /** Version 2: several kinds in one list, whole documents. Errors as `search`. */
  async searchAcross(
    actor: Actor,
    definitions: readonly DocumentDefinition<unknown>[],
    input: SearchInput,
  ): Promise<SearchAnswer> {
    for (const definition of definitions) rejectSecretFields(definition, input.fl);
    checkSortFields(definitions, input.sort);
    const byName = new Map(definitions.map((definition) => [definition.name, definition]));
    const result = await this.#found(actor, definitions, input);
    const items = await this.#shown(2, actor, input, result.items, ({ collection }) => {
      const definition = byName.get(collection);
      if (!definition) throw new Error(`found a document of ${collection}, which was not asked for`);
      return definition;
    });
    return answer(input, result, items, items.length);
  }

  async #found(
    actor: Actor,
    definitions: readonly DocumentDefinition<unknown>[],
    input: SearchInput,
  ): Promise<SearchResult<unknown>> {
    const now = new Date();
    const sort = (input.sort ?? commonDefaultSort(definitions)).map((clause) => ({ ...clause, unmapped }));
    const requestOf = (definition: CollectionDefinition<unknown>) => ({
      ...compileSelection(definition, input, now),
      ...paging(input),
      sort,
    });
    const { deep_paging_id: deepPagingId, rows, offset } = input;
    if (deepPagingId === undefined) {
      return this.#datastore.searchAcross(definitions, requestOf, actor.searchAccess);
    }
    const names = definitions.map((definition) => definition.name);
    const sources = definitions.map((definition): PageSource => {
      const collection = this.#datastore.collection(definition);
      const request = requestOf(definition);
      return {
        count: () => collection.count(request, actor.searchAccess),
        page: (cursor, rows) => collection.search({ ...request, cursor, rows }, actor.searchAccess),
      };
    });
    const page = await this.#cursors.during(actor, names, deepPagingId, () => pageAcross(sources, deepPagingId, rows));
    return { ...page, offset };
  }

  /** The fields of a kind of document, with the keys that the newest records in reach of `actor` have in mappings. */
  async fields(actor: Actor, definition: DocumentDefinition<unknown>): Promise<FieldCatalogue> {
    const known = searchableFields(definition);
    const mappings = searchableMappings(definition);
    if (mappings.length === 0) return known;
    const query = anyOf(...mappings.map((field) => ({ kind: 'exists', field }) as const));
    const request = { query, rows: MAPPING_SAMPLE, fields: mappings };
    const { items } = await this.#datastore.collection(definition).search(request, actor.searchAccess);
    return {
      ...known,
      ...mappingKeyFields(
        items.map(({ document }) => document),
        mappings,
      ),
    };
  }

  /** Documents that match. */
  async count(actor: Actor, definition: DocumentDefinition<unknown>, input: SelectionInput): Promise<number> {
    return this.#datastore.collection(definition).count(compileSelection(definition, input), actor.searchAccess);
  }

  /**
   * Documents by the value of a field; documents without it do not count.
   * @throws InvalidInput as `search`, and `group_field_unsupported`; Forbidden `secret_field`
   */
  async group(
    actor: Actor,
    definition: DocumentDefinition<unknown>,
    field: string,
    input: GroupInput,
  ): Promise<GroupAnswer> {
    rejectSecretFields(definition, [field, ...(input.fl ?? [])]);
    checkSortFields([definition], [...(input.sort ?? []), ...(input.group_sort ?? [])]);
    const selection = compileSelection(definition, input);
    const result = await this.#datastore.collection(definition).group(
      {
        ...selection,
        filters: [...selection.filters, { kind: 'exists', field }],
        field,
        offset: input.offset,
        rows: input.rows,
        limit: input.limit,
        ...(input.sort ? { sort: input.sort } : {}),
        groupSort: input.group_sort ?? [{ field: ID_FIELD, order: 'asc' }],
      },
      actor.searchAccess,
    );
    return {
      offset: input.offset,
      rows: input.rows,
      total: Math.min(result.total, MAX_RESULT_WINDOW),
      items: result.groups.map((group) => ({
        value: group.value,
        total: group.total,
        items: group.items.map((item) => itemOfV1(definition, this.#visible(actor, definition, item), input.fl)),
      })),
    };
  }

  #visible(actor: Actor, definition: DocumentDefinition<unknown>, item: SearchItem<unknown>): SearchItem<unknown> {
    if (definition.name !== 'case') return item;
    return { ...item, document: withVisibleCaseItems(this.#classification, actor.classification, item.document) };
  }

  /** The items of an answer in the shape of its version, with the metadata that was asked for. */
  async #shown(
    version: 1 | 2,
    actor: Actor,
    input: SearchInput,
    found: readonly SearchItem<unknown>[],
    definitionOf: (item: SearchItem<unknown>) => DocumentDefinition<unknown>,
  ): Promise<readonly ShownItem[]> {
    const shape = version === 1 ? itemOfV1 : itemOfV2;
    const metadata = await this.#metadataOf(actor, input, found);
    return found.map((item) => {
      const definition = definitionOf(item);
      const visible = this.#visible(actor, definition, item);
      const more = metadata.get(item);
      const isAsStored = visible === item && more === undefined && input.fl === undefined;
      return isAsStored
        ? this.#answers.of(version, definition, item)
        : { ...shape(definition, visible, input.fl), ...more };
    });
  }

  async #metadataOf(
    actor: Actor,
    input: SearchInput,
    found: readonly SearchItem<unknown>[],
  ): Promise<ReadonlyMap<SearchItem<unknown>, Metadata | undefined>> {
    const hits = input.metadata.length > 0 ? found.filter((item) => item.collection === 'hit') : [];
    if (hits.length === 0) return new Map();
    const documents = hits.map((item) => item.document as Readonly<Record<string, unknown>>);
    const metadata = await this.#metadata.of(actor, documents, input.metadata);
    return new Map(hits.map((item, index) => [item, metadata[index]]));
  }
}

/** Records in which the keys of mappings are looked up. */
const MAPPING_SAMPLE = 100;

/** A kind without the field to sort by comes last, as it does in every list of several kinds. */
const unmapped = 'missing' as const;

function paging(input: SearchInput): {
  offset: number;
  rows: number;
  cursor?: string;
} {
  return {
    offset: input.offset,
    rows: input.rows,
    ...(input.deep_paging_id === undefined ? {} : { cursor: input.deep_paging_id }),
  };
}

function answer(
  input: SearchInput,
  result: SearchResult<unknown>,
  items: readonly ShownItem[],
  rows: number,
): SearchAnswer {
  return {
    offset: input.offset,
    rows,
    total: input.deep_paging_id === undefined ? Math.min(result.total, input.track_total_hits) : result.total,
    items,
    ...(result.nextCursor === undefined ? {} : { next_deep_paging_id: result.nextCursor }),
  };
}

/** The default order that all kinds share, else by identifier. */
function commonDefaultSort(definitions: readonly DocumentDefinition<unknown>[]): readonly SortClause[] {
  const [first, ...others] = definitions.map((definition) => definition.defaultSort);
  const same = others.every((sort) => JSON.stringify(sort) === JSON.stringify(first));
  return first && same ? first : [{ field: ID_FIELD, order: 'asc' }];
}

function rejectSecretFields(definition: DocumentDefinition<unknown>, names: readonly string[] | undefined): void {
  if (names?.some((name) => namesSecret(definition, name))) {
    throw new Forbidden('secret_field', 'Invalid fields to retrieve.');
  }
}
