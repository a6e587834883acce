import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { anyOf } from '../../datastore/port/query-tree.ts';
import { MAX_RESULT_WINDOW, type SearchItem, type SortClause } from '../../datastore/port/search.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import type { FieldCatalogue } from '../../documents/schema/field-catalogue.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import { Forbidden } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { PreparedJson } from '../../json/sorted-json.ts';
import { namesSecret } from '../../search/field-selection.ts';
import type { SearchCursors } from '../../search/search-cursors.ts';
import { compileSelection } from '../../search/selection.ts';
import { checkSortFields } from '../../search/sort-clauses.ts';
import { ItemAnswers, itemOfV1, itemOfV2 } from './item-shape.ts';
import { type FoundPage, type PageSource, pageAcross } from './page-across.ts';
import { mappingKeyFields, searchableFields, searchableMappings } from './search-collections.ts';
import type { GroupInput, SearchInput, SelectionInput } from './search-schemas.ts';
import { itemWithVisibleEntries } from './visible-entries.ts';

type Definition = DocumentDefinition<unknown>;

/** Members to put beside those of a hit, such as `__template`. */
type Metadata = Readonly<Record<string, unknown>>;

export interface SearchServiceDependencies {
  datastore: Datastore;
  classification: ClassificationEngine;
  /** Returns the metadata of hits, one object per hit in their order. */
  metadata: {
    of(actor: Actor, hits: readonly Metadata[], kinds: readonly string[]): Promise<readonly Metadata[]>;
  };
  cursors: SearchCursors;
}

/** Records in which the keys of mappings are looked up. */
const MAPPING_SAMPLE = 100;

/** Searches documents that `actor` may see; secrets of users are neither shown nor searched. */
export class SearchService {
  readonly #dependencies: SearchServiceDependencies;
  readonly #answers = new ItemAnswers();

  constructor(dependencies: SearchServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Version 1: searches one kind; throws `secret_field`, `unknown_sort_field`, as `during`. */
  async search(actor: Actor, definition: Definition, input: SearchInput) {
    checkFields([definition], input);
    const { datastore, cursors } = this.#dependencies;
    const request = {
      ...compileSelection(definition, input),
      ...paging(input),
      ...(input.sort ? { sort: input.sort } : {}),
    };
    const result = await cursors.during(actor, [definition.name], input.deep_paging_id, () =>
      datastore.collection(definition).search(request, actor.searchAccess),
    );
    const items = await this.#shown(1, actor, input, result.items, [definition]);
    return answer(input, result, items, input.rows);
  }

  /** Version 2: searches several kinds in one list and shows whole documents. Errors as `search`. */
  async searchAcross(actor: Actor, definitions: readonly Definition[], input: SearchInput) {
    checkFields(definitions, input);
    const result = await this.#searchAcross(actor, definitions, input);
    const items = await this.#shown(2, actor, input, result.items, definitions);
    return answer(input, result, items, items.length);
  }

  async #searchAcross(actor: Actor, definitions: readonly Definition[], input: SearchInput): Promise<FoundPage> {
    const { datastore, cursors } = this.#dependencies;
    const now = new Date();
    // A kind without the field to sort by comes last.
    const sort = (input.sort ?? commonDefaultSort(definitions)).map((clause) => ({
      ...clause,
      unmapped: 'missing' as const,
    }));
    const requestOf = (definition: CollectionDefinition<unknown>) => ({
      ...compileSelection(definition, input, now),
      ...paging(input),
      sort,
    });
    const { deep_paging_id: cursor, rows } = input;
    if (cursor === undefined) return datastore.searchAcross(definitions, requestOf, actor.searchAccess);
    const sources = definitions.map((definition): PageSource => {
      const collection = datastore.collection(definition);
      const request = requestOf(definition);
      return {
        count: () => collection.count(request, actor.searchAccess),
        page: (cursor, rows) => collection.search({ ...request, cursor, rows }, actor.searchAccess),
      };
    });
    const names = definitions.map(({ name }) => name);
    return cursors.during(actor, names, cursor, () => pageAcross(sources, cursor, rows));
  }

  /** Returns the fields of a kind of document, with the mapping keys of the newest records within reach. */
  async fields(actor: Actor, definition: Definition): Promise<FieldCatalogue> {
    const known = searchableFields(definition);
    const mappings = searchableMappings(definition);
    if (mappings.length === 0) return known;
    const query = anyOf(...mappings.map((field) => ({ kind: 'exists', field }) as const));
    const request = { query, rows: MAPPING_SAMPLE, fields: mappings };
    const { items } = await this.#dependencies.datastore.collection(definition).search(request, actor.searchAccess);
    const documents = items.map(({ document }) => document);
    return { ...known, ...mappingKeyFields(documents, mappings) };
  }

