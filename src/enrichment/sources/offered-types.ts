import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../json/json-object.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';
import { SourceFailure, sourceFailure } from './source-failure.ts';

/** Classifications by type. */
export type TypeClassifications = Readonly<Record<string, string>>;

export interface OfferedTypesDependencies {
  readonly engine: ClassificationEngine;
  readonly supportedTypes: SupportedTypes;
  /** Asks the source. */
  readonly ask: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
  readonly now: () => number;
}

/** Milliseconds that an answer is kept. */
const LIFETIME = 5 * 60_000;
/** Milliseconds after which a source that did not answer is asked again. */
const RETRY_AFTER = 10_000;
/** Clearances for which the visible types are kept. */
const MAX_CLEARANCES = 100;

/** Caches what a source offers for five minutes, for all callers. */
export class OfferedTypes {
  readonly #dependencies: OfferedTypesDependencies;
  readonly #visible = new Map<string, TypeClassifications>();
  #names: ReadonlySet<string> | undefined;
  #offered: TypeClassifications | undefined;
  #asking: Promise<TypeClassifications | undefined> | undefined;
  #until = Number.NEGATIVE_INFINITY;

  constructor(dependencies: OfferedTypesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the types that a user with this clearance may know of; undefined when the source does
   * not answer.
   */
  async visibleTo(clearance: string): Promise<TypeClassifications | undefined> {
    const offered = await this.#current();
    return offered === undefined ? undefined : this.#visibleOf(offered, clearance);
  }

  /** Returns the names of all types. */
  async all(): Promise<ReadonlySet<string> | undefined> {
    await this.#current();
    return this.#names;
  }

  #current(): TypeClassifications | undefined | Promise<TypeClassifications | undefined> {
    return this.#until > this.#dependencies.now() ? this.#offered : this.#refreshed();
  }

  #refreshed(): Promise<TypeClassifications | undefined> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<TypeClassifications | undefined> {
    const { ask, supportedTypes, onFailure, now } = this.#dependencies;
    let lifetime = LIFETIME;
    let offered: TypeClassifications | undefined;
    try {
      const types = await ask();
      if (!isObject(types)) throw new SourceFailure('unusable', 'its types are not an object');
      offered = Object.fromEntries(
        Object.entries(types).filter(
          (one): one is [string, string] => supportedTypes.has(one[0]) && typeof one[1] === 'string',
        ),
      );
    } catch (error) {
      lifetime = RETRY_AFTER;
      // A source that stops answering keeps its types, so that lookups report its error.
      if (sourceFailure(error).kind !== 'unusable') offered = this.#offered;
      onFailure(error);
    }
    this.#offered = offered;
    this.#names = offered === undefined ? undefined : new Set(Object.keys(offered));
    this.#visible.clear();
    this.#until = now() + lifetime;
    return offered;
  }

  #visibleOf(offered: TypeClassifications, clearance: string): TypeClassifications {
    const known = this.#visible.get(clearance);
    if (known !== undefined) return known;
    const { engine } = this.#dependencies;
    const visible = Object.fromEntries(
      Object.entries(offered).filter(([, classification]) => engine.isAccessible(clearance, classification, true)),
    );
    if (this.#visible.size >= MAX_CLEARANCES) this.#visible.clear();
    if (offered === this.#offered) this.#visible.set(clearance, visible);
    return visible;
  }
}
