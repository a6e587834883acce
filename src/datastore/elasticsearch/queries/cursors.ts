import { InvalidInput } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { CheckedCursor, CursorPage } from '../../port/datastore-adapter.ts';
import type { CollectionContext } from '../collection-context.ts';
import { collectionQuery } from './engine-query.ts';
import { closePointInTime, openPointInTime, pointInTimeBody } from './point-in-time.ts';
import { type Hit, itemOf, sendSearch, sourceBody, trySearch } from './search-call.ts';
import { type EngineSortValue, engineSort } from './sort-clauses.ts';

/** The position of a cursor. Callers hold its serialized form, so that any process can continue. */
interface Place {
  readonly id: string;
  readonly after: readonly EngineSortValue[];
  readonly total: number;
}

/** A page of a cursor; query, order and access come with each request; throws `unknown_cursor`. */
export async function cursorPage<T>(context: CollectionContext<T>, request: CheckedCursor): Promise<CursorPage<T>> {
  const { rows, cursor, fields } = request;
  const place = cursor === undefined ? undefined : readPlace(cursor);
  const sort = engineSort(context.definition, request.sort, {
    // Regardless of what there is now: after a rollover the next page has to be asked for in the order of the first.
    severalIndices: true,
    unique: true,
  });
  const query = await collectionQuery(context, request);
  const id = place?.id ?? (await openPointInTime(context.engine, context.alias));
  const body = {
    query,
    size: rows,
    sort: sort.body,
    pit: pointInTimeBody(id),
    ...sourceBody(fields),
    ...(place ? { search_after: place.after, track_total_hits: false } : { track_total_hits: true }),
  };
  // The server took the query when the cursor was opened: what it refuses of a later page is the place.
  const answer = place
    ? await trySearch(context, request, body, [400, 404])
    : await sendSearch(context, request, body).catch(async (error: unknown) => {
        await closePointInTime(context.engine, id);
        throw error;
      });
  if (!answer) throw unknownCursor();
  const { hits } = answer.hits;
  await assertSelf(context, hits);
  const total = place?.total ?? answer.hits.total?.value ?? 0;
  const last = hits.at(-1);
  const items = hits.map((hit) => itemOf<T>(hit, context.definition.name, fields));
  const present = answer.pit_id ?? id;
  if (last?.sort === undefined || hits.length < rows) {
    await closePointInTime(context.engine, present);
    return { items, total, nextCursor: undefined };
  }
  return { items, total, nextCursor: writePlace({ id: present, after: last.sort, total }) };
}

/** A cursor of another collection would show its documents past the access that they need. */
async function assertSelf<T>(context: CollectionContext<T>, hits: readonly Hit[]): Promise<void> {
  const known = await context.indices();
  if (hits.every(({ _index }) => known.includes(_index))) return;
  const present = await context.indices({ fresh: true });
  if (!hits.every(({ _index }) => present.includes(_index))) throw unknownCursor();
}

function writePlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readPlace(cursor: string): Place {
  try {
    const place = parseJson(Buffer.from(cursor, 'base64url').toString()) as Partial<Place> | null;
    const { id, after, total } = place ?? {};
    if (typeof id === 'string' && Array.isArray(after) && typeof total === 'number') return { id, after, total };
  } catch {
    // No text of ours: said below.
  }
  throw unknownCursor();
}

function unknownCursor(): InvalidInput {
  return new InvalidInput('unknown_cursor', 'The cursor is not known, or was not used for 5 minutes. Start again.', {
    at: 'cursor',
  });
}