  /** Counts the documents that match. */
  async count(actor: Actor, definition: Definition, input: SelectionInput): Promise<number> {
    const collection = this.#dependencies.datastore.collection(definition);
    return collection.count(compileSelection(definition, input), actor.searchAccess);
  }

  /** Groups documents, of which `total` have the field; throws as `search`, `group_field_unsupported`. */
  async group(actor: Actor, definition: Definition, field: string, input: GroupInput) {
    const { offset, rows, limit, sort, group_sort: groupSort, fl } = input;
    checkFields([definition], { fl: [field, ...(fl ?? [])], sort: [...(sort ?? []), ...(groupSort ?? [])] });
    const selection = compileSelection(definition, input);
    const { total, groups } = await this.#dependencies.datastore.collection(definition).group(
      {
        ...selection,
        filters: [...selection.filters, { kind: 'exists', field }],
        field,
        offset,
        rows,
        limit,
        ...(sort ? { sort } : {}),
        groupSort: groupSort ?? [{ field: ID_FIELD, order: 'asc' }],
      },
      actor.searchAccess,
    );
    const shown = (item: SearchItem<unknown>) => itemOfV1(definition, this.#visible(actor, definition, item), fl);
    return {
      offset,
      rows,
      total: Math.min(total, MAX_RESULT_WINDOW),
      items: groups.map((group) => ({ value: group.value, total: group.total, items: group.items.map(shown) })),
    };
  }

  #visible(actor: Actor, definition: Definition, item: SearchItem<unknown>): SearchItem<unknown> {
    return itemWithVisibleEntries(this.#dependencies.classification, actor.classification, definition, item);
  }

  /** Returns the items of an answer in the shape of its version, with the metadata that was asked for. */
  async #shown(
    version: 1 | 2,
    actor: Actor,
    input: SearchInput,
    found: readonly SearchItem<unknown>[],
    definitions: readonly Definition[],
  ): Promise<readonly (Record<string, unknown> | PreparedJson)[]> {
    const shape = version === 1 ? itemOfV1 : itemOfV2;
    const metadata = await this.#metadataOf(actor, input, found, definitions);
    return found.map((item) => {
      const definition = definitions.find(({ name }) => name === item.collection);
      if (!definition) throw new Error(`found a document of ${item.collection}, which was not asked for`);
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
    definitions: readonly Definition[],
  ): Promise<ReadonlyMap<SearchItem<unknown>, Metadata | undefined>> {
    const kinds = definitions.flatMap(({ name, hasHitMetadata }) => (hasHitMetadata ? [name] : []));
    const hits = input.metadata.length > 0 ? found.filter((item) => kinds.includes(item.collection)) : [];
    if (hits.length === 0) return new Map();
    const documents = hits.map((item) => item.document as Metadata);
    const metadata = await this.#dependencies.metadata.of(actor, documents, input.metadata);
    return new Map(hits.map((item, index) => [item, metadata[index]]));
  }
}

function paging({ offset, rows, deep_paging_id: cursor }: SearchInput) {
  return { offset, rows, ...(cursor === undefined ? {} : { cursor }) };
}

/** Returns the answer. `rows` is what was asked for in version 1, in version 2 the number of items. */
function answer<Item>(
  { offset, deep_paging_id: cursor, track_total_hits: maxTotal }: SearchInput,
  { total, nextCursor }: Pick<FoundPage, 'total' | 'nextCursor'>,
  items: readonly Item[],
  rows: number,
) {
  return {
    offset,
    rows,
    total: cursor === undefined ? Math.min(total, maxTotal) : total,
    items,
    ...(nextCursor === undefined ? {} : { next_deep_paging_id: nextCursor }),
  };
}

/** Returns the default order that all kinds share, else by identifier. */
function commonDefaultSort(definitions: readonly Definition[]): readonly SortClause[] {
  const [first, ...others] = definitions.map((definition) => definition.defaultSort);
  const same = others.every((sort) => JSON.stringify(sort) === JSON.stringify(first));
  return first && same ? first : [{ field: ID_FIELD, order: 'asc' }];
}

/** @throws Forbidden `secret_field`; InvalidInput `unknown_sort_field` */
function checkFields(definitions: readonly Definition[], { fl = [], sort }: Pick<SearchInput, 'fl' | 'sort'>): void {
  for (const definition of definitions) {
    if (!fl.some((name) => namesSecret(definition, name))) continue;
    throw new Forbidden('secret_field', 'Invalid fields to retrieve.');
  }
  checkSortFields(definitions, sort);
}
