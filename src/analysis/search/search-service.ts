import { setImmediate } from 'node:timers/promises';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { alsoIn, anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type FacetBucket, MAX_RESULT_WINDOW, type SearchItem, type SortClause } from '../../datastore/port/search.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { User } from '../../documents/kinds/user.ts';
import { definedField } from '../../documents/schema/collection-definition.ts';
import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';
import { FIELD_TYPES, type FlatField, ID_FIELD } from '../../documents/schema/field-types.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { withoutSecretFields } from '../../search/field-selection.ts';
import { type HistogramWords, indexedNumber, readHistogramRange } from '../../search/histogram-range.ts';
import { mappingKeys } from '../../search/mapping-keys.ts';
import type { SearchCursors } from '../../search/search-cursors.ts';
import type { SearchDeadline } from '../../search/search-shares.ts';
import { compileSelection } from '../../search/selection.ts';
import type { ArchiveScopes, Searched, SearchScope } from '../archive-access/archive-scopes.ts';
import { keyField, type SearchFields, type SearchIndex } from './search-indexes.ts';
import {
  type FacetInput,
  facetSize,
  type GroupInput,
  type HistogramInput,
  type SearchInput,
  type StatsInput,
} from './search-schemas.ts';
import { shownItem } from './shown-item.ts';
import type { SubmissionKeys } from './submission-keys.ts';

export interface AnalysisSearchDependencies {
  readonly scopes: Pick<ArchiveScopes, 'searched'>;
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly cursors: SearchCursors;
  readonly keys: SubmissionKeys;
  /** Returns an account without secrets, as searches show it. */
  readonly showUser: (user: User) => Readonly<Record<string, unknown>>;
}

/** An index with documents to search. */
export interface SearchedIndex extends SearchIndex {
  /** The name that the caller wrote. */
  readonly name: string;
  readonly stored: DocumentDefinition<unknown>;
}

type InTime<Input> = Input & { readonly deadline: SearchDeadline };
type SelectionInput = InTime<Pick<SearchInput, 'filters'> & { readonly query?: string | undefined }>;
type Counts = Readonly<Record<string, number>>;

/** Documents that are parsed and shown before other work runs: about 5 ms. */
const SHOWN_AT_ONCE = 100;
/** Documents in which the keys of mappings are looked up. */
const MAPPING_SAMPLE = 100;
/** Groups of a page, unless the caller says otherwise. */
const DEFAULT_GROUPS = 25;
/** Begin of identifiers of deep pagings, which tells one that has ended from what never was one. */
const CURSOR_MARK = 'page,';

const HISTOGRAM_WORDS: HistogramWords = {
  tooManySteps: (steps) =>
    `Histograms are limited to a maximum of 100 steps. Current settings would generate ${steps} steps`,
  unreadable: (start, end, gap) =>
    "Could not parse histogram ranges. Either you've mix integer and dates values or you have invalid date math values. " +
    `(start='${start}', end='${end}', gap='${gap}')`,
};

/** Searches documents of one index that the caller may see. All throw InvalidInput `invalid_query`. */
export class AnalysisSearch {
  readonly #dependencies: AnalysisSearchDependencies;

