import { ApiProblem } from '../../../../api/problem.ts';
import type { Alert, AlertCopy, Triage } from '../alert.ts';
import type { Change } from './changes.ts';
import type { UndoEntry } from './reversals.ts';
import type { Refusal } from './transitions.ts';

/** A change that was not made, with its reason. */
export type TriageProblem =
  /** The alert was changed since the person saw it: both are shown, and what was typed is kept. */
  | { readonly kind: 'conflict'; readonly change: Change; readonly seen: Triage; readonly present: AlertCopy }
  /** The alert was deleted, or is above the classification of the person. */
  | { readonly kind: 'gone' }
  /** An alert of a bulk that is not what the person saw. */
  | { readonly kind: 'changed'; readonly present: Triage }
  /** An alert that the query of an action no longer matches. */
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'forbidden'; readonly message: string }
  /** Some requests of a change were written before one of them failed, for this reason. */
  | { readonly kind: 'partial'; readonly reason: TriageProblem }
  /** An undo that would overwrite the work of another person. */
  | { readonly kind: 'overtaken'; readonly by: string | undefined; readonly at: string | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly errorId: string | undefined };

/** A change that was not made, or not as a whole. */
export class TriageError extends Error {
  override readonly name = 'TriageError';
  readonly problem: TriageProblem;
  /** Takes the written part of a change back, where there is one. */
  readonly undo: UndoEntry | undefined;

  constructor(problem: TriageProblem, undo?: UndoEntry) {
    super(problem.kind);
    this.problem = problem;
    this.undo = undo;
  }
}

/** Returns whether a request may have been carried out although it failed: its answer was lost. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 409 || error.status === 412);
}

/**
 * Returns whether a change may have been refused because the alert is another one by now: the service
 * asks whether the status allows a transition before it compares versions.
 */
export function mayBeConflict(error: unknown): boolean {
  return isConflict(error) || (error instanceof ApiProblem && error.status === 400);
}

/** Returns the reason of a failed request. @throws the error itself, when it is a defect */
export function triageProblemOf(error: unknown): TriageProblem {
  if (error instanceof TriageError) return error.problem;
  if (!(error instanceof ApiProblem)) throw error;
  const { status, message, errorId } = error;
  if (status === 404) return { kind: 'gone' };
  if (status === 403) return { kind: 'forbidden', message };
  return { kind: 'failed', message, errorId };
}

/** Returns the problem of an undo that someone overtook: who changed the alert last, and when. */
export function overtakenBy({ howler }: Alert): TriageProblem {
  const last = howler.log.at(-1);
  return { kind: 'overtaken', by: last?.user, at: last?.timestamp };
}
