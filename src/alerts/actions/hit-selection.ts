import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL, type QueryNode } from '../../datastore/port/query-tree.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type Hit, hitDocument } from '../../documents/kinds/hit.ts';
import type { Actor } from '../../identity/actor.ts';

type Hits = Pick<Collection<Hit>, 'count' | 'search'>;

/** The alerts of a query, as far as an actor may find them. */
export class HitSelection {
  /** Lucene text. */
  readonly query: string;
  readonly #hits: Hits;
  readonly #actor: Actor;
  readonly #node: QueryNode;

  /** @throws InvalidInput `invalid_query` with the position */
  constructor(hits: Hits, actor: Actor, query: string) {
    this.query = query;
    this.#hits = hits;
    this.#actor = actor;
    this.#node = compileQuery(query, hitDocument);
  }

  /** Returns those of the alerts that also match another query. */
  narrowed(query: string): HitSelection {
    return new HitSelection(this.#hits, this.#actor, `(${this.query}) AND ${query}`);
  }

  count(filter: QueryNode = MATCH_ALL): Promise<number> {
    return this.#hits.count({ query: this.#node, filters: [filter] }, this.#actor.searchAccess);
  }

  /** Identifiers of the first `rows` that match `filter`, and how many match in all. */
  async ids(rows: number, filter: QueryNode = MATCH_ALL): Promise<{ ids: readonly string[]; total: number }> {
    const request = { query: this.#node, filters: [filter], rows, fields: ['howler.id'] };
    const { items, total } = await this.#hits.search(request, this.#actor.searchAccess);
    return { ids: items.map((item) => item.id), total };
  }
}

/** Lucene query of alerts by their identifiers. */
export function queryOfIds(ids: readonly string[]): string {
  return `howler.id:(${ids.map(term).join(' OR ')})`;
}

/** Identifiers that were made elsewhere may look like syntax. */
function term(id: string): string {
  if (/^[0-9a-z][\w-]*$/i.test(id) && !/^(?:AND|OR|NOT)$/.test(id)) return id;
  return `"${id.replaceAll(/["\\]/g, '\\$&')}"`;
}
