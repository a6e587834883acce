import type { SearchEngine } from '../transport/search-engine.ts';

/** A frozen state of the indices behind a name, held by the server for so long after its last use. */
export interface PointInTime {
  readonly id: string;
  /** Duration in the format of the server, `5m`. */
  readonly keepAlive: string;
}

/**
 * Opens a point in time of an alias or index for searches.
 * Every search extends it by `keepAlive`; the caller closes it.
 * @throws NotFound, if the index does not exist
 */
export async function openPointInTime(engine: SearchEngine, target: string, keepAlive: string): Promise<PointInTime> {
  const name = encodeURIComponent(target);
  const path = engine.vendor === 'opensearch' ? `/${name}/_search/point_in_time` : `/${name}/_pit`;
  const { body } = await engine.request<{ readonly id?: string; readonly pit_id?: string }>({
    method: 'POST',
    path,
    // Of a part of the shards OpenSearch would make one as well.
    query: { keep_alive: keepAlive, ...(engine.vendor === 'opensearch' ? { allow_partial_pit_creation: false } : {}) },
    // One too many closes itself after its time.
    repeatable: true,
  });
  return { id: body.pit_id ?? body.id ?? '', keepAlive };
}

/** Returns the body of a search at a point in time, which is sent to `/_search` without an index. */
export function pointInTimeBody({ id, keepAlive }: PointInTime): { readonly id: string; readonly keep_alive: string } {
  return { id, keep_alive: keepAlive };
}

/** Lets go of the state. Never fails: what is not closed closes itself. */
export async function closePointInTime(engine: SearchEngine, { id }: Pick<PointInTime, 'id'>): Promise<void> {
  const request =
    engine.vendor === 'opensearch'
      ? { path: '/_search/point_in_time', body: { pit_id: [id] } }
      : { path: '/_pit', body: { id } };
  await engine.request({ method: 'DELETE', accept: [404], ...request }).catch(() => undefined);
}
