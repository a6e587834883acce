import type { RunState } from './bulk/run-state.ts';
import type { TriageProblem } from './changes/problems.ts';
import type { TriageTarget } from './targets.ts';

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

/** The bulk that runs, or whose report is still shown. */
export interface ShownBulk {
  readonly run: RunState;
  /** Sentence that names the change. */
  readonly title: string;
}

/** A change that was refused because another person came first, with what was typed. */
export type ShownConflict = Extract<TriageProblem, { kind: 'conflict' }> & {
  readonly target: TriageTarget | undefined;
};

export const bulkSlot = new Slot<ShownBulk>();
export const conflictSlot = new Slot<ShownConflict>();
