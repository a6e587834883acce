import { randomBytes } from 'node:crypto';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import type { CachedLookup } from '../limits/cached-lookup.ts';
import { LoopTurns } from '../limits/loop-turns.ts';
import { isRecord, sortedPresent } from '../models/json-record.ts';
import { accessibleItems, type QueryResult, type SentResult } from '../models/query-result.ts';
import type { Selector } from '../models/selector.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';
import { InvalidAnswer, readBulkAnswer, readItems } from './bulk-answer.ts';
import type { CallContext, CallKind, CallLimits, CredentialsForSources, ReportedCall } from './call-context.ts';
import { callerKey } from './caller-key.ts';
import { failureText } from './failure-text.ts';
import { OfferedTypes, type TypeClassifications } from './offered-types.ts';
import type { LookupFlags, SourceCall, SourceClient } from './source-client.ts';
import { SourceFailure, sourceFailure } from './source-failure.ts';
import type { SourceSettings } from './source-settings.ts';
import { splitLookup } from './split-lookup.ts';

export interface SourceDependencies {
  readonly settings: SourceSettings;
  readonly client: SourceClient;
  readonly engine: ClassificationEngine;
  readonly supportedTypes: SupportedTypes;
  readonly credentials: CredentialsForSources;
  /** Default: none. */
  readonly limits?: CallLimits | undefined;
  /** Answers of lookups that are kept. Default: none. */
  readonly cache?: CachedLookup | undefined;
  /** Is told of each call for a user before it is made. Must not throw. */
  readonly onCall?: ((call: ReportedCall) => void) | undefined;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds since 1970; for tests. Default: the clock of the machine. */
  readonly now?: () => number;
}

/** Milliseconds that a source may take to name its types. */
const DISCOVERY_TIMEOUT = 3_000;
const NEVER = new AbortController().signal;
/** Selectors of a lookup whose work is spread over turns of the event loop. */
const MANY = 20;
/** A burst of 200 lookups of 100 values delays the event loop (p99) by 50 ms instead of 400 ms. */
const loopTurns = new LoopTurns();
const NOTHING = { selectors: [] };
const inOrder = sortedPresent<QueryResult>();
const NO_ONE = { username: '', classification: '' };

/**
 * One source, as the routes call it: with the caller's token, within the limits of the source, and
 * without anything above the caller's classification. Safe for concurrent use.
 */
export class Source {
  readonly settings: SourceSettings;
  readonly #dependencies: SourceDependencies;
  readonly #types: OfferedTypes;

