import { sortedJson } from '../../json/sorted-json.ts';
import type { QueryResult } from '../models/query-result.ts';
import type { SourceAnswer } from './lookup-service.ts';

/** Media type of one JSON value a line. */
export const NDJSON = 'application/x-ndjson';

/** The latency and the error of a source, in the last line. */
interface SourceSummary {
  /** Milliseconds. */
  readonly latency: number;
  /** The error of all of its results, if they have the same one. */
  readonly error?: string;
}

/**
 * Yields a line for each result as soon as its source has answered.
 * The last line has `done`, and latency and error of each source.
 */
export async function* resultLines(answers: readonly Promise<SourceAnswer>[]): AsyncGenerator<string, void, undefined> {
  const summaries: Record<string, SourceSummary> = {};
  for await (const { source, results } of inOrderOfArrival(answers)) {
    summaries[source] = summaryOf(results.values());
    let lines = '';
    for (const [{ type, value }, result] of results) {
      lines += `${sortedJson({ type, value, source, result })}\n`;
      if (lines.length > CHUNK) {
        yield lines;
        lines = '';
      }
    }
    if (lines !== '') yield lines;
  }
  yield `${sortedJson({ done: true, sources: summaries })}\n`;
}

/** Characters after which lines are sent. */
const CHUNK = 65_536;

async function* inOrderOfArrival<T>(promises: readonly Promise<T>[]): AsyncGenerator<T, void, undefined> {
  const arrived: T[] = [];
  let wake = () => {};
  for (const promise of promises) {
    void promise.then((value) => {
      arrived.push(value);
      wake();
    });
  }
  for (let left = promises.length; left > 0; left -= 1) {
    if (arrived.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    yield arrived.shift() as T;
  }
}

function summaryOf(results: Iterable<QueryResult>): SourceSummary {
  let latency = 0;
  const errors = new Set<string | undefined>();
  for (const result of results) {
    latency = Math.max(latency, result.latency);
    errors.add(result.error);
  }
  const [error] = errors;
  return errors.size === 1 && error !== undefined ? { latency, error } : { latency };
}

/** Returns true when a caller prefers a stream of lines to one JSON value. */
export function wantsLines(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === NDJSON) ?? false;
}
