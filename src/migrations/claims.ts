import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from '../datastore/port/collection.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { ABSENT, type Version } from '../datastore/port/versions.ts';
import type { Migration } from '../documents/kinds/migration.ts';
import { formatDate } from '../documents/schema/values/date-values.ts';
import { Conflict, isTriadError, Unavailable } from '../errors/errors.ts';
import { type ClaimRecord, readClaimRecord } from './claim-record.ts';

/** Milliseconds; `staleClaimTimeout` is the age from which a running claim counts as abandoned. */
interface ClaimSettings {
  readonly waitTimeout: number;
  readonly pollInterval: number;
  readonly staleClaimTimeout: number;
}

/** The right of this process to run one migration. */
export interface Claim {
  readonly claimId: string;
  /** Records the end of the migration; throws `migration_claim_lost` if another process has the claim. */
  markApplied(affectedDocuments: number): Promise<void>;
  /** Gives the claim up, so that the next runner need not wait. @throws Conflict `migration_claim_lost` */
  release(): Promise<void>;
}

interface AppliedBefore {
  readonly affectedDocuments: number;
  /** True when another process applied it while this one waited. */
  readonly waited: boolean;
}

const ACCESS = unrestricted('the migration runner reads its own records');
const RELEASE_ATTEMPTS = 2;

/**
 * Claims of migrations, one record each in the collection `migration` (spec "Migration claim").
 * Every change is bound to the version that was read, or to its absence: of any number of runners one gets the claim,
 * and one whose claim was replaced can neither mark nor delete it.
 */
export class Claims {
  readonly #records: Collection<Migration>;
  readonly #settings: ClaimSettings;
  readonly #clock: Clock;

  constructor(records: Collection<Migration>, settings: ClaimSettings, clock: Clock) {
    this.#records = records;
    this.#settings = settings;
    this.#clock = clock;
  }

  /**
   * Returns the claim, or the result of an earlier run.
   * Waits for a fresh claim of another process, replaces a stale one.
   * @param onWait called once when the waiting begins, with the time of the other claim in milliseconds since 1970
   * @throws Unavailable `migration_wait_timeout`; Conflict `migration_record_malformed`; `signal.reason`
   */
  async acquire(
    migrationId: string,
    { onWait, signal }: { readonly onWait: (since: number) => void; readonly signal: AbortSignal },
  ): Promise<Claim | AppliedBefore> {
    const claimId = randomUUID().replaceAll('-', '');
    let deadline: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      const { record, version } = await this.#read(migrationId);
      if (record?.status === 'applied') {
        return { affectedDocuments: record.affectedDocuments, waited: deadline !== undefined };
      }
      // An answer that got lost on its way: the claim was written all the same.
      if (record?.claimId === claimId) return this.#claim(migrationId, claimId);
      const isStale = record && this.#clock.now() - record.startedAt >= this.#settings.staleClaimTimeout;
      if (record === undefined || isStale) {
        if (await this.#tryClaim(migrationId, claimId, version)) return this.#claim(migrationId, claimId);
        continue;
      }
      if (deadline === undefined) {
        deadline = this.#clock.elapsed() + this.#settings.waitTimeout;
        onWait(record.startedAt);
      }
      const left = deadline - this.#clock.elapsed();
      if (left <= 0) throw this.#waitedTooLong(migrationId, record);
      await this.#clock.sleep(Math.min(this.#settings.pollInterval, left), signal);
    }
  }

