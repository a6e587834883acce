/** The part of a browser's storage that is used; tests have one of their own. */
export type HistoryStorage = Pick<Storage, 'getItem' | 'setItem'>;

const MAX_QUERIES = 50;
/** Longer queries are not kept: fifty of them would fill the storage of the origin. */
const MAX_LENGTH = 2_000;

/** The queries that a person ran in one place, kept in the browser, the last one first. */
export class QueryHistory {
  readonly #storage: HistoryStorage | undefined;
  readonly #key: string;

  /**
   * @param username the account, whose queries no other account of the same browser is offered
   * @param place the page, for example `alerts`
   * @param storage undefined where the browser refuses it: nothing is kept
   */
  constructor(username: string, place: string, storage: HistoryStorage | undefined = browserStorage()) {
    this.#storage = storage;
    this.#key = `triad.queries.${place}.${username}`;
  }

  all(): readonly string[] {
    try {
      const stored: unknown = JSON.parse(this.#storage?.getItem(this.#key) ?? '[]');
      return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, MAX_QUERIES) : [];
    } catch {
      return [];
    }
  }

  /** Puts a query that was run in front. */
  add(text: string): void {
    const query = text.trim();
    if (query === '' || query.length > MAX_LENGTH) return;
    const queries = [query, ...this.all().filter((other) => other !== query)].slice(0, MAX_QUERIES);
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(queries));
    } catch {
      // A full storage keeps the queries that it has.
    }
  }
}

function browserStorage(): HistoryStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
