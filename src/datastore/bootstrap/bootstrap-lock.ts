import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { Conflict, isTriadError } from '../../errors/errors.ts';
import type { DatastoreLogger } from '../port/datastore-logger.ts';
import type { AliasAction, IndexAdmin } from '../port/index-admin.ts';
import { KeyedMutex } from '../port/keyed-mutex.ts';
import { lifecycleNames } from './lifecycle-settings.ts';

/** Milliseconds. */
export interface LockTimes {
  /** Between two signs of life of the holder. */
  readonly renewEvery: number;
  /** A holder without a sign of life for so long counts as dead. */
  readonly patience: number;
  /** Between two looks of who waits. */
  readonly lookEvery: number;
}

export const USUAL_LOCK_TIMES: LockTimes = { renewEvery: 2_000, patience: 20_000, lookEvery: 500 };

const NOTHING: CollectionDefinition<unknown> = {
  name: 'bootstrap',
  idField: undefined,
  fields: [],
  fieldByPath: new Map(),
  defaultSort: [],
  classificationField: undefined,
};

export interface LockOptions {
  readonly admin: IndexAdmin;
  readonly alias: string;
  readonly times: LockTimes;
  readonly logger: DatastoreLogger;
  readonly signal: AbortSignal | undefined;
}

/**
 * Lets one process at a time move the documents of a collection, using indices alone.
 * The lock is an empty index, and its holder is an alias on it that is renamed as a heartbeat. Waiting processes watch
 * for that change, so no clocks are compared. A holder that was presumed dead may resume. Therefore every step that
 * must not happen twice uses `switchAliases`, which fails as a whole if the lock has another holder.
 */
export class BootstrapLock {
  /** True if the previous holder was interrupted between `begin` and `end`. */
  readonly wasInterrupted: boolean;
  readonly #admin: IndexAdmin;
  readonly #index: string;
  readonly #turns = new KeyedMutex();
  readonly #renewal: NodeJS.Timeout;
  #holder: string;
  #isUnfinished: boolean;
  #isReleased = false;

  private constructor({ admin, alias, times, logger }: LockOptions, holder: string, wasInterrupted: boolean) {
    this.wasInterrupted = wasInterrupted;
    this.#isUnfinished = wasInterrupted;
    this.#admin = admin;
    this.#index = lifecycleNames(alias).lock;
    this.#holder = holder;
    this.#renewal = setInterval(() => {
      this.#renew().catch((error) =>
        logger.warn({ err: error, index: this.#index }, `The lock ${this.#index} could not be renewed.`),
      );
    }, times.renewEvery);
    this.#renewal.unref();
  }

  /** Waits while another process has the lock; takes it from one that shows no sign of life. */
  static async acquire(options: LockOptions): Promise<BootstrapLock> {
    const { admin, alias, times, logger, signal } = options;
    const { lock: index } = lifecycleNames(alias);
    const holder = newHolder(index);
    // Of several processes, one succeeds.
    const takeOver = (present: readonly string[]) =>
      admin.switchAliases([
        ...present.map((alias) => ({ kind: 'remove', index, alias }) as const),
        { kind: 'add', index, alias: holder },
      ]);
    let seen: string | undefined;
    let seenAt = 0;
    for (;;) {
      signal?.throwIfAborted();
      const [lock] = await admin.list(index);
      // A cluster makes one change after the other: those that wait only look.
      if (lock === undefined) {
        const create = () => admin.create(index, NOTHING, { aliases: [{ name: holder }] });
        if (await doneUnless('index_exists', create)) return new BootstrapLock(options, holder, false);
        await sleep(times.lookEvery, undefined, { signal });
        continue;
      }
      const aliases = lock.aliases.map(({ name }) => name);
      const present = aliases.filter((name) => name !== markOf(index));
      if (seen === undefined) {
        logger.info({ index }, `Another process sets up the indices of ${alias}, or was interrupted there; waiting.`);
      }
      if (present.join() !== seen) {
        seen = present.join();
        seenAt = performance.now();
      } else if (
        performance.now() - seenAt >= times.patience &&
        (await doneUnless('not_found', () => takeOver(present)))
      ) {
        logger.warn({ index }, `The holder of the lock ${index} sent no heartbeat; the lock was taken over.`);
        return new BootstrapLock(options, holder, aliases.includes(markOf(index)));
      }
      await sleep(times.lookEvery, undefined, { signal });
    }
  }

  /** Switches aliases and deletes indices if this is still the holder; throws `bootstrap_lock_lost`. */
  switchAliases(actions: readonly AliasAction[]): Promise<void> {
    return this.#turns.take('lock', async () => {
      try {
        await this.#admin.switchAliases([
          { kind: 'remove', index: this.#index, alias: this.#holder },
          { kind: 'add', index: this.#index, alias: this.#holder },
          ...actions,
        ]);
      } catch (error) {
        if (!isTriadError(error) || error.kind !== 'not_found' || (await this.#isHeld())) throw error;
        const message = `Another process has taken the lock ${this.#index} over.`;
        throw new Conflict('bootstrap_lock_lost', message);
      }
    });
  }

  /** @throws Conflict `bootstrap_lock_lost` */
  check(): Promise<void> {
    return this.switchAliases([]);
  }

  /** Marks that a clone is made from now on, so that a later start knows whose work it finds. */
  async begin(): Promise<void> {
    this.#isUnfinished = true;
    await this.switchAliases([{ kind: 'add', index: this.#index, alias: markOf(this.#index) }]);
  }

  async end(): Promise<void> {
    const alias = markOf(this.#index);
    await this.switchAliases([{ kind: 'remove', index: this.#index, alias, mustExist: false }]);
    this.#isUnfinished = false;
  }

  /** Gives the lock up; one with an unfinished clone stays until another process takes it over. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    if (this.#isUnfinished) return;
    await this.#turns.take('lock', async () => {
      if (!this.#isReleased && (await this.#isHeld())) await this.#admin.delete(this.#index);
      this.#isReleased = true;
    });
  }

  #renew(): Promise<void> {
    return this.#turns.take('lock', async () => {
      if (this.#isReleased) return;
      const next = newHolder(this.#index);
      await this.#admin.switchAliases([
        { kind: 'remove', index: this.#index, alias: this.#holder },
        { kind: 'add', index: this.#index, alias: next },
      ]);
      this.#holder = next;
    });
  }

  async #isHeld(): Promise<boolean> {
    const [index] = await this.#admin.list(this.#index);
    return index?.aliases.some(({ name }) => name === this.#holder) ?? false;
  }
}

export function isLockLost(error: unknown): boolean {
  return isTriadError(error) && error.code === 'bootstrap_lock_lost';
}

function newHolder(index: string): string {
  return `${index}-${randomUUID()}`;
}

function markOf(index: string): string {
  return `${index}_begun`;
}

/** Returns false if `work` failed with that code or kind, because another process was first. */
export async function doneUnless(refusal: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isTriadError(error) && (error.code === refusal || error.kind === refusal)) return false;
    throw error;
  }
}
