import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { RequestedOperation } from '../hits/changes/update-requests.ts';

/** A record that cannot be taken in, and the first thing that is wrong with it. */
export interface RefusedRecord {
  readonly input: unknown;
  readonly error: string;
}

/** Records as they were read, not stored yet. */
export interface ReadRecords {
  readonly refused: readonly RefusedRecord[];
  /** Of those that are not refused; for the sender. */
  readonly warnings: readonly string[];
  /**
   * Stores those that are not refused, all of them or none, each with an entry in its log.
   * @returns their identifiers in the order in which they came, and warnings for the sender: they are stored all the same
   * @throws Conflict `already_exists`; Unavailable
   */
  store(visible: Visible): Promise<{ readonly ids: readonly string[]; readonly warnings: readonly string[] }>;
}

/** A kind of record that tools send: alerts or events. Every method acts as the actor. */
export interface RecordKind {
  /**
   * Reads records as tools send them.
   * @param actor who sends them: what they may not see is refused. Undefined: a dry run of anybody, which does not ask.
   */
  read(
    actor: Actor | undefined,
    inputs: readonly unknown[],
    options?: { readonly unknown?: 'refuse' | 'warn' },
  ): Promise<ReadRecords>;
  /**
   * Puts the fields of `partial` into a record; lists are appended to the stored ones unless `replaceLists`. Its identifier stays.
   * @throws NotFound `record_missing`; InvalidInput `invalid_document`, `classification_too_high`
   */
  overwrite(
    actor: Actor,
    id: string,
    partial: Readonly<Record<string, unknown>>,
    options: { readonly replaceLists: boolean; readonly visible: Visible },
  ): Promise<Versioned<object>>;
  /** @throws InvalidInput `invalid_query`, and as `storeOperations`, when an update would be refused */
  checkUpdate(query: string, requested: readonly RequestedOperation[]): void;
  /**
   * Applies operations to every record that matches and that the actor may find, each atomically, the whole not.
   * @returns how many were changed
   * @throws InvalidInput as `checkUpdate`
   */
  updateWhere(actor: Actor, query: string, requested: readonly RequestedOperation[], visible: Visible): Promise<number>;
  /** Those of the identifiers that belong to records which the actor may find. */
  find(actor: Actor, ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes records. Those that are gone already are ignored. */
  delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<void>;
  /** Takes records that were deleted out of what the records of this kind relate to, whoever may see them. */
  unrelate(ids: readonly string[], visible: Visible): Promise<void>;
}