  async #read(migrationId: string): Promise<{ record: ClaimRecord | undefined; stored?: Migration; version: Version }> {
    const found = await this.#records.getVersioned(migrationId, ACCESS);
    if (found === undefined) return { record: undefined, version: ABSENT };
    const { document: stored, version } = found;
    return { record: readClaimRecord(stored, migrationId), stored, version };
  }

  /** Returns true when this process got the claim. `version` is that of the record to replace, or ABSENT. */
  async #tryClaim(migrationId: string, claimId: string, version: Version): Promise<boolean> {
    const record: Migration = {
      migration_id: migrationId,
      status: 'running',
      started_at: formatDate(new Date(this.#clock.now())),
      claim_id: claimId,
    };
    try {
      return await this.#unlessLost(() =>
        this.#records.save(migrationId, record, { ifVersion: version, visible: 'now' }),
      );
    } catch (error) {
      // The claim may have been written and only the answer got lost: no one would ever finish or release it.
      await this.#release(migrationId, claimId).catch(() => undefined);
      throw error;
    }
  }

  #claim(migrationId: string, claimId: string): Claim {
    return {
      claimId,
      markApplied: (affectedDocuments) => this.#markApplied(migrationId, claimId, affectedDocuments),
      release: () => this.#release(migrationId, claimId),
    };
  }

  async #markApplied(migrationId: string, claimId: string, affectedDocuments: number): Promise<void> {
    const { stored, version } = await this.#readOwn(migrationId, claimId);
    const applied: Migration = {
      ...stored,
      status: 'applied',
      applied_at: formatDate(new Date(this.#clock.now())),
      affected_documents: affectedDocuments,
    };
    const save = () => this.#records.save(migrationId, applied, { ifVersion: version, visible: 'now' });
    // As when claiming: the record may be what we wrote, and only the answer got lost.
    const isMarked = async () => {
      const { record } = await this.#read(migrationId);
      return record?.status === 'applied' && record.claimId === claimId;
    };
    try {
      if (await this.#unlessLost(save)) return;
    } catch (error) {
      if (await isMarked().catch(() => false)) return;
      throw error;
    }
    if (!(await isMarked())) throw lost(migrationId);
  }

  async #release(migrationId: string, claimId: string): Promise<void> {
    for (let attempt = 1; attempt <= RELEASE_ATTEMPTS; attempt += 1) {
      const { version } = await this.#readOwn(migrationId, claimId);
      if (await this.#unlessLost(() => this.#records.delete(migrationId, { ifVersion: version, visible: 'now' })))
        return;
    }
    throw lost(migrationId);
  }

  async #readOwn(migrationId: string, claimId: string): Promise<{ stored: Migration; version: Version }> {
    const { record, stored, version } = await this.#read(migrationId);
    if (stored === undefined || record?.status !== 'running' || record.claimId !== claimId) throw lost(migrationId);
    return { stored, version };
  }

  /** Returns false when another process wrote the record in between. */
  async #unlessLost(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (isTriadError(error) && LOST_RACE.has(error.code)) return false;
      throw error;
    }
  }

  #waitedTooLong(migrationId: string, record: ClaimRecord): Unavailable {
    const since = new Date(record.startedAt).toISOString();
    const stale = new Date(record.startedAt + this.#settings.staleClaimTimeout).toISOString();
    return new Unavailable(
      'migration_wait_timeout',
      `Another process has been running the migration ${migrationId} since ${since} and did not finish within the wait timeout of ${this.#settings.waitTimeout / 1000} s (SVC_MIGRATION_WAIT_TIMEOUT). When it is gone, its claim counts as abandoned from ${stale} on (SVC_MIGRATION_STALE_CLAIM_TIMEOUT); run the migration again then, or at once with that variable set to 0 when you know that it is gone.`,
    );
  }
}

const LOST_RACE: ReadonlySet<string> = new Set(['version_conflict', 'already_exists']);

function lost(migrationId: string): Conflict {
  return new Conflict(
    'migration_claim_lost',
    `The claim of the migration ${migrationId} is no longer owned by this process: it was replaced or removed meanwhile, and was left alone. Documents that this process changed stay changed; the present owner of the claim finishes the migration.`,
  );
}

/** Time, as the runner sees it. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970. */
  now(): number;
  /** Milliseconds since any fixed moment; never goes back. */
  elapsed(): number;
  /** @throws `signal.reason` when it aborts first */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await pause(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
