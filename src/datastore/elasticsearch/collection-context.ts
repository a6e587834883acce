import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import type { SearchEngine } from './transport/search-engine.ts';

export interface IndexContext {
  readonly engine: SearchEngine;
  /** `<prefix>-<name>`, which searches and new documents go to, or the name of one index. */
  readonly alias: string;
  readonly limits: EngineLimits;
  /** Physical indices, write index first, then newest first; cached for seconds, `fresh` asks the server. */
  indices(options?: { readonly fresh?: boolean }): Promise<readonly string[]>;
}

export interface CollectionContext<T> extends IndexContext {
  readonly definition: CollectionDefinition<T>;
  /** Resolves once the index of the collection exists; it is made when there is none. */
  ready(): Promise<void>;
}

export interface EngineLimits {
  /** Milliseconds that a request may take. */
  readonly transportTimeout: number;
  /** Documents in a bulk request. */
  readonly requestBatchSize: number;
  /** Bytes in a bulk request. */
  readonly maxRequestSize: number;
  /** Milliseconds that a task of the server may take. */
  readonly taskPollTimeout: number;
}
