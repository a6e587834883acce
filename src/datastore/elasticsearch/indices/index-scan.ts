import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { compareCodePoints } from '../../regular-language/code-points.ts';
import type { EngineSource } from '../documents/document-source.ts';
import { closePointInTime, openPointInTime, pointInTimeBody } from '../queries/point-in-time.ts';
import { type AnsweredShards, rejectPart } from '../queries/search-call.ts';
import { type EngineCause, itemError } from '../transport/engine-errors.ts';
import type { SearchEngine } from '../transport/search-engine.ts';

export interface ScannedSource {
  readonly id: string;
  /** The document as stored by the server, without the identifier. */
  readonly source: EngineSource;
}

interface Hit {
  readonly _id: string;
  readonly _source?: EngineSource;
  readonly sort?: readonly unknown[];
}
interface Found {
  readonly _shards?: AnsweredShards;
  readonly hits: { readonly hits: readonly Hit[]; readonly total?: { readonly value: number } };
}

interface NamedHit extends Hit {
  readonly found?: boolean;
  readonly error?: EngineCause;
}

const ID_BATCH = 10_000;
const KEEP_ALIVE = '5m';

/**
 * Every document of one index in batches, in order of identifier, after `after`.
 * @throws NotFound `index_missing`
 */
export async function* scanIndex(
  engine: SearchEngine,
  index: string,
  { after = '', batch }: { readonly after?: string | undefined; readonly batch: number },
): AsyncIterable<readonly ScannedSource[]> {
  const path = `/${encodeURIComponent(index)}`;
  await engine.request({ method: 'POST', path: `${path}/_refresh`, repeatable: true });
  const batches = (await isOrdered(engine, path))
    ? byField(engine, path, after, batch)
    : byNames(engine, index, after, batch);
  for await (const hits of batches) {
    yield hits.map(({ _id, _source = {} }) => {
      delete _source[ID_FIELD];
      return { id: _id, source: _source };
    });
  }
}

/** An answer without a part of the shards would leave documents out. @throws as `rejectPart` */
async function searchWhole(engine: SearchEngine, path: string, body: object): Promise<Found> {
  const answer = await engine.request<Found>({ method: 'POST', path, body, repeatable: true });
  rejectPart(answer.body._shards);
  return answer.body;
}

/**
 * Returns whether every document repeats its identifier as a field, as documents of Howler and this
 * program do.
 */
async function isOrdered(engine: SearchEngine, path: string): Promise<boolean> {
  const { hits } = await searchWhole(engine, `${path}/_search`, {
    size: 0,
    track_total_hits: 1,
    query: { bool: { must_not: [{ exists: { field: ID_FIELD } }] } },
  });
  return hits.total?.value === 0;
}

async function* byField(
  engine: SearchEngine,
  path: string,
  after: string,
  batch: number,
): AsyncIterable<readonly Hit[]> {
  let last = after;
  for (;;) {
    const { hits } = (
      await searchWhole(engine, `${path}/_search`, {
        size: batch,
        track_total_hits: false,
        // An index without documents may be without the field, too.
        sort: [{ [ID_FIELD]: { order: 'asc', unmapped_type: 'keyword' } }],
        ...(last === '' ? {} : { search_after: [last] }),
      })
    ).hits;
    if (hits.length > 0) yield hits;
    const end = hits.at(-1);
    if (end === undefined || hits.length < batch) return;
    last = String(end.sort?.[0] ?? end._id);
  }
}

/** Servers do not sort by `_id`: all names are fetched and sorted here, then the documents by name. */
async function* byNames(
  engine: SearchEngine,
  index: string,
  after: string,
  batch: number,
): AsyncIterable<readonly Hit[]> {
  const names = (await namesOf(engine, index)).filter((name) => compareCodePoints(name, after) > 0);
  names.sort(compareCodePoints);
  for (let start = 0; start < names.length; start += batch) {
    const { body } = await engine.request<{ docs: readonly NamedHit[] }>({
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_mget`,
      body: { ids: names.slice(start, start + batch) },
      repeatable: true,
    });
    for (const { error } of body.docs) if (error) throw itemError(error, 503);
    const found = body.docs.filter((hit) => hit.found === true);
    if (found.length > 0) yield found;
  }
}

async function namesOf(engine: SearchEngine, index: string): Promise<string[]> {
  const frozen = await openPointInTime(engine, index, KEEP_ALIVE);
  try {
    const names: string[] = [];
    let last: readonly unknown[] | undefined;
    for (;;) {
      const { hits } = (
        await searchWhole(engine, '/_search', {
          size: ID_BATCH,
          _source: false,
          track_total_hits: false,
          pit: pointInTimeBody(frozen),
          sort: [{ _shard_doc: 'asc' }],
          ...(last === undefined ? {} : { search_after: last }),
        })
      ).hits;
      for (const { _id } of hits) names.push(_id);
      last = hits.at(-1)?.sort;
      if (last === undefined || hits.length < ID_BATCH) return names;
    }
  } finally {
    await closePointInTime(engine, frozen);
  }
}
