import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { IndexAdmin, LifecyclePolicy } from '../port/index-admin.ts';
import type { LockTimes } from './bootstrap-lock.ts';

/** The dependencies of the steps for one collection. */
export interface BootstrapContext {
  readonly admin: IndexAdmin;
  readonly definition: CollectionDefinition<unknown>;
  /** `<prefix>-<collection>`. */
  readonly alias: string;
  /** Undefined: all documents stay in one index. */
  readonly policy: LifecyclePolicy | undefined;
  readonly logger: DatastoreLogger;
  readonly lockTimes: LockTimes;
  /** Milliseconds between the switch to a new index and the end of the write block of the old one. */
  readonly settleTime: number;
  readonly signal: AbortSignal | undefined;
}

/** `created`: from nothing. `moved`: from an older index. `repaired`: the alias was wrong. */
export type BootstrapOutcome = 'created' | 'moved' | 'repaired' | 'unchanged';

/** Returns false if `work` failed with that code, because another process was first. */
export async function doneUnless(code: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isTriadError(error) && error.code === code) return false;
    throw error;
  }
}