  constructor(dependencies: SourceDependencies) {
    const { settings, client, engine, supportedTypes, now = Date.now } = dependencies;
    this.settings = settings;
    this.#dependencies = dependencies;
    this.#types = new OfferedTypes({
      engine,
      supportedTypes,
      now,
      ask: () => {
        const deadline = Date.now() + DISCOVERY_TIMEOUT;
        const call = { deadline, signal: NEVER, caller: NO_ONE };
        return this.#limited('types', undefined, call, () => client.types(call));
      },
      onFailure: (error) => this.#report(error, 'does not name its types'),
    });
  }

  isVisibleTo({ classification }: Pick<Actor, 'classification'>): boolean {
    return this.#dependencies.engine.isAccessible(classification, this.settings.classification, true);
  }

  /** Returns true when the source may be sent something of this classification. */
  accepts(classification: string): boolean {
    return this.#dependencies.engine.isAccessible(this.settings.maxClassification, classification, true);
  }

  /**
   * Returns the types that the source offers and the actor may know of, with their classifications;
   * undefined when it does not answer. Answers are kept for five minutes.
   */
  types({ classification }: Pick<Actor, 'classification'>): Promise<TypeClassifications | undefined> {
    return this.#types.visibleTo(classification);
  }

  /**
   * Returns all types that the source offers, also those above a caller; undefined when it does not
   * answer.
   */
  offers(): Promise<ReadonlySet<string> | undefined> {
    return this.#types.all();
  }

  /**
   * Looks up values with one call. Never rejects: a failure is the error of every result. Values
   * that the source leaves out are absent.
   */
  async lookup(
    selectors: readonly Selector[],
    flags: LookupFlags,
    context: CallContext,
  ): Promise<ReadonlyMap<Selector, QueryResult>> {
    const began = performance.now();
    const results = new Map<Selector, QueryResult>();
    let sent: ReadonlyMap<Selector, SentResult>;
    let latency: number;
    if (selectors.length >= MANY) await loopTurns.next();
    try {
      sent = await this.#kept(selectors, flags, context, (rest) => this.#ask(rest, flags, context));
      latency = performance.now() - began;
    } catch (thrown) {
      latency = performance.now() - began;
      const error = this.#errorOf(thrown);
      if (sourceFailure(thrown).kind === 'refused') latency = 0;
      for (const selector of selectors) results.set(selector, this.#result(selector, { items: [], error }, latency));
      return results;
    }
    for (const [selector, result] of sent) {
      const items = this.#visibleItems(result.items, context);
      results.set(selector, this.#result(selector, { ...result, items }, latency));
    }
    return results;
  }

  /** Asks for values with one call, or with as many as the source needs. */
  #ask(
    selectors: readonly Selector[],
    flags: LookupFlags,
    context: CallContext,
  ): Promise<ReadonlyMap<Selector, SentResult>> {
    const { valuesPerCall: size = selectors.length, concurrency } = this.settings;
    const ask = async (part: readonly Selector[]) => {
      const answer = await this.#call('lookup', { selectors: part }, context, (call) =>
        this.#dependencies.client.lookup(part, flags, call),
      );
      if (part.length >= MANY) await loopTurns.next();
      return readBulkAnswer(answer, part, this.#answerContext(flags));
    };
    if (selectors.length <= size) return ask(selectors);
    const failed = (error: unknown) => ({ items: [], error: this.#errorOf(error) });
    return splitLookup(selectors, { size, concurrency, ask, failed });
  }

  /** Looks up one value. Never rejects: a failure is the error of the result. */
  async lookupOne(selector: Selector, flags: LookupFlags, context: CallContext): Promise<QueryResult> {
    const began = performance.now();
    try {
      const about = { selectors: [selector] };
      const sent = await this.#kept(about.selectors, flags, context, async () => {
        const answer = await this.#call('lookup', about, context, (call) =>
          this.#dependencies.client.lookupOne(selector.type, selector.value, flags, call),
        );
        return new Map([[selector, { items: readItems(answer, this.#answerContext(flags)) }]]);
      });
      const latency = performance.now() - began;
      const result = sent.get(selector) ?? { items: [] };
      return this.#result(selector, { ...result, items: this.#visibleItems(result.items, context) }, latency);
    } catch (thrown) {
      const error = this.#errorOf(thrown);
      return this.#result(selector, { items: [], error }, isWithoutLatency(thrown) ? 0 : performance.now() - began);
    }
  }

  /** Returns the result of a value that the source is not asked for, with the reason. */
  errorResult(selector: Pick<Selector, 'type' | 'value'>, error: string): QueryResult {
    return this.#result(selector, { items: [], error }, 0);
  }

  /** Returns what the source says of its actions, not validated. @throws SourceFailure */
  actions(context: CallContext): Promise<unknown> {
    return this.#call('actions', NOTHING, context, (call) => this.#dependencies.client.actions(call));
  }

  /** Runs an action once. Returns its result, not validated. @throws SourceFailure */
  runAction(id: string, body: unknown, context: CallContext): Promise<unknown> {
    return this.#call('run_action', { id, selectors: selectorsIn(body) }, context, (call) =>
      this.#dependencies.client.runAction(id, body, call),
    );
  }

  /** Returns what the source says of its fetchers, not validated. @throws SourceFailure */
  fetchers(context: CallContext): Promise<unknown> {
    return this.#call('fetchers', NOTHING, context, (call) => this.#dependencies.client.fetchers(call));
  }

  /** Runs a fetcher once. Returns its result, not validated. @throws SourceFailure */
  runFetcher(id: string, selector: unknown, context: CallContext): Promise<unknown> {
    return this.#call('run_fetcher', { id, selectors: selectorsIn({ selector }) }, context, (call) =>
      this.#dependencies.client.runFetcher(id, selector, call),
    );
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#dependencies.client.close();
  }

  /** Answers from the cache and asks for the rest. Kept answers are filtered for each caller again. */
  async #kept(
    selectors: readonly Selector[],
    flags: LookupFlags,
    context: CallContext,
    ask: (selectors: readonly Selector[]) => Promise<ReadonlyMap<Selector, SentResult>>,
  ): Promise<ReadonlyMap<Selector, SentResult>> {
    const { cache, credentials } = this.#dependencies;
    if (cache === undefined) return ask(selectors);
    const { actor, credential, signal } = context;
    const { name: source, url } = this.settings;
    const { token } = await credentials.tokenFor(this.settings, actor, credential, 'lookup');
    const clearance = actor.classification;
    const who = { caller: callerKey(actor, credential), clearance, hasToken: token !== undefined };
    return cache.lookup(selectors, { ...flags, ...who, source, url, signal }, ask);
  }

  async #call<T>(
    kind: CallKind,
    about: Pick<ReportedCall, 'id' | 'selectors'>,
    context: CallContext,
    work: (call: SourceCall) => Promise<T>,
  ): Promise<T> {
    const { actor, credential, deadline, signal } = context;
    const tokens = await this.#dependencies.credentials.tokenFor(this.settings, actor, credential, kind);
    const call: SourceCall = { signal, deadline, ...tokens, caller: actor };
    return this.#limited(kind, actor.username, call, (anotherRequest) => {
      this.#dependencies.onCall?.({ kind, source: this.settings.name, actor, ...about });
      return work(anotherRequest === undefined ? call : { ...call, anotherRequest });
    });
  }

  #limited<T>(
    kind: CallKind,
    username: string | undefined,
    { deadline, signal }: SourceCall,
    work: (anotherRequest?: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { limits } = this.#dependencies;
    return limits === undefined ? work() : limits.run({ kind, username, deadline, signal }, work);
  }

  #answerContext({ limit }: LookupFlags) {
    return { engine: this.#dependencies.engine, production: this.settings.production, limit };
  }

  #visibleItems(items: QueryResult['items'], { actor }: CallContext): QueryResult['items'] {
    return accessibleItems(items, actor.classification, this.#dependencies.engine);
  }

  #result({ type, value }: Pick<Selector, 'type' | 'value'>, sent: SentResult, latency: number): QueryResult {
    const { settings } = this;
    return inOrder({
      type: sent.type ?? type,
      value: sent.value ?? value,
      source: sent.source ?? settings.name,
      error: sent.error,
      items: sent.items,
      maintainer: sent.maintainer ?? settings.maintainer,
      datahub_link: sent.datahub_link ?? settings.datahubLink,
      documentation_link: sent.documentation_link ?? settings.documentationLink,
      latency,
    });
  }

  /**
   * Returns the sentence for the caller, undefined for a source that found nothing. Details go to
   * the log.
   */
  #errorOf(thrown: unknown): string | undefined {
    const { name } = this.settings;
    if (thrown instanceof InvalidAnswer) {
      const errorId = this.#report(thrown, 'gave an invalid answer');
      if (thrown.hasPlaces) {
        return `${name} returned an improperly formatted response: ${thrown.message}. Error ID: ${errorId}`;
      }
      return failureText(name, new SourceFailure('unusable', thrown.message), errorId);
    }
    const failure = sourceFailure(thrown);
    if (failure.kind === 'status' && failure.status === 404) return undefined;
    if (failure.kind === 'refused' || failure.kind === 'cancelled') return failureText(name, failure, '');
    return failureText(name, failure, this.#report(failure, 'gave no usable answer'));
  }

  /** Logs a failure under an id, which it returns. */
  #report(error: unknown, problem: string): string {
    const errorId = randomBytes(8).toString('hex');
    const { name } = this.settings;
    this.#dependencies.log.warn({ source: name, error_id: errorId, err: error }, `the source ${name} ${problem}`);
    return errorId;
  }
}

/** Returns the selectors that the body of an action or fetcher has, as far as they are such. */
function selectorsIn(body: unknown): ReportedCall['selectors'] {
  if (!isRecord(body)) return [];
  const { selector, selectors } = body;
  return [selector, ...(Array.isArray(selectors) ? selectors : [])].filter(
    (one): one is { type: string; value: string } =>
      isRecord(one) && typeof one.type === 'string' && typeof one.value === 'string',
  );
}

/** Failures of single lookups for which the public system tells no time. */
function isWithoutLatency(thrown: unknown): boolean {
  const { kind } = sourceFailure(thrown);
  return kind === 'timed_out' || kind === 'refused' || (kind === 'unusable' && !(thrown instanceof InvalidAnswer));
}
