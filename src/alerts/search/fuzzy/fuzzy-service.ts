import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Datastore } from '../../../datastore/port/datastore.ts';
import { MATCH_NONE } from '../../../datastore/port/query-tree.ts';
import type { Actor } from '../../../identity/actor.ts';
import { withoutSecretFields } from '../../../search/field-selection.ts';
import type { SearchDeadline } from '../../../search/search-shares.ts';
import { compileSelection } from '../../../search/selection.ts';
import { itemOfV2 } from '../item-shape.ts';
import { searchableDocument } from '../search-collections.ts';
import { itemWithVisibleEntries } from '../visible-entries.ts';
import { boostsOf, type FuzzyIndex, fuzzyQuery } from './fuzzy-query.ts';

export interface FuzzyRequest {
  readonly query: string;
  readonly indexes: readonly FuzzyIndex[];
  readonly filters: string[];
  readonly offset: number;
  readonly rows: number;
  /** The largest total to report. */
  readonly track_total_hits: number;
}

export interface FuzzySearchDependencies {
  datastore: Pick<Datastore, 'searchAcross'>;
  classification: ClassificationEngine;
}

/** Searches several kinds of documents for a plain string, the best match first. */
export class FuzzySearch {
  readonly #dependencies: FuzzySearchDependencies;

  constructor(dependencies: FuzzySearchDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws InvalidInput `query_too_complex`, `invalid_query`, `result_window_too_large` */
  async search(actor: Actor, request: FuzzyRequest, deadline: SearchDeadline) {
    const { query, indexes, offset, rows, track_total_hits: maxTotal } = request;
    const { datastore, classification } = this.#dependencies;
    const definitions = indexes.map((name) => searchableDocument(name));
    const now = new Date();
    const boosts = boostsOf(indexes);
    const found = await datastore.searchAcross(
      definitions,
      (definition) => {
        const { filters } = compileSelection(definition, { filters: request.filters, deadline, ...deadline }, now);
        // As in the public system, where a filter without a word matches nothing.
        const isEmpty = request.filters.some((text) => text.trim() === '');
        return {
          query: isEmpty ? MATCH_NONE : fuzzyQuery(query, withoutSecretFields(definition), boosts, now),
          filters,
          byRelevance: true,
          offset,
          rows,
          ...deadline,
        };
      },
      actor.searchAccess,
    );
    const items = found.items.map((item, at) => {
      const definition = searchableDocument(item.collection);
      const visible = itemWithVisibleEntries(classification, actor.classification, definition, item);
      return { ...itemOfV2(definition, visible), _score: found.scores?.[at] ?? 0 };
    });
    return { offset, rows: items.length, total: Math.min(found.total, maxTotal), items };
  }
}
