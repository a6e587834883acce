import { type KeptStrings, keep, readKept } from '../../../json/browser-storage.ts';

const MAX_QUERIES = 50;
/** Longer queries are not kept: fifty of them would fill the storage of the origin. */
const MAX_LENGTH = 2_000;

/** The queries that a person ran in one place, kept in the browser, the last one first. */
export class QueryHistory {
  readonly #storage: KeptStrings | undefined;
  readonly #key: string;

  /**
   * @param username the account, whose queries no other account of the same browser is offered
   * @param place the page, for example `alerts`
   * @param storage default: that of the browser
   */
  constructor(username: string, place: string, storage?: KeptStrings) {
    this.#storage = storage;
    this.#key = `triad.queries.${place}.${username}`;
  }

  all(): readonly string[] {
    const kept = readKept(this.#key, this.#storage);
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, MAX_QUERIES) : [];
  }

  /** Puts a query that was run in front. */
  add(text: string): void {
    const query = text.trim();
    if (query === '' || query.length > MAX_LENGTH) return;
    const queries = [query, ...this.all().filter((other) => other !== query)].slice(0, MAX_QUERIES);
    keep(this.#key, queries, this.#storage);
  }
}
