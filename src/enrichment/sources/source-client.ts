import type { Actor } from '../../identity/actor.ts';

/** The deadline and the rights of one call to a source. */
export interface SourceCall {
  /** Aborts when the caller is gone; nothing is done for them any more. */
  readonly signal: AbortSignal;
  /**
   * Milliseconds since 1970 by which the answer has to be there; connecting, sending and reading
   * share them.
   */
  readonly deadline: number;
  /** For `Authorization`. */
  readonly token?: string | undefined;
  /** The caller's own token when `token` was exchanged for it, for `X-Clue-Authorization`. */
  readonly originalToken?: string | undefined;
  /** For sources in process, which have the caller's rights without a token. */
  readonly caller: Pick<Actor, 'username' | 'classification'>;
  /**
   * Waits until one request more than the first fits the rates of the source. Absent: there are none.
   * @throws SourceFailure `refused` when none fits before the deadline
   */
  readonly anotherRequest?: (() => Promise<void>) | undefined;
}

/** Options of a lookup, as its caller gave them. */
export interface LookupFlags {
  /** Items for one value; sources limit it further. */
  readonly limit: number;
  /** Seconds, as the caller sent them; a source gets a little less. */
  readonly maxTimeout: number;
  readonly noAnnotation: boolean;
  readonly includeRaw: boolean;
  readonly noCache: boolean;
}

/** A value that is looked up, as the protocol of plugins writes it. */
export interface SourceSelector {
  readonly type: string;
  readonly value: string;
  readonly classification: string;
  readonly sources?: readonly string[] | null | undefined;
}

/**
 * Talks to one source: a plugin over HTTP, or code in this process (contract/enrichment.md section
 * 4). Answers are the content of the envelope, not validated. Safe for concurrent use.
 *
 * Every method but `close` rejects with SourceFailure, at the latest at the deadline of the call.
 * Lookups and listings may be repeated within the deadline; actions and fetchers are called once.
 */
export interface SourceClient {
  /** Returns the classification of each type that the source offers. */
  types(call: SourceCall): Promise<unknown>;
  /** Looks up many values: `{type: {value: {items, error?}}}`. */
  lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown>;
  /** Looks up one value: a list of entries. @param value as it is, without any encoding */
  lookupOne(type: string, value: string, flags: LookupFlags, call: SourceCall): Promise<unknown>;
  actions(call: SourceCall): Promise<unknown>;
  runAction(id: string, body: unknown, call: SourceCall): Promise<unknown>;
  fetchers(call: SourceCall): Promise<unknown>;
  runFetcher(id: string, selector: unknown, call: SourceCall): Promise<unknown>;
  /** Ends what is under way and closes connections. */
  close(): Promise<void>;
}