  constructor(dependencies: AnalysisSearchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a page of the documents that a query finds. @throws InvalidInput `unknown_sort_field` */
  async search(actor: Actor, index: SearchedIndex, input: InTime<SearchInput>) {
    const { offset, rows, sort, fl } = input;
    checkSort(index, sort);
    const cursor = cursorOf(input.deep_paging_id);
    const collection = this.#searched(index, input);
    const request = {
      ...(await this.#selection(actor, index, input)),
      offset: cursor === undefined ? offset : 0,
      rows,
      sort: sort ?? index.shown.defaultSort,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { cursors } = this.#dependencies;
    const found = await cursors.during(actor, [index.stored.name, scopeOf(input)], cursor, () =>
      collection.search(request, actor.searchAccess),
    );
    return {
      items: await this.#shownItems(actor, index, found.items, fl),
      ...(found.nextCursor === undefined ? {} : { next_deep_paging_id: `${CURSOR_MARK}${found.nextCursor}` }),
      offset,
      rows,
      total: cursor === undefined ? Math.min(found.total, input.track_total_hits) : null,
    };
  }

  /** Counts values of a field. @throws InvalidInput `unknown_field` */
  async facet(actor: Actor, index: SearchedIndex, path: string, input: InTime<FacetInput>): Promise<Counts> {
    knownField(index, path);
    const request = {
      ...(await this.#selection(actor, index, input)),
      field: path,
      rows: facetSize(input),
      // 0 counts as 1: values that no document found has are never listed.
      minCount: Math.max(1, input.mincount),
    };
    const { buckets } = await this.#searched(index, input).facet(request, actor.searchAccess);
    const isVisible = await this.#visibleValues(actor, index, path, () => buckets.map(({ label }) => label));
    const counts = buckets.filter(({ label }) => isVisible(label));
    return Object.fromEntries(counts.map(({ label, count }: FacetBucket) => [label, count]));
  }

  /** Counts documents by steps of a field. @throws InvalidInput as `readHistogramRange`, `unknown_field` */
  async histogram(actor: Actor, index: SearchedIndex, path: string, input: InTime<HistogramInput>): Promise<Counts> {
    const { searchKind, type } = knownField(index, path);
    if (searchKind !== 'integer' && searchKind !== 'date') {
      const { catalogueType } = FIELD_TYPES[type];
      const message = `Field '${path}' is of type '${catalogueType}'. Only 'integer' or 'date' are acceptable.`;
      throw new InvalidInput('histogram_field_unsupported', message, { at: 'field' });
    }
    const isDate = searchKind === 'date';
    const range = readHistogramRange(isDate ? 'date' : 'number', input, new Date(), HISTOGRAM_WORDS);
    const selection = await this.#selection(actor, index, input);
    const inRange: QueryNode = {
      kind: 'range',
      field: path,
      lower: { value: indexedNumber(searchKind, range.start), inclusive: true },
      upper: { value: indexedNumber(searchKind, range.endRoundedUp), inclusive: true },
    };
    const buckets = await this.#searched(index, input).histogram(
      {
        ...selection,
        filters: [...selection.filters, inRange],
        field: path,
        interval: range.interval,
        minCount: input.mincount,
        extendedBounds: { min: range.start, max: range.end },
      },
      actor.searchAccess,
    );
    return Object.fromEntries(buckets.map(({ label, key, count }) => [isDate ? label : String(key), count]));
  }

  /** Returns figures of a numeric field. @throws InvalidInput `unknown_field`, `field_not_numeric` */
  async stats(actor: Actor, index: SearchedIndex, path: string, input: InTime<StatsInput>) {
    const { searchKind } = knownField(index, path);
    if (searchKind !== 'integer' && searchKind !== 'long' && searchKind !== 'float') {
      throw new InvalidInput('field_not_numeric', `Field '${path}' is not a numeric field.`, { at: 'field' });
    }
    const request = { ...(await this.#selection(actor, index, input)), field: path };
    return this.#searched(index, input).stats(request, actor.searchAccess);
  }

  /** Groups documents by a field. @throws InvalidInput `group_field_unsupported`, `unknown_sort_field` */
  async group(actor: Actor, index: SearchedIndex, path: string, input: InTime<GroupInput>) {
    const { offset = 0, rows = DEFAULT_GROUPS, limit, sort, group_sort: groupSort, fl } = input;
    checkSort(index, sort);
    if (path !== ID_FIELD && (path.startsWith('__') || definedField(searchable(index), path) === undefined)) {
      throw new InvalidInput('group_field_unsupported', `No field [${path}] in ${index.name} to group by.`, {
        at: 'group_field',
      });
    }
    const selection = await this.#selection(actor, index, input);
    const { total, groups } = await this.#searched(index, input).group(
      {
        ...selection,
        filters: [...selection.filters, { kind: 'exists', field: path }],
        field: path,
        offset,
        rows,
        limit,
        sort: sort ?? index.shown.defaultSort,
        groupSort: groupSort?.map((clause) => ({ ...clause, unmapped: 'missing' as const })) ?? index.shown.defaultSort,
      },
      actor.searchAccess,
    );
    const isVisible = await this.#visibleValues(actor, index, path, () => groups.map(({ value }) => String(value)));
    const items: unknown[] = [];
    for (const group of groups.filter(({ value }) => isVisible(String(value)))) {
      items.push({
        items: await this.#shownItems(actor, index, group.items, fl),
        total: group.total,
        value: group.value,
      });
    }
    return {
      items,
      offset,
      rows,
      total: Math.min(total, MAX_RESULT_WINDOW),
    };
  }

  /** Returns a field for each key that mappings of the newest documents within reach have. */
  async keyFields(actor: Actor, { stored, shown }: SearchedIndex): Promise<SearchFields> {
    const mappings = shown.ownFields.filter(({ type, indexed }) => type === 'mapping' && indexed);
    if (mappings.length === 0 || shown !== stored) return {};
    const paths = mappings.map(({ path }) => path);
    const query = anyOf(...paths.map((field) => ({ kind: 'exists', field }) as const));
    const request = { query, rows: MAPPING_SAMPLE, fields: paths, sort: shown.defaultSort };
    const { items } = await this.#dependencies.datastore.collection(stored).search(request, actor.searchAccess);
    const documents = items.map(({ document }) => document);
    return Object.fromEntries(
      mappings.flatMap((mapping) => mappingKeys(documents, mapping.path).map((path) => [path, keyField(mapping)])),
    );
  }

  /** Compiles query and filters. @throws InvalidInput `invalid_query` */
  async #selection(actor: Actor, index: SearchedIndex, input: SelectionInput) {
    const selection = selectionOf(index, input);
    if (index.stored.name !== submissionDocument.name) return selection;
    const [query = selection.query, ...filters] = await this.#dependencies.keys.searched(actor, [
      selection.query,
      ...selection.filters,
    ]);
    return { ...selection, query, filters };
  }

  /** Shows documents of a page, which may be 10,000, and lets other work run in between. */
  async #shownItems(
    actor: Actor,
    { shown, stored }: SearchedIndex,
    items: readonly SearchItem<unknown>[],
    fields: readonly string[] | undefined,
  ): Promise<readonly unknown[]> {
    const { keys, showUser } = this.#dependencies;
    // Keys are shown on request alone.
    const hasKeys = shown.name === submissionDocument.name && fields !== undefined;
    const answer: unknown[] = [];
    for (let at = 0; at < items.length; at += SHOWN_AT_ONCE) {
      if (at > 0) await setImmediate();
      const some = items.slice(at, at + SHOWN_AT_ONCE);
      const wholes = some.map(({ document }) =>
        shown === stored
          ? (wholeOutput(shown, document) as Readonly<Record<string, unknown>>)
          : showUser(document as User),
      );
      const visible = hasKeys ? await keys.shown(actor, wholes) : wholes;
      for (const [index, { id }] of some.entries()) answer.push(shownItem(shown, id, visible[index] ?? {}, fields));
    }
    return answer;
  }

