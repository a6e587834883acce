import type { Actor } from '../../identity/actor.ts';
import type { CallerCredential } from '../../identity/caller-credential.ts';
import type { SourceSettings } from './source-settings.ts';

export type { CallerCredential };

/** For whom a source is called, and until when. */
export interface CallContext {
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
}

export interface SourceTokens {
  readonly token?: string | undefined;
  readonly originalToken?: string | undefined;
}

/** Decides which tokens of a caller a source gets. */
export interface CredentialsForSources {
  /** @throws SourceFailure `refused` when the caller has no token that the source takes */
  tokenFor(source: SourceSettings, actor: Actor, credential: CallerCredential, kind: CallKind): Promise<SourceTokens>;
}

/** Names what a call does, for limits, metrics and audit. */
export type CallKind = 'types' | 'lookup' | 'actions' | 'run_action' | 'fetchers' | 'run_fetcher';

export interface LimitedCall {
  readonly kind: CallKind;
  /** Name of the user that waits; undefined for discovery, which is for all. */
  readonly username: string | undefined;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** A call that is about to be made, for the audit log. */
export interface ReportedCall {
  readonly kind: CallKind;
  readonly source: string;
  readonly actor: Actor;
  /** Identifier of the action or fetcher. */
  readonly id?: string | undefined;
  /** Selectors that the source learns; those of an action as far as its body has them. */
  readonly selectors: readonly { readonly type: string; readonly value: string }[];
}

/** Makes the calls of one source under its limits. */
export interface CallLimits {
  /**
   * Runs `work` as soon as the limits allow it. It gets a function that resolves when one more request
   * of the same call fits the rates.
   * @throws SourceFailure `refused`, and what `work` throws
   */
  run<T>(call: LimitedCall, work: (anotherRequest: () => Promise<void>) => Promise<T>): Promise<T>;
}
