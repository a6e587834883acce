import { Conflict } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { Source, type SourceDependencies } from './source.ts';
import type { SourceClient } from './source-client.ts';
import type { SourceSettings } from './source-settings.ts';

/** The dependencies that all sources share. */
export interface SourceDirectoryDependencies
  extends Omit<SourceDependencies, 'settings' | 'client' | 'limits' | 'cache'> {
  /** Returns the limits of a source. Default: none. */
  readonly limitsOf?: ((settings: SourceSettings) => Pick<SourceDependencies, 'limits' | 'cache'>) | undefined;
}

/** The sources of this process, in the order of the settings, then of their registration. */
export class SourceDirectory {
  readonly #dependencies: SourceDirectoryDependencies;
  readonly #sources = new Map<string, Source>();
  readonly #listeners = new Set<() => void>();
  #all: readonly Source[] = [];

  constructor(dependencies: SourceDirectoryDependencies) {
    this.#dependencies = dependencies;
  }

  all(): readonly Source[] {
    return this.#all;
  }

  find(name: string): Source | undefined {
    return this.#sources.get(name);
  }

  visibleTo(actor: Pick<Actor, 'classification'>): readonly Source[] {
    return this.#all.filter((source) => source.isVisibleTo(actor));
  }

  /** Adds a source. @throws Conflict `source_exists` when there is one of that name */
  add(settings: SourceSettings, client: SourceClient): Source {
    const { name } = settings;
    if (this.#sources.has(name)) throw new Conflict('source_exists', `There is another source named "${name}".`);
    const { limitsOf, ...shared } = this.#dependencies;
    const source = new Source({ ...shared, settings, client, ...limitsOf?.(settings) });
    this.#sources.set(name, source);
    this.#changed();
    return source;
  }

  /** Removes a source and ends what it is doing. Returns false when there is none of that name. */
  remove(name: string): boolean {
    const source = this.#sources.get(name);
    if (source === undefined) return false;
    this.#sources.delete(name);
    this.#changed();
    void source.close();
    return true;
  }

  /** Calls a listener after every change; returns how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((source) => source.close()));
  }

  #changed(): void {
    this.#all = [...this.#sources.values()];
    for (const listener of this.#listeners) listener();
  }
}
