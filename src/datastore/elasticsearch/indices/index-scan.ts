import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import { compareCodePoints } from '../../regular-language/code-points.ts';
import type { IndexContext } from '../collection-context.ts';
import { readDocuments } from '../documents/document-reading.ts';
import { documentOf } from '../documents/document-source.ts';
import { closePointInTime, openPointInTime, pointInTimeBody } from '../queries/point-in-time.ts';
import { type HitList, rejectPart, type SearchAnswer } from '../queries/search-call.ts';
import type { SearchEngine } from '../transport/search-engine.ts';

export interface ScannedDocument {
  readonly id: string;
  readonly document: Record<string, unknown>;
}

const ID_BATCH = 10_000;

/** Yields all documents of an index in batches, by identifier, after `after`; throws `index_missing`. */
export async function* scanIndex(
  { engine, limits }: Pick<IndexContext, 'engine' | 'limits'>,
  index: string,
  { after = '', batch }: { readonly after?: string | undefined; readonly batch: number },
): AsyncIterable<readonly ScannedDocument[]> {
  const path = `/${encodeURIComponent(index)}`;
  await engine.request({ method: 'POST', path: `${path}/_refresh`, repeatable: true });
  if (await isOrdered(engine, path)) {
    yield* byField(engine, path, after, batch);
    return;
  }
  // Servers do not sort by `_id`: all names are fetched and sorted here, then the documents by name.
  const names = (await namesOf(engine, index)).filter((name) => compareCodePoints(name, after) > 0);
  names.sort(compareCodePoints);
  const context = { engine, limits, alias: index, indices: async () => [index] };
  for (let start = 0; start < names.length; start += batch) {
    const found = await readDocuments(context, names.slice(start, start + batch));
    const documents = found.flatMap((one) => (one ? [{ id: one.id, document: documentOf<Document>(one.source) }] : []));
    if (documents.length > 0) yield documents;
  }
}

type Document = ScannedDocument['document'];

/** An answer without a part of the shards would leave documents out. @throws as `rejectPart` */
async function searchWhole(engine: SearchEngine, path: string, body: object): Promise<HitList> {
  const answer = await engine.request<SearchAnswer>({ method: 'POST', path, body, repeatable: true });
  rejectPart(answer.body._shards);
  return answer.body.hits;
}

/** Returns whether all documents repeat their identifier as a field, as those of Howler and ours do. */
async function isOrdered(engine: SearchEngine, path: string): Promise<boolean> {
  const { total } = await searchWhole(engine, `${path}/_search`, {
    size: 0,
    track_total_hits: 1,
    query: { bool: { must_not: [{ exists: { field: ID_FIELD } }] } },
  });
  return total?.value === 0;
}

async function* byField(
  engine: SearchEngine,
  path: string,
  after: string,
  batch: number,
): AsyncIterable<readonly ScannedDocument[]> {
  let last = after;
  for (;;) {
    const { hits } = await searchWhole(engine, `${path}/_search`, {
      size: batch,
      track_total_hits: false,
      // An index without documents may be without the field, too.
      sort: [{ [ID_FIELD]: { order: 'asc', unmapped_type: 'keyword' } }],
      ...(last === '' ? {} : { search_after: [last] }),
    });
    const end = hits.at(-1);
    if (end === undefined) return;
    last = String(end.sort?.[0] ?? end._id);
    yield hits.map(({ _id, _source = {} }) => ({ id: _id, document: documentOf<Document>(_source) }));
    if (hits.length < batch) return;
  }
}

async function namesOf(engine: SearchEngine, index: string): Promise<string[]> {
  const frozen = await openPointInTime(engine, index);
  try {
    const names: string[] = [];
    let last: readonly unknown[] | undefined;
    for (;;) {
      const { hits } = await searchWhole(engine, '/_search', {
        size: ID_BATCH,
        _source: false,
        track_total_hits: false,
        pit: pointInTimeBody(frozen),
        sort: [{ _shard_doc: 'asc' }],
        ...(last === undefined ? {} : { search_after: last }),
      });
      for (const { _id } of hits) names.push(_id);
      last = hits.at(-1)?.sort;
      if (last === undefined || hits.length < ID_BATCH) return names;
    }
  } finally {
    await closePointInTime(engine, frozen);
  }
}
