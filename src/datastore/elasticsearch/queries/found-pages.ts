import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { isTriadError, Unavailable } from '../../../errors/errors.ts';
import type { CheckedSelection } from '../../port/datastore-adapter.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { FoundDocument, FoundPage } from '../documents/document-reading.ts';
import { collectionQuery } from './engine-query.ts';
import { closePointInTime, openPointInTime, pointInTimeBody } from './point-in-time.ts';
import { type SearchAnswer, sendSearch, sourceBody } from './search-call.ts';

export interface FoundPagesOptions {
  /** Documents of a page. */
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
      throw isTriadError(error) && error.code === 'unknown_cursor' ? stateLost(alias, error) : error;
    });
    state = answer.pit_id ?? state;
    return pageOf(answer, counted);
  };
  let ahead: ReturnType<typeof fetchPage> | undefined;
  try {
    ahead = fetchPage(undefined, undefined);
    while (ahead) {
      const { page, last }: Awaited<ReturnType<typeof fetchPage>> = await ahead;
      ahead = page.documents.length < rows ? undefined : fetchPage(last, page.total);
      // Nobody may be there to hear of it any more.
      ahead?.catch(() => undefined);
      yield page;
    }
  } finally {
    await ahead?.catch(() => undefined);
    await closePointInTime(engine, state);
  }
}

/** Returns the error for a state of this program that a restarted server has lost. */
function stateLost(alias: string, cause: Error): Unavailable {
  const message = `${alias}: the search engine lost the state of the search, for example by a restart. Start a new search.`;
  return new Unavailable('datastore_unavailable', message, { cause, retryAfter: 1 });
}

function pageOf(
  { hits }: SearchAnswer,
  counted: number | undefined,
): { readonly page: FoundPage; readonly last: readonly unknown[] | undefined } {
  const documents = hits.hits.map(
    ({ _id, _index, _seq_no = 0, _primary_term = 0, _source = {} }): FoundDocument => ({
      id: _id,
      index: _index,
      seq: _seq_no,
      term: _primary_term,
      source: _source,
    }),
  );
  return { page: { documents, total: counted ?? hits.total?.value ?? 0 }, last: hits.hits.at(-1)?.sort };
}
