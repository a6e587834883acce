import type { TriageProblem } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';

/** An alert of a bulk that was not changed, with the reason. */
export interface BulkFailure {
  readonly id: string;
  readonly problem: TriageProblem;
}

export interface BulkState {
  readonly phase: 'running' | 'cancelling' | 'done';
  readonly total: number;
  readonly processed: number;
  readonly failures: readonly BulkFailure[];
  /** Alerts for which there was nothing to do. */
  readonly skipped: readonly BulkFailure[];
  /** Alerts that were left alone after a cancel. */
  readonly cancelled: number;
  /** Reversals of all that was done. */
  readonly undo: readonly UndoEntry[];
}

/** The progress and the report of work on many alerts, which its panel listens to, and how to end it. */
export class RunState {
  readonly #listeners = new Set<() => void>();
  #state: BulkState;

  constructor(total: number) {
    this.#state = { phase: 'running', total, processed: 0, failures: [], skipped: [], cancelled: 0, undo: [] };
  }

  state = (): BulkState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Begins no further request; those under way come to their end. */
  cancel(): void {
    if (this.#state.phase === 'running') this.set({ phase: 'cancelling' });
  }

  protected get isCancelled(): boolean {
    return this.#state.phase === 'cancelling';
  }

  protected fail(failures: readonly BulkFailure[]): void {
    this.set({ failures: [...this.#state.failures, ...failures] });
  }

  protected offer(entries: readonly UndoEntry[]): void {
    this.set({ undo: [...this.#state.undo, ...entries] });
  }

  protected finish(): BulkState {
    const { total, processed } = this.#state;
    this.set({ phase: 'done', cancelled: Math.max(0, total - processed) });
    return this.#state;
  }

  protected set(changes: Partial<BulkState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
