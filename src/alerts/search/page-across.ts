import type { SearchItem, SearchResult } from '../../datastore/port/search.ts';
import { InvalidInput } from '../../errors/errors.ts';

/** One of several collections that are read page by page. */
export interface PageSource {
  count(): Promise<number>;
  /** `cursor` as in `SearchRequest`. */
  page(cursor: string, rows: number): Promise<SearchResult<unknown>>;
}

/** A page of several collections. */
export type FoundPage = Pick<SearchResult<unknown>, 'items' | 'total' | 'nextCursor'>;

/** Position of the reading: the source, its cursor, and the total of all at the beginning. */
type Position = readonly [source: number, cursor: string, total: number];

const BEGIN = '*';

/**
 * Reads a page of several collections, one after the other: a merged order would have to be kept.
 * @param cursor `*`, or `nextCursor` of the page before
 * @throws InvalidInput `unknown_cursor`
 */
export async function pageAcross(sources: readonly PageSource[], cursor: string, rows: number): Promise<FoundPage> {
  let [at, within, total] = cursor === BEGIN ? await begin(sources) : read(cursor);
  const items: SearchItem<unknown>[] = [];
  for (let source = sources[at]; source; source = sources[at]) {
    const page = await source.page(within, rows - items.length);
    items.push(...page.items);
    [at, within] = page.nextCursor === undefined ? [at + 1, BEGIN] : [at, page.nextCursor];
    if (items.length >= rows && at < sources.length) return { items, total, nextCursor: write([at, within, total]) };
  }
  return { items, total };
}

async function begin(sources: readonly PageSource[]): Promise<Position> {
  const counts = await Promise.all(sources.map((source) => source.count()));
  return [0, BEGIN, counts.reduce((sum, count) => sum + count, 0)];
}

function write(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function read(cursor: string): Position {
  try {
    const [source, within, total] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Number.isInteger(source) && typeof within === 'string' && Number.isInteger(total))
      return [source, within, total];
  } catch {
    // Refused below.
  }
  throw new InvalidInput('unknown_cursor', 'The cursor is not known. Start again.', { at: 'deep_paging_id' });
}
