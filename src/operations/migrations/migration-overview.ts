import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_ALL } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Migration } from '../../documents/kinds/migration.ts';
import { messageOf } from '../../errors/errors.ts';
import { type ClaimRecord, readClaimRecord } from '../../migrations/claim-record.ts';
import type { DataMigration } from '../../migrations/migration.ts';

export interface MigrationOverviewDependencies {
  readonly records: Collection<Migration>;
  readonly registry: readonly DataMigration[];
  /** Seconds after which a claim counts as abandoned. */
  readonly staleClaimTimeout: number;
}

/** `unknown`: applied by another version of the program, which this one does not have. */
export const MIGRATION_STATES = ['pending', 'running', 'abandoned', 'applied', 'damaged', 'unknown'] as const;

/** A migration with its record. */
export interface MigrationState {
  readonly id: string;
  readonly title: string;
  readonly state: (typeof MIGRATION_STATES)[number];
  /** The run that holds the claim; null: none does. */
  readonly claim: { readonly id: string | null; readonly since: string; readonly abandoned_at: string } | null;
  readonly applied_at: string | null;
  readonly affected_documents: number | null;
  /** Problem of the record; null: none. */
  readonly problem: string | null;
}

const ACCESS = unrestricted('administrators look at the records of migrations');
/** Records that are read: more than there will ever be migrations. */
const MAX_RECORDS = 1000;
const NO_RECORD = { claim: null, applied_at: null, affected_documents: null, problem: null } as const;

/** Shows the migrations that the program knows, and those that were applied. */
export class MigrationOverview {
  readonly #dependencies: MigrationOverviewDependencies;

  constructor(dependencies: MigrationOverviewDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the known migrations in the order in which they run, then records of others. */
  async list(now = Date.now()): Promise<readonly MigrationState[]> {
    const { records, registry } = this.#dependencies;
    const { items } = await records.search({ query: MATCH_ALL, rows: MAX_RECORDS }, ACCESS);
    const ids = new Set(items.map(({ id }) => id));
    const known = registry.map(({ id, title }) => this.#state(id, title, now));
    for (const { id } of registry) ids.delete(id);
    const others = [...ids]
      .sort()
      .map(async (id) => ({ ...(await this.#state(id, '', now)), state: 'unknown' as const }));
    return Promise.all([...known, ...others]);
  }

  async #state(id: string, title: string, now: number): Promise<MigrationState> {
    // Reads by identifier see what was just written, and documents as they are stored.
    const stored = await this.#dependencies.records.get(id, ACCESS);
    if (stored === undefined) return { id, title, state: 'pending', ...NO_RECORD };
    try {
      return { id, title, ...this.#describe(readClaimRecord(stored, id), now) };
    } catch (error) {
      return { id, title, ...NO_RECORD, state: 'damaged', problem: messageOf(error) };
    }
  }

  #describe(record: ClaimRecord, now: number): Omit<MigrationState, 'id' | 'title'> {
    if (record.status === 'applied') {
      const applied_at = new Date(record.appliedAt).toISOString();
      return { ...NO_RECORD, state: 'applied', applied_at, affected_documents: record.affectedDocuments };
    }
    const { startedAt, claimId } = record;
    const abandoned = startedAt + this.#dependencies.staleClaimTimeout * 1000;
    const claim = {
      id: claimId ?? null,
      since: new Date(startedAt).toISOString(),
      abandoned_at: new Date(abandoned).toISOString(),
    };
    return { ...NO_RECORD, state: now >= abandoned ? 'abandoned' : 'running', claim };
  }
}
