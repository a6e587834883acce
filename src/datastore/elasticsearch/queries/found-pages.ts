import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { isTriadError } from '../../../errors/errors.ts';
import type { CheckedSelection } from '../../port/datastore-adapter.ts';
import type { CollectionContext } from '../collection-context.ts';
import { type FoundPage, foundDocument } from '../documents/document-reading.ts';
import { engineUnavailable } from '../transport/engine-errors.ts';
import { collectionQuery } from './engine-query.ts';
import { closePointInTime, openPointInTime, pointInTimeBody } from './point-in-time.ts';
import { sendSearch, sourceBody } from './search-call.ts';

export interface FoundPagesOptions {
  readonly rows: number;
  /** Dotted paths or globs to be fetched, a little more may come; undefined: everything. */
  readonly patterns: readonly string[] | undefined;
}

/** Yields all matches of one state by identifier, at least one page, and fetches one page ahead. */
export async function* foundPages(
  context: CollectionContext<unknown>,
  selection: CheckedSelection,
  { rows, patterns }: FoundPagesOptions,
): AsyncGenerator<FoundPage, void> {
  const { engine, alias } = context;
  const query = await collectionQuery(context, selection);
  let state = await openPointInTime(engine, alias);
  const fetchPage = async (after: readonly unknown[] | undefined, counted: number | undefined) => {
    const answer = await sendSearch(context, selection, {
      query,
      size: rows,
      sort: [{ [ID_FIELD]: 'asc' }],
      pit: pointInTimeBody(state),
      track_total_hits: counted === undefined,
      ...(after === undefined ? {} : { search_after: after }),
      ...sourceBody({ patterns }),
    }).catch((error: unknown) => {
      if (!isTriadError(error) || error.code !== 'unknown_cursor') throw error;
      const message = `${alias}: the search engine lost the state of the search, for example by a restart. Start a new search.`;
      throw engineUnavailable(message, 1, error);
    });
    state = answer.pit_id ?? state;
    const { hits, total } = answer.hits;
    return { documents: hits.map(foundDocument), total: counted ?? total?.value ?? 0, last: hits.at(-1)?.sort };
  };
  let ahead: ReturnType<typeof fetchPage> | undefined;
  try {
    ahead = fetchPage(undefined, undefined);
    while (ahead) {
      const page: Awaited<ReturnType<typeof fetchPage>> = await ahead;
      ahead = page.documents.length < rows ? undefined : fetchPage(page.last, page.total);
      // No one may be there to hear of it any more.
      ahead?.catch(() => undefined);
      yield page;
    }
  } finally {
    await ahead?.catch(() => undefined);
    await closePointInTime(engine, state);
  }
}
