import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { Conflict, InvalidInput } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import { type RegisteredSource, readRegistration } from './registered-source.ts';
import { type AddressRules, checkSourceAddress } from './source-address.ts';

/** The sources of this process, as the registry changes them. */
export interface RegistrableSources {
  /** Returns true for the name of a configured source or of a source of the program. */
  isReserved(name: string): boolean;
  /** Adds a source, or replaces the registered one of its name. */
  put(source: RegisteredSource): void;
  remove(name: string): void;
}

export interface SourceRegistryDependencies {
  readonly coordination: Pick<Coordination, 'tables' | 'events'>;
  readonly sources: RegistrableSources;
  readonly engine: ClassificationEngine;
  readonly addresses: AddressRules;
  readonly log: Log;
  /** Milliseconds between reads of the table, for changes whose event was lost. Default 5000. */
  readonly interval?: number;
}

const TABLE = 'enrichment.sources';
const CHANNEL = 'enrichment.events.sources';
const INTERVAL = 5000;
/** Registered sources of an installation. Every listing asks all of them. */
const MAX_SOURCES = 200;

/**
 * Keeps the sources that are registered while the program runs, in all processes.
 * A change survives a crash once its promise resolves; other processes hear of it by an event.
 */
export class SourceRegistry {
  readonly #dependencies: SourceRegistryDependencies;
  /** The registered sources of this process as JSON, by name. */
  readonly #known = new Map<string, string>();
  #reading: Promise<void> = Promise.resolve();
  /** The subscription to changes, from its beginning on; resolves to the function that ends it. */
  #subscription: Promise<() => Promise<void>> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: SourceRegistryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Loads the sources and follows their changes. While coordination is unavailable they are loaded
   * later.
   */
  async start(): Promise<void> {
    const { interval = INTERVAL } = this.#dependencies;
    this.#timer = setInterval(() => void this.#follow(), interval).unref();
    await this.#follow();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const unsubscribe = await this.#subscription?.catch(() => undefined);
    await unsubscribe?.();
    await this.#reading;
  }

  /**
   * Registers a source and returns its name.
   * @throws InvalidInput `no_data`, `invalid_source`, `source_address_refused`, `too_many_sources`; Conflict
   * `source_exists`; Unavailable
   */
  async register(body: unknown): Promise<string> {
    const { coordination, sources, engine, addresses } = this.#dependencies;
    const source = readRegistration(body, engine);
    const { name } = source;
    if (sources.isReserved(name)) throw nameTaken(name);
    await checkSourceAddress(source.url, addresses);
    if ((await coordination.tables.size(TABLE)) >= MAX_SOURCES) {
      throw new InvalidInput('too_many_sources', `There are ${MAX_SOURCES} registered sources, which is the limit.`);
    }
    if (!(await coordination.tables.putIfAbsent(TABLE, name, source))) throw nameTaken(name);
    await this.#announce(name);
    return name;
  }

  /**
   * Removes a registered source, and leaves others alone. Returns whether there was one of the name.
   * @throws Unavailable
   */
  async remove(name: string): Promise<boolean> {
    const removed = await this.#dependencies.coordination.tables.take(TABLE, name);
    if (removed !== undefined) await this.#announce(name);
    return removed !== undefined;
  }

  async #announce(name: string): Promise<void> {
    await this.#read();
    await this.#dependencies.coordination.events.publish(CHANNEL, { name });
  }

  /** Subscribes, if it is not subscribed, and reads the table. */
  async #follow(): Promise<void> {
    const { log } = this.#dependencies;
    try {
      this.#subscription ??= this.#subscribe();
      await this.#subscription;
      await this.#read();
    } catch (err) {
      log.warn({ err }, 'registered sources cannot be read; they are read again in a few seconds');
    }
  }

  async #subscribe(): Promise<() => Promise<void>> {
    const { coordination, log } = this.#dependencies;
    try {
      return await coordination.events.subscribe(CHANNEL, () => {
        this.#read().catch((err: unknown) => log.warn({ err }, 'registered sources cannot be read'));
      });
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  /**
   * Reads the table after the reads that have begun, so that a read from before a change does not undo
   * it.
   */
  #read(): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#apply());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #apply(): Promise<void> {
    const { coordination, sources, engine, log } = this.#dependencies;
    const entries = await coordination.tables.entries(TABLE);
    for (const name of [...this.#known.keys()].filter((one) => !entries.has(one))) {
      this.#known.delete(name);
      sources.remove(name);
    }
    for (const [name, stored] of entries) {
      const text = JSON.stringify(stored);
      if (this.#known.get(name) === text || sources.isReserved(name)) continue;
      // A source that cannot be used is not tried again until it changes.
      this.#known.set(name, text);
      try {
        sources.put(readRegistration(stored, engine));
      } catch (err) {
        log.warn({ err, source: name }, `the registered source ${name} cannot be used`);
      }
    }
  }
}

function nameTaken(name: string): Conflict {
  return new Conflict('source_exists', `There is a source "${name}" already. Choose another name.`, { at: 'name' });
}
