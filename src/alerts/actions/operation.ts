import type { Trigger } from '../../documents/kinds/action.ts';
import type { Actor, Role } from '../../identity/actor.ts';
import type { HitSelection } from './hit-selection.ts';
import type { OperationArguments } from './operation-arguments.ts';

/** Maximum number of alerts of one run. */
export interface HitLimit {
  readonly basic: number;
  /** With a role of `ADVANCED_ROLES`. */
  readonly advanced: number;
}

/** What people fill in together. */
export interface OperationStep {
  /** Arguments by name, each with the earlier choices (`escalation:evidence`) that it is asked for; none: always. */
  readonly args: Readonly<Record<string, readonly string[]>>;
  /** Values to choose from, by argument: always the same ones, or by an earlier choice. */
  readonly options: Readonly<Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>>;
  /** Lucene queries, with `$argument` in them, of alerts that the operation would pass over (`warn`) or not accept (`error`). */
  readonly validation?: Readonly<Partial<Record<'warn' | 'error', { readonly query: string }>>>;
}

/** How an operation is offered to people. Members as clients know them. */
export interface OperationSpecification {
  readonly id: string;
  readonly title: string;
  /** Key of the title in the translations of clients. */
  readonly i18nKey: string;
  /** Higher ones are offered first. */
  readonly priority?: number;
  readonly description: { readonly short: string; readonly long: string };
  /** Any one of them lets a user run it; administrators may run all. */
  readonly roles: readonly Role[];
  readonly steps: readonly OperationStep[];
  /** What may make it run by itself. */
  readonly triggers: readonly Trigger[];
}

/** One run of one operation. */
export interface OperationRun {
  readonly actor: Actor;
  readonly selection: HitSelection;
  /** The caller's own name of the run, under which its progress is told. */
  readonly requestId: string;
}

/** What became of the alerts of a query. */
export interface Outcome {
  /** Lucene query of the alerts that this is about. */
  readonly query: string;
  readonly outcome: 'success' | 'skipped' | 'error';
  readonly title: string;
  readonly message: string;
}

/** Something that can be done with the alerts of a query. */
export interface Operation {
  readonly specification: OperationSpecification;
  /** Above it the operation is not run. Absent: no limit, or one that the operation sees to itself. */
  readonly limit?: HitLimit;
  /**
   * What is wrong with the arguments, or with single alerts, becomes an outcome.
   * @throws the errors of what it changes, when nothing more can be said
   */
  run(run: OperationRun, given: OperationArguments): Promise<readonly Outcome[]>;
}

/** Everything went as asked, for every alert of the query. */
export function executed(query: string, message: string): Outcome {
  return { query, outcome: 'success', title: 'Executed Successfully', message };
}

export function skipped(query: string, title: string, message: string): Outcome {
  return { query, outcome: 'skipped', title, message };
}

/** Nothing was done. */
export function refused(query: string, title: string, message: string): Outcome {
  return { query, outcome: 'error', title, message };
}
