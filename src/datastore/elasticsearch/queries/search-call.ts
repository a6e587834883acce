import { Unavailable } from '../../../errors/errors.ts';
import type { CheckedSelection } from '../../port/datastore-adapter.ts';
import type { FieldPick } from '../../port/picked-fields.ts';
import type { SearchItem } from '../../port/search.ts';
import { versionOf } from '../../port/versions.ts';
import type { CollectionContext, EngineLimits } from '../collection-context.ts';
import type { StoredDocument } from '../documents/document-reading.ts';
import { documentOf } from '../documents/document-source.ts';
import { type EngineCause, engineUnavailable, itemError } from '../transport/engine-errors.ts';
import type { Dsl } from './engine-values.ts';
import type { EngineSortValue } from './sort-clauses.ts';

export interface SearchAnswer {
  readonly timed_out?: boolean;
  readonly pit_id?: string;
  readonly _shards?: AnsweredShards;
  readonly hits: HitList;
  readonly aggregations?: Readonly<Record<string, unknown>>;
}

export interface AnsweredShards {
  readonly total?: number;
  readonly successful?: number;
  readonly failed?: number;
  readonly failures?: readonly { readonly status?: number; readonly reason?: EngineCause }[];
}

export interface HitList {
  readonly total?: { readonly value: number };
  readonly hits: readonly Hit[];
}

export interface Hit extends StoredDocument {
  readonly sort?: readonly EngineSortValue[];
  readonly fields?: Readonly<Record<string, readonly (string | number | bigint | null)[]>>;
  readonly inner_hits?: Readonly<Record<string, { readonly hits: HitList }>>;
}

/** Timeout and cancellation of a search. Default: a part of the configured transport timeout. */
export type Patience = Pick<CheckedSelection, 'timeout' | 'signal'>;

type Searched = Pick<CollectionContext<unknown>, 'engine' | 'limits' | 'alias'>;

/** Sends a search and takes only whole answers; throws `search_timeout`, as `SearchEngine.request`. */
export async function sendSearch(context: Searched, patience: Patience, body: Dsl): Promise<SearchAnswer> {
  const answer = await trySearch(context, patience, body, []);
  if (answer) return answer;
  throw new Error('a search was answered with a status that it does not accept');
}

export async function countMatches(context: Searched, patience: Patience, query: Dsl): Promise<number> {
  const { hits } = await sendSearch(context, patience, { query, size: 0, track_total_hits: true });
  return hits.total?.value ?? 0;
}

/** Asks for figures alone. @throws as `sendSearch` */
export async function aggregate<Answer>(context: Searched, patience: Patience, query: Dsl, aggs: Dsl): Promise<Answer> {
  const { aggregations } = await sendSearch(context, patience, { query, size: 0, track_total_hits: false, aggs });
  return aggregations as Answer;
}

/** Sends a search; returns undefined for a response with a status of `accept`. */
export async function trySearch(
  { engine, limits, alias }: Searched,
  { timeout, signal }: Patience,
  body: Dsl,
  accept: readonly number[],
): Promise<SearchAnswer | undefined> {
  const { server, transport } = timeouts(limits, timeout);
  const frozen = 'pit' in body;
  const asked = engine.request<SearchAnswer>({
    method: 'POST',
    path: frozen ? '/_search' : `/${encodeURIComponent(alias)}/_search`,
    body: { ...body, timeout: `${server}ms` },
    timeout: transport,
    repeatable: true,
    accept,
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = await asked.catch((error: unknown) => {
    throw signal?.aborted ? searchTimeout(server) : error;
  });
  if (answer.status >= 400) return undefined;
  const { timed_out, _shards } = answer.body;
  if (timed_out === true) throw searchTimeout(server);
  rejectPart(_shards);
  return answer.body;
}

/** Refuses partial answers; a shard on no node counts as failed, or is only missing in `successful`. */
export function rejectPart({ total = 0, successful = total, failed = 0, failures = [] }: AnsweredShards = {}): void {
  const [failure] = failures;
  if (failure?.reason) throw itemError(failure.reason, failure.status ?? 503);
  if (failed === 0 && successful >= total) return;
  throw engineUnavailable('A part of the search engine gave no answer. Try again.', 1);
}

/** Part of the transport timeout that the server gets, so that its own word arrives first. */
const SERVER_PART = 0.9;
/** Milliseconds between the server's giving up and ours. */
const GRACE = 1000;

function timeouts({ transportTimeout }: EngineLimits, given: number | undefined) {
  if (given === undefined) return { server: Math.ceil(transportTimeout * SERVER_PART), transport: transportTimeout };
  const server = Math.max(1, Math.ceil(given));
  return { server, transport: Math.max(transportTimeout, server + GRACE) };
}

function searchTimeout(milliseconds: number): Unavailable {
  const message = `The search was given up after ${milliseconds / 1000} s. Narrow it, or allow more time.`;
  return new Unavailable('search_timeout', message);
}

/** A pattern that the servers read as we do: a path, or all below one. */
const PLAIN = /^[^*]+(?:\.\*)?$/;

/** Returns the source filter and version options; `itemOf` removes properties sent in excess. */
export function sourceBody({ patterns }: Pick<FieldPick, 'patterns'>): Dsl {
  const version = { seq_no_primary_term: true };
  if (!patterns?.every((pattern) => PLAIN.test(pattern))) return version;
  return { ...version, _source: patterns.length === 0 ? false : { includes: patterns } };
}

export function itemOf<T>(hit: Hit, collection: string, { pick }: FieldPick): SearchItem<T> {
  const { _id: id, _index: index, _seq_no: seq, _primary_term: term } = hit;
  const version = seq === undefined || term === undefined ? undefined : versionOf({ index, seq, term });
  const document = pick(documentOf<Record<string, unknown>>(hit._source ?? {})) as T;
  return { id, collection, version, document };
}
