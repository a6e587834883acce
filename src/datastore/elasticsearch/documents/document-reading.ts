import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexContext } from '../collection-context.ts';
import { itemError } from '../transport/engine-errors.ts';
import { exponentialBackoff } from '../transport/search-engine-client.ts';
import type { EngineSource } from './document-source.ts';

export interface FoundDocument {
  readonly id: string;
  readonly index: string;
  readonly seq: number | bigint;
  readonly term: number | bigint;
  readonly source: EngineSource;
}

export interface FoundPage {
  readonly documents: readonly FoundDocument[];
  /** All matches. */
  readonly total: number;
}

/** A document in an answer of the server. */
export interface StoredDocument {
  readonly _index: string;
  readonly _id: string;
  readonly _source?: EngineSource;
  /** With `seq_no_primary_term` in the body of a search. */
  readonly _seq_no?: number | bigint;
  readonly _primary_term?: number | bigint;
}

interface AnsweredDocument extends StoredDocument {
  readonly found?: boolean;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

export interface ReadOptions {
  /** Default true. False: empty sources. */
  readonly source?: boolean;
  /** Milliseconds for each request; default: the transport timeout. */
  readonly timeout?: number;
}

/** Documents in one request: with large ones the answer is still of a size that is read at once. */
const READ_AT_ONCE = 500;

/**
 * Reads documents in the order of `ids`, from the newest index; sees every acknowledged write.
 * @see https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-mget
 */
export async function readDocuments(
  context: IndexContext,
  ids: readonly string[],
  options: ReadOptions = {},
): Promise<(FoundDocument | undefined)[]> {
  const found: (FoundDocument | undefined)[] = [];
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    found.push(...(await readSome(context, ids.slice(start, start + READ_AT_ONCE), options)));
  }
  return found;
}

/** Every place in `indices` where the documents lie, without their sources. */
export async function placesOf(
  context: IndexContext,
  ids: readonly string[],
  indices: readonly string[],
): Promise<FoundDocument[]> {
  const pairs = ids.flatMap((id) => indices.map((index) => ({ _index: index, _id: id })));
  const places: FoundDocument[] = [];
  for (let start = 0; start < pairs.length; start += READ_AT_ONCE) {
    const docs = pairs.slice(start, start + READ_AT_ONCE);
    for (const document of await ask(context, '/_mget', { docs }, { source: false })) {
      const place = foundOf(document);
      if (place) places.push(place);
    }
  }
  return places;
}

async function readSome(
  context: IndexContext,
  ids: readonly string[],
  options: ReadOptions,
): Promise<(FoundDocument | undefined)[]> {
  const { alias, indices } = context;
  const known = await indices();
  if (known.length <= 1) {
    // By the alias, which may have moved on to another index.
    const documents = await ask(context, `/${encodeURIComponent(alias)}/_mget`, { ids }, options);
    if (!documents.some(isAmbiguous)) return documents.map(foundOf);
    return readIn(context, await indices({ fresh: true }), ids, options);
  }
  const found = await readIn(context, known, ids, options);
  const missing = found.flatMap((document, at) => (document === undefined ? [at] : []));
  if (missing.length === 0) return found;
  const added = (await indices({ fresh: true })).filter((index) => !known.includes(index));
  if (added.length === 0) return found;
  const late = await readIn(
    context,
    added,
    missing.map((at) => ids[at] ?? ''),
    options,
  );
  for (const [position, at] of missing.entries()) found[at] = late[position];
  return found;
}

async function readIn(
  context: IndexContext,
  indices: readonly string[],
  ids: readonly string[],
  options: ReadOptions,
): Promise<(FoundDocument | undefined)[]> {
  if (indices.length === 0) return ids.map(() => undefined);
  const docs = ids.flatMap((id) => indices.map((index) => ({ _index: index, _id: id })));
  const documents = await ask(context, '/_mget', { docs }, options);
  return ids.map((_, at) => {
    const places = documents.slice(at * indices.length, (at + 1) * indices.length);
    return places.map(foundOf).find((place) => place !== undefined);
  });
}

/** Asks again, for the time of a request, while shards of a new or just opened index are missing. */
async function ask(
  context: IndexContext,
  path: string,
  body: object,
  { source = true, timeout = context.limits.transportTimeout }: ReadOptions,
): Promise<readonly AnsweredDocument[]> {
  const deadline = performance.now() + timeout;
  let left = timeout;
  for (let attempt = 0; ; attempt += 1) {
    const answer = await context.engine.request<{ readonly docs: readonly AnsweredDocument[] }>({
      method: 'POST',
      path,
      body,
      repeatable: true,
      timeout: left,
      ...(source ? {} : { query: { _source: false } }),
    });
    const { docs } = answer.body;
    const pause = exponentialBackoff(attempt, PAUSES);
    left = Math.round(deadline - performance.now() - pause);
    if (left <= 0 || !docs.some(({ error }) => error?.type === NO_SHARD)) return docs;
    await sleep(pause);
  }
}

const NO_SHARD = 'no_shard_available_action_exception';
const PAUSES = { first: 20, longest: 500 };

/** Errors that mean that there is no such document: the index is gone, or the identifier impossible. */
const NOWHERE: ReadonlySet<string | undefined> = new Set(['index_not_found_exception', 'illegal_argument_exception']);

/** Throws as `itemError` if the server could not look: missing shards must not hide documents. */
function foundOf(document: AnsweredDocument): FoundDocument | undefined {
  const { found, error } = document;
  if (error !== undefined && !NOWHERE.has(error.type)) throw itemError(error, 503);
  return found === true ? foundDocument(document) : undefined;
}

export function foundDocument(stored: StoredDocument): FoundDocument {
  const { _id: id, _index: index, _seq_no: seq = 0, _primary_term: term = 0, _source: source = {} } = stored;
  return { id, index, seq, term, source };
}

/** The server does not read by an alias of several indices. */
function isAmbiguous({ error }: AnsweredDocument): boolean {
  return error?.type === 'illegal_argument_exception' && /more than one ind/.test(error.reason ?? '');
}
