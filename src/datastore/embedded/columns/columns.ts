import type { ColumnEngine, ColumnEngineOptions } from './column-engine.ts';

export type ColumnMethod = Exclude<keyof ColumnEngine, 'announce' | 'close'>;
export type ColumnArguments<M extends ColumnMethod> = Parameters<ColumnEngine[M]>;
export type ColumnResult<M extends ColumnMethod> = Awaited<ReturnType<ColumnEngine[M]>>;

/** The column engine, in whichever thread it runs. */
export interface Columns {
  /** Reports a write, so that it is applied before a search has to wait for it. */
  announce(): void;
  call<M extends ColumnMethod>(method: M, ...args: ColumnArguments<M>): Promise<ColumnResult<M>>;
  close(): Promise<void>;
}

/** Calls a method of the engine by its name. */
export function callEngine<M extends ColumnMethod>(
  engine: ColumnEngine,
  method: M,
  args: ColumnArguments<M>,
): Promise<ColumnResult<M>> {
  const run = engine[method] as (...args: ColumnArguments<M>) => Promise<ColumnResult<M>>;
  return run.apply(engine, args);
}

/**
 * The engine in this thread, for documents in memory. It is loaded with the first search: the native library is large, and a
 * datastore that never searches does not need it.
 */
export class DirectColumns implements Columns {
  readonly #options: ColumnEngineOptions;
  #engine: Promise<ColumnEngine> | undefined;

  constructor(options: ColumnEngineOptions) {
    this.#options = options;
  }

  announce(): void {}

  async call<M extends ColumnMethod>(method: M, ...args: ColumnArguments<M>): Promise<ColumnResult<M>> {
    this.#engine ??= import('./column-engine.ts').then(({ ColumnEngine }) => new ColumnEngine(this.#options));
    return callEngine(await this.#engine, method, args);
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
  }
}
