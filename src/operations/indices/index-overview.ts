import {
  CollectionLifecycle,
  type IndexState,
  type ListedIndex,
} from '../../datastore/bootstrap/collection-lifecycle.ts';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';

/** A collection with its indices, the oldest first. */
export interface CollectionState {
  readonly collection: string;
  readonly description: string;
  /** True if its documents are in generations, of which a new one can be begun. */
  readonly has_generations: boolean;
  readonly documents: number;
  readonly bytes: number;
  readonly indices: readonly IndexStateOf[];
}

interface IndexStateOf {
  readonly index: string;
  /** Null: it is no generation. */
  readonly generation: number | null;
  readonly phase: IndexState;
  readonly documents: number;
  readonly bytes: number;
  readonly created_at: string;
  readonly write_blocked: boolean;
}

export interface IndexOverviewDependencies {
  readonly admin: IndexAdmin;
  readonly definitions: readonly { readonly name: string; readonly description: string }[];
}

const GENERATION = /-(\d{6,})$/;

/** Shows the indices of all collections, and begins generations. */
export class IndexOverview {
  readonly #dependencies: IndexOverviewDependencies;
  readonly #lifecycle: CollectionLifecycle;

  constructor(dependencies: IndexOverviewDependencies) {
    this.#dependencies = dependencies;
    const names = dependencies.definitions.map(({ name }) => name);
    this.#lifecycle = new CollectionLifecycle(dependencies.admin, names);
  }

  /** @throws Unavailable when the datastore does not answer */
  async read() {
    const { admin, definitions } = this.#dependencies;
    const [listed, free] = await Promise.all([this.#lifecycle.list(), admin.freeBytes()]);
    const byCollection = Map.groupBy(listed, ({ collection }) => collection);
    const collections = definitions.map(({ name, description }): CollectionState => {
      const indices = (byCollection.get(name) ?? []).map(stateOf);
      return {
        collection: name,
        description,
        has_generations: indices.some(({ generation, phase }) => generation !== null && phase !== 'no alias'),
        documents: sum(indices, 'documents'),
        bytes: sum(indices, 'bytes'),
        indices,
      };
    });
    return {
      collections,
      documents: sum(collections, 'documents'),
      bytes: sum(collections, 'bytes'),
      free_bytes: free ?? null,
    };
  }

  /** Begins a generation, and returns its index. @throws as `CollectionLifecycle.rollOver` */
  beginGeneration(collection: string): Promise<string> {
    return this.#lifecycle.rollOver(collection);
  }
}

function stateOf({ name, state, documents, bytes, createdAt, writeBlocked }: ListedIndex): IndexStateOf {
  const generation = GENERATION.exec(name)?.[1];
  return {
    index: name,
    generation: generation === undefined ? null : Number(generation),
    phase: state,
    documents,
    bytes,
    created_at: createdAt.toISOString(),
    write_blocked: writeBlocked,
  };
}

function sum<Key extends string>(items: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return items.reduce((total, item) => total + item[key], 0);
}
