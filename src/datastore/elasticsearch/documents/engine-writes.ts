import type { EngineLimits } from '../collection-context.ts';
import type { EngineCause } from '../transport/engine-errors.ts';

export interface EngineWrite {
  readonly id: string;
  /** Physical index; undefined: the write index of the alias. */
  readonly index: string | undefined;
  /** `create` is refused where there is a document. */
  readonly action: 'index' | 'create' | 'delete';
  /** JSON of the document, with its identifier; undefined for `delete`. */
  readonly source?: string;
  /** Refused unless the document is in this state. Not with `create`. */
  readonly condition?: { readonly seq: number | bigint | string; readonly term: number | bigint | string } | undefined;
}

export type EngineWriteOutcome =
  | {
      readonly ok: true;
      readonly index: string;
      readonly seq: number | bigint;
      readonly term: number | bigint;
      readonly existed: boolean;
    }
  | {
      readonly ok: false;
      /** An error of the port. Errors that no caller can cause are plain Errors. */
      readonly error: Error;
      /** True if the response to an attempt was lost, so that its outcome is unknown. Default false. */
      readonly uncertain?: boolean;
    };

export interface AnsweredWrite {
  readonly _index: string;
  readonly _seq_no?: number | bigint;
  readonly _primary_term?: number | bigint;
  readonly result?: 'created' | 'updated' | 'deleted' | 'not_found';
  readonly status: number;
  readonly error?: EngineCause;
}

export interface BulkAnswer {
  readonly items: readonly Readonly<Record<string, AnsweredWrite>>[];
}

/** Bytes that the line about a document takes beside it. */
const ACTION_BYTES = 200;
/** Bytes from which two parallel requests are faster than one; never more than the configured size. */
const WELL_SIZED = 8_000_000;

/** Yields bulk lines (https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk). */
export function* linesOf(
  writes: Iterable<EngineWrite>,
  { alias, isIndex }: { readonly alias: string; readonly isIndex: boolean },
): Iterable<string> {
  for (const { action, id, index, source, condition } of writes) {
    const head = `{"${action}":{"_index":${JSON.stringify(index ?? alias)},"_id":${JSON.stringify(id)}`;
    // Without the alias the server would make an index of that name; older installations have one.
    const alone = index === undefined && !isIndex ? ',"require_alias":true' : '';
    const only = condition ? `,"if_seq_no":${condition.seq},"if_primary_term":${condition.term}` : '';
    yield `${head}${alone}${only}}}`;
    if (source !== undefined) yield source;
  }
}

/** Yields positions of the writes of each request; a document that is too large for any goes alone. */
export function chunksOf(
  writes: readonly EngineWrite[],
  { requestBatchSize, maxRequestSize }: Pick<EngineLimits, 'requestBatchSize' | 'maxRequestSize'>,
): number[][] {
  const largest = Math.min(maxRequestSize, WELL_SIZED);
  const chunks: number[][] = [];
  let chunk: number[] = [];
  let bytes = 0;
  for (const [at, { source = '' }] of writes.entries()) {
    const size = Buffer.byteLength(source) + ACTION_BYTES;
    if (chunk.length > 0 && (chunk.length >= requestBatchSize || bytes + size > largest)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(at);
    bytes += size;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
