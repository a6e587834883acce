import type { ClassificationEngine } from '../../classification/classification.ts';
import { NotFound } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { Actor } from '../../identity/actor.ts';
import { isObject } from '../../json/json-object.ts';
import { describeProblems, type ModelReading } from '../models/model-reading.ts';
import type { CallContext } from '../sources/call-context.ts';
import type { Source } from '../sources/source.ts';
import { SourceFailure } from '../sources/source-failure.ts';

/** The common part of actions and fetchers, which a source lists to callers with a clearance. */
export interface Offer {
  readonly id: string;
  /** Required to see and to run it. */
  readonly classification: string;
}

export interface SourceOffersDependencies<T extends Offer> {
  /** `action` or `fetcher`, for messages. */
  readonly kind: 'action' | 'fetcher';
  readonly engine: ClassificationEngine;
  readonly log: Log;
  /** Asks a source for what it offers. */
  readonly ask: (source: Source, context: CallContext) => Promise<unknown>;
  readonly read: (value: unknown) => ModelReading<T>;
  /** Milliseconds that a source may take to list what it offers. */
  readonly timeout: number;
  /** Milliseconds that a list counts for a caller. Default 0: each listing asks the sources. */
  readonly lifetime?: number;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

interface Listed<T extends Offer> {
  /** Classification of each offer by its id; undefined where the source says none that is valid. */
  readonly classifications: ReadonlyMap<string, string | undefined>;
  /** Empty when one of them is not valid. */
  readonly offers: readonly (readonly [id: string, offer: T])[];
  readonly until: number;
}

/** Offers of one source that are read. */
const MAX_OFFERS = 1000;
/** Callers of one source whose lists are kept. */
const MAX_CALLERS = 1000;

/** Lists what sources offer to a caller, and checks that a caller may run it. */
export class SourceOffers<T extends Offer> {
  readonly #dependencies: SourceOffersDependencies<T>;
  readonly #now: () => number;
  /** Lists by caller; a source that is removed takes them along. */
  readonly #kept = new WeakMap<Source, Map<string, Listed<T>>>();

  constructor(dependencies: SourceOffersDependencies<T>) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /**
   * Returns what the sources offer the caller, by `source.id`.
   * A source that fails, or lists anything that is not valid, contributes nothing.
   */
  async list(sources: readonly Source[], context: CallContext): Promise<Readonly<Record<string, T>>> {
    const { kind, log } = this.#dependencies;
    const lists = sources.map(async (source) => {
      const { name } = source.settings;
      try {
        const { offers } = await this.#listed(source, context);
        const visible = offers.filter(([, { classification }]) => this.#isVisible(classification, context.actor));
        return visible.map(([id, offer]) => [`${name}.${id}`, offer] as const);
      } catch (err) {
        log.warn({ err, source: name }, `the source ${name} does not list its ${kind}s`);
        return [];
      }
    });
    return Object.fromEntries((await Promise.all(lists)).flat());
  }

  /**
   * Rejects an offer that listings hide from the caller.
   * One that the source does not list is left to the source.
   * @throws NotFound `offer_missing`; SourceFailure when the source does not list what it offers
   */
  async assertVisible(source: Source, id: string, context: CallContext): Promise<void> {
    const { kind } = this.#dependencies;
    const { classifications } = await this.#listed(source, context);
    if (!classifications.has(id)) return;
    const classification = classifications.get(id);
    if (classification !== undefined && this.#isVisible(classification, context.actor)) return;
    throw new NotFound('offer_missing', `Plugin ${source.settings.name} has no ${kind} ${id}.`);
  }

  async #listed(source: Source, context: CallContext): Promise<Listed<T>> {
    const { ask, timeout, lifetime = 0 } = this.#dependencies;
    const kept = this.#kept.get(source) ?? new Map<string, Listed<T>>();
    const caller = `${context.credential.kind} ${context.actor.username}`;
    const known = kept.get(caller);
    if (known !== undefined && known.until > this.#now()) return known;
    const deadline = Math.min(context.deadline, this.#now() + timeout);
    const listed = this.#read(source, await ask(source, { ...context, deadline }));
    if (lifetime > 0) {
      kept.delete(caller);
      kept.set(caller, listed);
      if (kept.size > MAX_CALLERS) kept.delete(kept.keys().next().value ?? '');
      this.#kept.set(source, kept);
    }
    return listed;
  }

  #read({ settings: { name } }: Source, response: unknown): Listed<T> {
    const { kind, log, read, lifetime = 0 } = this.#dependencies;
    const until = this.#now() + lifetime;
    if (!isObject(response)) throw new SourceFailure('unusable', `its ${kind}s are not an object`);
    const entries = Object.entries(response);
    if (entries.length > MAX_OFFERS) throw new SourceFailure('unusable', `it lists more than ${MAX_OFFERS} ${kind}s`);
    const readings = entries.map(([id, value]) => [id, read(value)] as const);
    const classifications = new Map(
      readings.map(([id, reading], index) => [id, this.#classificationOf(reading, entries[index]?.[1])]),
    );
    const invalid = readings.find(([, reading]) => 'problems' in reading);
    if (invalid !== undefined && 'problems' in invalid[1]) {
      const problems = describeProblems(invalid[1].problems);
      log.warn({ source: name }, `the ${kind} ${invalid[0]} of the source ${name} is not valid: ${problems}`);
      return { classifications, offers: [], until };
    }
    const offers = readings.flatMap(([id, reading]) => ('ok' in reading ? [[id, reading.ok] as const] : []));
    return { classifications, offers, until };
  }

  /** Returns the classification of an offer, also of one that is not valid otherwise. */
  #classificationOf(reading: ModelReading<T>, value: unknown): string | undefined {
    if ('ok' in reading) return reading.ok.classification;
    const text = isObject(value) ? value.classification : undefined;
    return typeof text === 'string' ? text : undefined;
  }

  #isVisible(classification: string, actor: Pick<Actor, 'classification'>): boolean {
    return this.#dependencies.engine.isAccessible(actor.classification, classification, true);
  }
}
