import type { ColumnEngine, ColumnEngineOptions } from './column-engine.ts';
import type { ColumnMethod, Columns } from './columns.ts';

type Arguments<M extends ColumnMethod> = Parameters<ColumnEngine[M]>;

/**
 * The engine in this thread, for documents in memory. It comes with the first search: the native library is large, and a
 * datastore that never searches does not need it.
 */
export class DirectColumns implements Columns {
  readonly #options: ColumnEngineOptions;
  #engine: Promise<ColumnEngine> | undefined;

  constructor(options: ColumnEngineOptions) {
    this.#options = options;
  }

  announce(): void {}

  async page(...args: Arguments<'page'>) {
    return (await this.#load()).page(...args);
  }

  async count(...args: Arguments<'count'>) {
    return (await this.#load()).count(...args);
  }

  async facet(...args: Arguments<'facet'>) {
    return (await this.#load()).facet(...args);
  }

  async histogram(...args: Arguments<'histogram'>) {
    return (await this.#load()).histogram(...args);
  }

  async stats(...args: Arguments<'stats'>) {
    return (await this.#load()).stats(...args);
  }

  async group(...args: Arguments<'group'>) {
    return (await this.#load()).group(...args);
  }

  async openCursor(...args: Arguments<'openCursor'>) {
    return (await this.#load()).openCursor(...args);
  }

  async readCursor(...args: Arguments<'readCursor'>) {
    return (await this.#load()).readCursor(...args);
  }

  async readFound(...args: Arguments<'readFound'>) {
    return (await this.#load()).readFound(...args);
  }

  async closeCursor(...args: Arguments<'closeCursor'>) {
    return (await this.#load()).closeCursor(...args);
  }

  async checkpoint(): Promise<void> {
    await (await this.#load()).checkpoint();
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
  }

  #load(): Promise<ColumnEngine> {
    this.#engine ??= import('./column-engine.ts').then(({ ColumnEngine }) => new ColumnEngine(this.#options));
    return this.#engine;
  }
}
