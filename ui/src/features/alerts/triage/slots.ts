import type { RunState } from './bulk/run-state.ts';
import type { Change } from './changes/changes.ts';
import type { TriageProblem } from './changes/problems.ts';
import type { Selection, TriageTarget } from './targets.ts';

/** Holds one value of this window, which every page with alerts shows. */
export class Slot<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value | undefined;

  read = (): Value | undefined => this.#value;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  show(value: Value | undefined): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}

/** A bulk that runs, or whose report is still shown. */
export interface ShownBulk {
  readonly run: RunState;
  /** Sentence that names the change. */
  readonly title: string;
  /** The change, where a person may try it again on the alerts that refused it. */
  readonly change?: Change | undefined;
}

/** Holds the bulks of this window; several may run at a time, each with its own progress and cancel. */
export class BulkSlot extends Slot<readonly ShownBulk[]> {
  add(bulk: ShownBulk): void {
    this.show([...(this.read() ?? []), bulk]);
  }

  remove(bulk: ShownBulk): void {
    this.show(this.read()?.filter((shown) => shown !== bulk));
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

export const bulkSlot = new BulkSlot();
export const conflictSlot = new Slot<ShownConflict>();
export const questionSlot = new Slot<ShownQuestion>();
export const retrySlot = new Slot<ShownRetry>();

/** Opens the dialogue of a change again, with what was typed. */
export function showRetry(change: Change, selection: Selection): void {
  retrySlot.show({ id: crypto.randomUUID(), change, selection });
}
