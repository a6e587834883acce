import type { Datastore } from '../datastore/port/datastore.ts';
import type { AccessParts } from '../documents/schema/output.ts';

/** A one-off change of stored data, repeatable after an interrupted run and while others write. */
export interface DataMigration {
  /** Key of its record; never changed and never used again. */
  readonly id: string;
  /** Description of the change for the operator. */
  readonly title: string;
  /** Loaded only when it runs, so that the registry can be listed without the datastore. */
  readonly load: () => Promise<MigrationRun>;
}

/** Returns the number of documents that it changed. @throws `signal.reason` when it was interrupted */
export type MigrationRun = (context: MigrationContext) => Promise<number>;

export interface MigrationContext {
  readonly datastore: Datastore;
  readonly classification: ClassificationRules;
  /** Documents looked at, of all to look at. */
  readonly progress: (done: number, total: number) => void;
  /** Reports a warning to the operator; the migration continues. */
  readonly warn: (message: string) => void;
  /** Aborted when the runner is asked to end; obeyed between two batches. */
  readonly signal: AbortSignal;
}

/** The part of the classification engine that migrations need. */
export interface ClassificationRules {
  /** The classification that every user may see. */
  readonly unrestricted: string;
  /** @throws InvalidInput `invalid_classification` */
  accessParts(classification: string): AccessParts;
}
