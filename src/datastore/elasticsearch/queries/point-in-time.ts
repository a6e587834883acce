import type { SearchEngine } from '../transport/search-engine.ts';

/** Time for which the server keeps a state after its last use, in the format of the server. */
const KEEP_ALIVE = '5m';

/** Opens a point in time; every search extends it and may rename it. The caller closes it. */
export async function openPointInTime(engine: SearchEngine, target: string): Promise<string> {
  const name = encodeURIComponent(target);
  const isOpenSearch = engine.vendor === 'opensearch';
  const { body } = await engine.request<{ readonly id?: string; readonly pit_id?: string }>({
    method: 'POST',
    path: isOpenSearch ? `/${name}/_search/point_in_time` : `/${name}/_pit`,
    // Of a part of the shards OpenSearch would make one as well.
    query: { keep_alive: KEEP_ALIVE, ...(isOpenSearch ? { allow_partial_pit_creation: false } : {}) },
    // One too many closes itself after its time.
    repeatable: true,
  });
  return body.pit_id ?? body.id ?? '';
}

/** Returns the body of a search at a point in time, which is sent to `/_search` without an index. */
export function pointInTimeBody(id: string): { readonly id: string; readonly keep_alive: string } {
  return { id, keep_alive: KEEP_ALIVE };
}

/** Lets go of the state. Never fails: what is not closed closes itself. */
export async function closePointInTime(engine: SearchEngine, id: string): Promise<void> {
  const request =
    engine.vendor === 'opensearch'
      ? { path: '/_search/point_in_time', body: { pit_id: [id] } }
      : { path: '/_pit', body: { id } };
  await engine.request({ method: 'DELETE', accept: [404], ...request }).catch(() => undefined);
}
