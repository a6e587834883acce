import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { isObject } from '../../json/json-object.ts';
import type { CachedLookup } from '../limits/cached-lookup.ts';
import { EventLoopScheduler } from '../limits/event-loop-scheduler.ts';
import type { QueryResult, SentResult } from '../models/query-result.ts';
import type { Selector } from '../models/selector.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';
import type { CallContext, ReportedCall } from './call-context.ts';
import { callerKey } from './credentials/caller-key.ts';
import { InvalidAnswer, readBulkAnswer, readItems } from './lookup/bulk-answer.ts';
import { SourceResults } from './lookup/source-results.ts';
import { splitLookup } from './lookup/split-lookup.ts';
import { OfferedTypes, type TypeClassifications } from './offered-types.ts';
import { SourceCalls, type SourceCallsDependencies } from './source-calls.ts';
import type { LookupFlags } from './source-client.ts';
import { sourceFailure } from './source-failure.ts';
import type { SourceSettings } from './source-settings.ts';

export interface SourceDependencies extends SourceCallsDependencies {
  readonly engine: ClassificationEngine;
  readonly supportedTypes: SupportedTypes;
  /** Answers of lookups that are kept. Default: none. */
  readonly cache?: CachedLookup | undefined;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds since 1970; for tests. Default: the clock of the machine. */
  readonly now?: () => number;
}

/** Selectors from which on the work of a lookup is scheduled. */
const MANY = 20;
/**
 * With it, 200 lookups of 100 values at the same time delay the event loop (p99) by 50 ms instead of
 * 400 ms.
 */
const scheduler = new EventLoopScheduler();
const NOTHING = { selectors: [] };

/**
 * One source, as the routes call it: with the caller's token, within the limits of the source, and
 * without anything above the caller's classification. Safe for concurrent use.
 */
export class Source {
  readonly settings: SourceSettings;
  readonly #dependencies: SourceDependencies;
  readonly #types: OfferedTypes;
  readonly #calls: SourceCalls;
  readonly #results: SourceResults;

  constructor(dependencies: SourceDependencies) {
    const { settings, engine, supportedTypes, now = Date.now } = dependencies;
    this.settings = settings;
    this.#dependencies = dependencies;
    this.#calls = new SourceCalls(dependencies);
    this.#results = new SourceResults(dependencies);
    this.#types = new OfferedTypes({
      engine,
      supportedTypes,
      now,
      ask: () => this.#calls.types(),
      onFailure: (error) => this.#results.report(error, 'does not name its types'),
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
    if (selectors.length >= MANY) await scheduler.next();
    try {
      sent = await this.#kept(selectors, flags, context, (rest) => this.#ask(rest, flags, context));
      latency = performance.now() - began;
    } catch (thrown) {
      latency = performance.now() - began;
      const error = this.#results.errorOf(thrown);
      if (sourceFailure(thrown).kind === 'refused') latency = 0;
      for (const selector of selectors) results.set(selector, this.#results.ofError(selector, error, latency));
      return results;
    }
    for (const [selector, answer] of sent) {
      results.set(selector, this.#results.ofAnswer(selector, answer, context.actor, latency));
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
      const answer = await this.#calls.make('lookup', { selectors: part }, context, (client, call) =>
        client.lookup(part, flags, call),
      );
      if (part.length >= MANY) await scheduler.next();
      return readBulkAnswer(answer, part, this.#answerContext(flags));
    };
    if (selectors.length <= size) return ask(selectors);
    const failed = (error: unknown) => ({ items: [], error: this.#results.errorOf(error) });
    return splitLookup(selectors, { size, concurrency, ask, failed });
  }

  /** Looks up one value. Never rejects: a failure is the error of the result. */
  async lookupOne(selector: Selector, flags: LookupFlags, context: CallContext): Promise<QueryResult> {
    const began = performance.now();
    try {
      const about = { selectors: [selector] };
      const sent = await this.#kept(about.selectors, flags, context, async () => {
        const answer = await this.#calls.make('lookup', about, context, (client, call) =>
          client.lookupOne(selector.type, selector.value, flags, call),
        );
        return new Map([[selector, { items: readItems(answer, this.#answerContext(flags)) }]]);
      });
      const latency = performance.now() - began;
      return this.#results.ofAnswer(selector, sent.get(selector) ?? { items: [] }, context.actor, latency);
    } catch (thrown) {
      const latency = isWithoutLatency(thrown) ? 0 : performance.now() - began;
      return this.#results.ofError(selector, this.#results.errorOf(thrown), latency);
    }
  }

  /** Returns the result of a value that the source is not asked for, with the reason. */
  errorResult(selector: Pick<Selector, 'type' | 'value'>, error: string): QueryResult {
    return this.#results.ofError(selector, error, 0);
  }

  /** Returns what the source says of its actions, not validated. @throws SourceFailure */
  actions(context: CallContext): Promise<unknown> {
    return this.#calls.make('actions', NOTHING, context, (client, call) => client.actions(call));
  }

  /** Runs an action once. Returns its result, not validated. @throws SourceFailure */
  runAction(id: string, body: unknown, context: CallContext): Promise<unknown> {
    return this.#calls.make('run_action', { id, selectors: selectorsIn(body) }, context, (client, call) =>
      client.runAction(id, body, call),
    );
  }

  /** Returns what the source says of its fetchers, not validated. @throws SourceFailure */
  fetchers(context: CallContext): Promise<unknown> {
    return this.#calls.make('fetchers', NOTHING, context, (client, call) => client.fetchers(call));
  }

  /** Runs a fetcher once. Returns its result, not validated. @throws SourceFailure */
  runFetcher(id: string, selector: unknown, context: CallContext): Promise<unknown> {
    return this.#calls.make('run_fetcher', { id, selectors: selectorsIn({ selector }) }, context, (client, call) =>
      client.runFetcher(id, selector, call),
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

  #answerContext({ limit }: LookupFlags) {
    return { engine: this.#dependencies.engine, production: this.settings.production, limit };
  }
}

/** Returns the selectors that the body of an action or fetcher has, as far as they are such. */
function selectorsIn(body: unknown): ReportedCall['selectors'] {
  if (!isObject(body)) return [];
  const { selector, selectors } = body;
  return [selector, ...(Array.isArray(selectors) ? selectors : [])].filter(
    (one): one is { type: string; value: string } =>
      isObject(one) && typeof one.type === 'string' && typeof one.value === 'string',
  );
}

/** Failures of single lookups for which the public system tells no time. */
function isWithoutLatency(thrown: unknown): boolean {
  const { kind } = sourceFailure(thrown);
  return kind === 'timed_out' || kind === 'refused' || (kind === 'unusable' && !(thrown instanceof InvalidAnswer));
}
