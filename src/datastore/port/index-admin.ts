import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';

/** One physical index. */
export interface IndexInfo {
  readonly name: string;
  readonly aliases: readonly { readonly name: string; readonly writeIndex: boolean }[];
  readonly documents: number;
  /** On disk, with all copies of its shards. */
  readonly bytes: number;
  readonly writeBlocked: boolean;
  readonly lifecyclePolicy: string | undefined;
  readonly rolloverAlias: string | undefined;
  readonly createdAt: Date;
}

export interface LifecyclePolicy {
  readonly rollover: { readonly maxAge: string; readonly maxPrimaryShardSize: string };
  readonly warm?: { readonly minAge: string; readonly forceMergeSegments?: number };
  readonly cold?: { readonly minAge: string };
}

export type AliasAction =
  | { readonly kind: 'add'; readonly index: string; readonly alias: string; readonly writeIndex?: boolean }
  /**
   * `mustExist` (default true): the whole swap fails with `alias_missing` when the alias is not on the
   * index.
   */
  | { readonly kind: 'remove'; readonly index: string; readonly alias: string; readonly mustExist?: boolean }
  /**
   * The index goes in the same step, before the other actions: its name is free for an alias of the same
   * switch, and it stays when another action is refused. NotFound `index_missing`.
   */
  | { readonly kind: 'delete_index'; readonly index: string };

export interface TaskStatus {
  readonly done: boolean;
  readonly total: number;
  readonly created: number;
  readonly failures: readonly string[];
}

/**
 * The primitives that bootstrap, migrations and reindex are written with, the same on every adapter.
 * Each is idempotent or says how it refuses; names are physical index names unless said otherwise.
 */
export interface IndexAdmin {
  /** Physical prefix of this installation: alias `<prefix>-<collection>`. */
  readonly prefix: string;
  exists(index: string): Promise<boolean>;
  /** `*` and `?` in the pattern; sorted by name. Aliases do not count. */
  list(pattern: string): Promise<readonly IndexInfo[]>;
  /** Conflict `index_exists`. */
  create(
    index: string,
    definition: CollectionDefinition<unknown>,
    options?: {
      readonly lifecyclePolicy?: string;
      readonly rolloverAlias?: string;
      readonly aliases?: readonly { readonly name: string; readonly writeIndex?: boolean }[];
    },
  ): Promise<void>;
  /** Refused with NotFound `index_missing`. */
  delete(index: string): Promise<void>;
  /** Writes to a blocked index are refused with Unavailable `write_blocked`. */
  blockWrites(index: string): Promise<void>;
  unblockWrites(index: string): Promise<void>;
  /**
   * Gives an index another name; documents, aliases and settings stay with it.
   * Only on engines that do this without copying, in one step; elsewhere it is missing and `clone` has to do. Conflict
   * `index_exists`; NotFound `index_missing`.
   */
  rename?(index: string, name: string): Promise<void>;
  /** Exact copy of a write-blocked index under a new name. Conflict `index_exists`. */
  clone(source: string, target: string): Promise<void>;
  /** Starts a copy, document by document, into an existing index; returns a task identifier for `task`. */
  copy(
    source: string,
    target: string,
    options?: { readonly transform?: (document: Record<string, unknown>) => Record<string, unknown> | undefined },
  ): Promise<string>;
  task(id: string): Promise<TaskStatus>;
  /** All or nothing. */
  switchAliases(actions: readonly AliasAction[]): Promise<void>;
  /**
   * Adds the fields that the index lacks; a limit of fields that is reached is raised once by 500.
   * Conflict `field_mismatch`, when a field is there with another type or indexed otherwise and the engine cannot
   * change that in place.
   */
  addFields(index: string, definition: CollectionDefinition<unknown>): Promise<void>;
  putTemplate(
    name: string,
    pattern: string,
    definition: CollectionDefinition<unknown>,
    options?: { readonly lifecyclePolicy?: string; readonly rolloverAlias?: string },
  ): Promise<void>;
  /** Creates or replaces. Unsupported `lifecycle_unsupported`, when the server has no index lifecycle. */
  putLifecyclePolicy(name: string, policy: LifecyclePolicy): Promise<void>;
  /**
   * `rolledOver` (default false): another index takes the writes of the alias already, so that the index
   * waits for no rollover of its own, which no server would do.
   */
  setLifecycle(
    index: string,
    policy: string,
    rolloverAlias: string,
    options?: { readonly rolledOver?: boolean },
  ): Promise<void>;
  /**
   * Rolls the alias over to the next generation when a condition is met (or `force`).
   * The new write index, or undefined.
   */
  rollover(
    alias: string,
    conditions: { readonly maxAge?: string; readonly maxPrimaryShardSize?: string; readonly force?: boolean },
  ): Promise<string | undefined>;
  /** Merges what deletions left behind. */
  compact(index: string): Promise<void>;
  /** Documents of one index in batches, in order of identifier, after `after`. */
  scan(
    index: string,
    options: { readonly after?: string; readonly batch?: number },
  ): AsyncIterable<readonly { readonly id: string; readonly document: Record<string, unknown> }[]>;
  /** Free bytes where the index lies; undefined when the engine does not tell. */
  freeBytes(): Promise<number | undefined>;
}
