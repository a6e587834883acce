import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';

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
  /** `mustExist` (default true): without the alias the whole swap fails with `alias_missing`. */
  | { readonly kind: 'remove'; readonly index: string; readonly alias: string; readonly mustExist?: boolean }
  /** Deleted in the same step, its name free for an alias; stays when another action is refused. */
  | { readonly kind: 'delete_index'; readonly index: string };

/** Ages as `30d`, sizes as `50gb`. */
export interface RolloverConditions {
  readonly maxAge?: string;
  readonly maxPrimaryShardSize?: string;
  readonly force?: boolean;
}

/** The lifecycle of new indices. */
export interface LifecycleOptions {
  readonly lifecyclePolicy?: string;
  readonly rolloverAlias?: string;
}

export interface TaskStatus {
  readonly done: boolean;
  readonly total: number;
  readonly created: number;
  readonly failures: readonly string[];
}

/** Primitives of bootstrap, migrations and reindex, idempotent or refused; names are physical indices. */
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
    options?: LifecycleOptions & {
      readonly aliases?: readonly { readonly name: string; readonly writeIndex?: boolean }[];
    },
  ): Promise<void>;
  /** Refused with NotFound `index_missing`. */
  delete(index: string): Promise<void>;
  /** Writes to a blocked index are refused with Unavailable `write_blocked`. */
  blockWrites(index: string): Promise<void>;
  unblockWrites(index: string): Promise<void>;
  /** Renames an index in one step, on engines that can without copying; elsewhere `clone` has to do. */
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
  /** Adds fields that the index lacks, raising a reached limit once by 500; throws `field_mismatch`. */
  addFields(index: string, definition: CollectionDefinition<unknown>): Promise<void>;
  putTemplate(
    name: string,
    pattern: string,
    definition: CollectionDefinition<unknown>,
    options?: LifecycleOptions,
  ): Promise<void>;
  /** Creates or replaces. Unsupported `lifecycle_unsupported`, when the server has no index lifecycle. */
  putLifecyclePolicy(name: string, policy: LifecyclePolicy): Promise<void>;
  /** `rolledOver` (default false): the alias writes elsewhere; no server would roll such an index over. */
  setLifecycle(
    index: string,
    policy: string,
    rolloverAlias: string,
    options?: { readonly rolledOver?: boolean },
  ): Promise<void>;
  /** Rolls the alias over when a condition is met, or by `force`; returns the new write index. */
  rollover(alias: string, conditions: RolloverConditions): Promise<string | undefined>;
  /** Merges what deletions left behind. */
  compact(index: string): Promise<void>;
  /** Documents of one index in batches, in order of identifier, after `after`. */
  scan(
    index: string,
    options: { readonly after?: string; readonly batch?: number },
  ): AsyncIterable<readonly { readonly id: string; readonly document: Record<string, unknown> }[]>;
  /** Free bytes where the index lies; undefined when the engine does not tell. */
  freeBytes(): Promise<number | undefined>;
  /** Phases (`hot`, `warm`, `cold`) of the indices that the server moves through them, by index. */
  phases(): Promise<ReadonlyMap<string, string>>;
}
