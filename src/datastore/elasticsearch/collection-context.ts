import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { SearchEngine } from './transport/search-engine.ts';

/** The dependencies of the components of a collection. */
export interface CollectionContext<T> {
  readonly engine: SearchEngine;
  readonly definition: CollectionDefinition<T>;
  /** `<prefix>-<name>`: what searches and new documents go to. */
  readonly alias: string;
  readonly limits: EngineLimits;
  /** Resolves once the index of the collection exists; it is made when there is none. */
  ready(): Promise<void>;
  /**
   * Physical indices behind the alias, the write index first, then the newer before the older.
   * Remembered for some seconds; `fresh` asks the server.
   */
  indices(options?: { readonly fresh?: boolean }): Promise<readonly string[]>;
}

export interface EngineLimits {
  /** Milliseconds that a request may take. */
  readonly transportTimeout: number;
  /** Documents in a bulk request. */
  readonly requestBatchSize: number;
  /** Bytes in a bulk request. */
  readonly maxRequestSize: number;
  /** Milliseconds that a task of the server may take, and between two looks at it. */
  readonly taskPollTimeout: number;
  readonly taskPollInterval: number;
}
