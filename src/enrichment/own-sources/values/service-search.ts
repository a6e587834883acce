import { isObject } from '../../../json/json-object.ts';
import type { ServiceClient } from '../../sources/service-client.ts';
import type { SourceCall } from '../../sources/source-client.ts';
import { SourceFailure } from '../../sources/source-failure.ts';

export interface ServiceSearch {
  readonly query: string;
  readonly fields: readonly string[];
  readonly rows: number;
  readonly sort: string;
}

/** Documents that a search found, and how many there are. */
export interface FoundDocuments {
  readonly items: readonly unknown[];
  readonly total: number;
}

/** A query has at most 100,000 characters at the services. */
export const MAX_QUERY_CHARACTERS = 100_000;

/** Searches at the alert or the analysis service, which read the same arguments. @throws SourceFailure */
export async function searchService(
  client: ServiceClient,
  path: string,
  { query, fields, rows, sort }: ServiceSearch,
  call: SourceCall,
): Promise<FoundDocuments> {
  const body = { query, fl: fields.join(','), rows, sort, track_total_hits: true };
  const { items, total } = await askService(client, path, body, call);
  if (Array.isArray(items) && typeof total === 'number') return { items, total };
  throw new SourceFailure('unusable', 'the answer to a search has no items or no total');
}

/** Posts a question within the time of the call. @throws SourceFailure */
export async function askService(
  client: ServiceClient,
  path: string,
  body: object,
  call: SourceCall,
): Promise<Readonly<Record<string, unknown>>> {
  const timeout = Math.max(1, call.deadline - Date.now());
  const found = await client.ask(path, call, { method: 'POST', body: { ...body, timeout } });
  if (isObject(found)) return found;
  throw new SourceFailure('unusable', 'the answer to a search is not an object');
}
