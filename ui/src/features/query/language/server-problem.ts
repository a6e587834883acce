import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';
import type { QueryProblem as ParserProblem } from '../../../../../src/datastore/regular-language/query-problems.ts';
import { endOf, tokensOf } from './query-tokens.ts';

/** A mistake in a query and the place to underline. */
export type QueryProblem = Place &
  /** `problem`: the reason in a form that can be translated, where the parser of this page gave it. */
  (
    | { readonly kind: 'refused'; readonly message: string; readonly problem?: ParserProblem | undefined }
    /** The query is valid, and no record has such a field. */
    | { readonly kind: 'unknown_field'; readonly field: string; readonly similar: string | undefined }
  );

interface Place {
  readonly from: number;
  readonly to: number;
}

/** A refusal of the server; `ApiProblem` is one. */
export interface ServerRefusal {
  readonly message: string;
  /** Position in the text of the query, or the part of the request that it is about: `filters.0`. */
  readonly at?: string | number | undefined;
  readonly problem?: ParserProblem | undefined;
}

/**
 * Returns a refusal of the server as a problem of the text that it refused. Nothing in the text is
 * marked where another part of the request was refused.
 */
export function serverProblem(text: string, { message, at, problem }: ServerRefusal): QueryProblem {
  const isElsewhere = typeof at === 'number' ? at > text.length : at !== undefined && at !== 'query';
  const all = { from: 0, to: isElsewhere ? 0 : text.length };
  const place = typeof at === 'number' && !isElsewhere ? placeAt(text, at) : all;
  return { kind: 'refused', message: withoutQuery(message, text), problem, ...place };
}

/** Returns the index of the refused one of the filters that were sent; undefined otherwise. */
export function refusedFilter({ at }: ServerRefusal): number | undefined {
  const index = typeof at === 'string' ? /^filters\.(\d+)$/.exec(at)?.[1] : undefined;
  return index === undefined ? undefined : Number(index);
}

/** The alert service repeats the query before the reason. */
function withoutQuery(message: string, text: string): string {
  const repeated = ['SearchException: ', `SearchException on query ${text}: `];
  const prefix = repeated.find((one) => message.startsWith(one)) ?? '';
  return message.slice(prefix.length);
}

/** Returns the token at a position; the last one where the query ends too early. */
function placeAt(text: string, at: number): Place {
  const from = Math.max(0, Math.min(at, text.length));
  if (text.length > MAX_QUERY_LENGTH) return { from: MAX_QUERY_LENGTH, to: text.length };
  const tokens = tokensOf(text);
  const token = tokens.find((one) => one.at <= from && from < endOf(one, text)) ?? tokens.at(-1);
  return token ? { from: token.at, to: endOf(token, text) } : { from: 0, to: text.length };
}
