import type { Datastore } from '../datastore/port/datastore.ts';
import { migrationDocument } from '../documents/kinds/migration.ts';
import { messageOf } from '../errors/errors.ts';
import { isCount } from './claim-record.ts';
import { type Claim, Claims, type Clock, systemClock } from './claims.ts';
import type { ClassificationRules, DataMigration } from './migration.ts';
import { checkMigrations } from './registry.ts';

/** Seconds, as `migration.*` of the configuration. */
export interface MigrationSettings {
  readonly wait_timeout: number;
  readonly poll_interval: number;
  readonly stale_claim_timeout: number;
}

/** The outcome of one selected migration. */
export type MigrationOutcome = MigrationEnd & {
  readonly id: string;
  /** From its turn to its end, waiting included. */
  readonly milliseconds: number;
};

type MigrationEnd =
  /** `waited`: another process applied it while this one waited. */
  | { readonly kind: 'applied' | 'already_applied' | 'waited'; readonly affectedDocuments: number }
  /** `interrupted`: it stopped between two batches because the runner was asked to end. */
  | { readonly kind: 'failed' | 'interrupted'; readonly error: unknown }
  | { readonly kind: 'not_reached' };

/** Hears what happens while it happens. */
export interface MigrationReport {
  started(migration: DataMigration): void;
  /** Another process has the claim since then (milliseconds since 1970). */
  waiting(migration: DataMigration, since: number): void;
  /** Documents looked at, of all to look at. */
  progress(migration: DataMigration, done: number, total: number): void;
  warning(migration: DataMigration, message: string): void;
  finished(outcome: MigrationOutcome): void;
}

export interface MigrationRunDependencies {
  readonly datastore: Datastore;
  readonly classification: ClassificationRules;
  readonly settings: MigrationSettings;
  /** Run one after the other in this order. */
  readonly selected: readonly DataMigration[];
  readonly report: MigrationReport;
  /** Aborted when the runner is asked to end. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Runs each selected migration once, regardless of how many runners run concurrently.
 * The first failure ends the run; failures are outcomes.
 * @throws InvalidInput `migration_selection_empty`, `migration_selected_twice`
 */
export async function runMigrations(dependencies: MigrationRunDependencies): Promise<readonly MigrationOutcome[]> {
  checkMigrations(dependencies.selected);
  const { clock = systemClock, settings, report } = dependencies;
  const times = {
    waitTimeout: settings.wait_timeout * 1000,
    pollInterval: settings.poll_interval * 1000,
    staleClaimTimeout: settings.stale_claim_timeout * 1000,
  };
  const claims = new Claims(dependencies.datastore.collection(migrationDocument), times, clock);
  const outcomes: MigrationOutcome[] = [];
  let mayContinue = true;
  for (const migration of dependencies.selected) {
    const begun = clock.elapsed();
    const end: MigrationEnd =
      mayContinue && !dependencies.signal.aborted
        ? await runOne(dependencies, claims, migration)
        : { kind: 'not_reached' };
    const outcome = { id: migration.id, milliseconds: clock.elapsed() - begun, ...end };
    outcomes.push(outcome);
    report.finished(outcome);
    mayContinue = isDone(outcome);
  }
  return outcomes;
}

/** Returns true when the migration is applied, by this or another runner. */
export function isDone({ kind }: MigrationOutcome): boolean {
  return kind === 'applied' || kind === 'already_applied' || kind === 'waited';
}

async function runOne(
  dependencies: MigrationRunDependencies,
  claims: Claims,
  migration: DataMigration,
): Promise<MigrationEnd> {
  const { report, signal } = dependencies;
  try {
    const claim = await claims.acquire(migration.id, { onWait: (since) => report.waiting(migration, since), signal });
    if ('waited' in claim) {
      return { kind: claim.waited ? 'waited' : 'already_applied', affectedDocuments: claim.affectedDocuments };
    }
    report.started(migration);
    return { kind: 'applied', affectedDocuments: await runClaimed(dependencies, claim, migration) };
  } catch (error) {
    return { kind: signal.aborted && error === signal.reason ? 'interrupted' : 'failed', error };
  }
}

async function runClaimed(
  dependencies: MigrationRunDependencies,
  claim: Claim,
  migration: DataMigration,
): Promise<number> {
  const { datastore, classification, report, signal } = dependencies;
  try {
    const run = await migration.load();
    const affectedDocuments = await run({
      datastore,
      classification,
      signal,
      progress: (done, total) => report.progress(migration, done, total),
      warn: (message) => report.warning(migration, message),
    });
    if (!isCount(affectedDocuments)) {
      throw new Error(`the migration ${migration.id} did not answer with a number of documents: ${affectedDocuments}`);
    }
    await claim.markApplied(affectedDocuments);
    return affectedDocuments;
  } catch (error) {
    await claim.release().catch((cause: unknown) => {
      report.warning(migration, `The claim could not be released: ${messageOf(cause)}`);
    });
    throw error;
  }
}
