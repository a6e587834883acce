import { Store } from '../../../state/store.ts';
import type { RunState } from './bulk/run-state.ts';
import type { Change } from './changes/changes.ts';
import type { TriageProblem } from './changes/problems.ts';
import type { Selection, TriageTarget } from './targets.ts';

/** A bulk that runs, or whose report is still shown. */
export interface ShownBulk {
  readonly run: RunState;
  /** Sentence that names the change. */
  readonly title: string;
  /** The change, where a person may try it again on the alerts that refused it. */
  readonly change?: Change | undefined;
}

/** Holds the bulks of this window; several may run at a time, each with its own progress and cancel. */
export class BulkSlot extends Store<readonly ShownBulk[]> {
  add(bulk: ShownBulk): void {
    this.set([...this.read(), bulk]);
  }

  remove(bulk: ShownBulk): void {
    this.set(this.read().filter((shown) => shown !== bulk));
  }
}

/** A change that was refused because another person came first, with what was typed. */
export type ShownConflict = Extract<TriageProblem, { kind: 'conflict' }> & {
  readonly target: TriageTarget | undefined;
};

/** A change of more alerts than the person was shown, which is made after a question. */
export interface ShownQuestion {
  readonly shown: number;
  readonly present: number;
  readonly confirm: () => void;
}

/** A change that was not made, to be edited and sent again. */
export interface ShownRetry {
  /** Tells one from the next, so that each dialogue begins with its own words. */
  readonly id: string;
  readonly change: Change;
  readonly selection: Selection;
}

export const bulkSlot = new BulkSlot([]);
export const conflictSlot = new Store<ShownConflict | undefined>(undefined);
export const questionSlot = new Store<ShownQuestion | undefined>(undefined);
export const retrySlot = new Store<ShownRetry | undefined>(undefined);

/** Opens the dialogue of a change again, with what was typed. */
export function showRetry(change: Change, selection: Selection): void {
  retrySlot.set({ id: crypto.randomUUID(), change, selection });
}