  /** @throws InvalidInput `archive_missing` */
  #searched({ stored }: SearchedIndex, input: ArchiveFlags): Searched<unknown> {
    return this.#dependencies.scopes.searched(stored, scopeOf(input));
  }

  /** Returns a test for the values of a field that the actor may see: keys of hidden files are not. */
  async #visibleValues(
    actor: Actor,
    { shown }: SearchedIndex,
    path: string,
    values: () => readonly string[],
  ): Promise<(value: string) => boolean> {
    const { keys } = this.#dependencies;
    if (shown.name !== submissionDocument.name || !keys.holdsKeys(path)) return () => true;
    const hidden = await keys.hiddenFiles(actor, values());
    return (value) => !hidden.has(value.slice(0, 64));
  }
}

type ArchiveFlags = Pick<SearchInput, 'archive_only' | 'use_archive'>;

function scopeOf({ archive_only: isAlone, use_archive: isIncluded }: ArchiveFlags): SearchScope {
  return isAlone ? 'archive' : isIncluded ? 'both' : 'hot';
}

/** Returns the cursor that a caller continues, `*` for a new one; what never was one starts a new one. */
function cursorOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return given.startsWith(CURSOR_MARK) ? given.slice(CURSOR_MARK.length) : '*';
}

/** Compiles query and filters. @throws InvalidInput `invalid_query` */
function selectionOf(index: SearchedIndex, input: SelectionInput) {
  const selection = compileSelection(index.stored, input);
  if (index.shown === index.stored) return selection;
  // Types that only this service knows are stored apart; here they are one field.
  const withTypes = (node: QueryNode) => alsoIn(node, 'type', 'analysis_types');
  return { ...selection, query: withTypes(selection.query), filters: selection.filters.map(withTypes) };
}

function searchable({ stored }: SearchedIndex): DocumentDefinition<unknown> {
  return withoutSecretFields(stored);
}

/** @throws InvalidInput `unknown_field`; hidden fields and secrets do not exist */
function knownField(index: SearchedIndex, path: string): FlatField {
  const field = path.startsWith('__') ? undefined : definedField(searchable(index), path);
  if (field !== undefined && !(field.type === 'mapping' && field.path === path)) return field;
  const message = `Field '${path}' is not a valid field in index: ${index.name}`;
  throw new InvalidInput('unknown_field', message, { at: 'field' });
}

/** @throws InvalidInput `unknown_sort_field` */
function checkSort(index: SearchedIndex, sort: readonly SortClause[] | undefined): void {
  for (const { field } of sort ?? []) {
    if (!field.startsWith('__') && definedField(searchable(index), field) !== undefined) continue;
    throw new InvalidInput('unknown_sort_field', `No field [${field}] in ${index.name} to sort on.`, { at: 'sort' });
  }
}
