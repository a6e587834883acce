import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { askSource } from '../sources/source-answer.ts';
import type { Source, Sources } from '../sources/sources.ts';
import { BUILT_IN_TYPES } from './built-in-types.ts';

export interface TypeServiceDependencies {
  readonly sources: Sources;
  readonly engine: ClassificationEngine;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Types that a source offers, with who may know that it does. */
type OfferedTypes = readonly (readonly [type: string, classification: string])[];

interface Asked {
  readonly types: Promise<OfferedTypes | undefined>;
  until: number;
}

/** Milliseconds that a source may take to say what it offers. */
const TIMEOUT = 3_000;
const LIFETIME = 5 * 60_000;
/** A source that does not answer is asked again after this time, not by everybody who wants to know meanwhile. */
const RETRY_AFTER = 10_000;

/** Which values can be looked up where. What sources offer is asked of them, without a credential, and known for five minutes. */
export class TypeService {
  readonly #dependencies: TypeServiceDependencies;
  readonly #now: () => number;
  readonly #asked = new Map<string, Asked>();

  constructor(dependencies: TypeServiceDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Types by source, both as far as the actor may know of them; none for a source that does not answer. */
  async typesBySource(actor: Pick<Actor, 'classification'>): Promise<Readonly<Record<string, readonly string[]>>> {
    const { sources, engine } = this.#dependencies;
    const found = await Promise.all(
      sources.visibleTo(actor).map(async (source) => {
        const visible = (await this.#offeredBy(source)).filter(([, classification]) =>
          engine.isAccessible(actor.classification, classification, true),
        );
        return [source.name, visible.map(([type]) => type)] as const;
      }),
    );
    return Object.fromEntries(found);
  }

  async #offeredBy(source: Source): Promise<OfferedTypes> {
    const known = this.#asked.get(source.url);
    if (known !== undefined && known.until > this.#now()) return (await known.types) ?? [];
    const asked: Asked = { types: this.#ask(source), until: this.#now() + LIFETIME };
    this.#asked.set(source.url, asked);
    const types = await asked.types;
    if (types === undefined) asked.until = this.#now() + RETRY_AFTER;
    return types ?? [];
  }

  /** Undefined when it does not say. */
  async #ask(source: Source): Promise<OfferedTypes | undefined> {
    try {
      const answer = await askSource(source, '/types/', TIMEOUT);
      if (typeof answer !== 'object' || answer === null) throw new Error('its types are not an object');
      return Object.entries(answer).filter(
        (offer): offer is [string, string] => BUILT_IN_TYPES.has(offer[0]) && typeof offer[1] === 'string',
      );
    } catch (error) {
      this.#dependencies.log.warn(
        { source: source.name, err: error },
        `the source ${source.name} does not say what it offers`,
      );
      return undefined;
    }
  }
}
