import { Store } from '../../../../state/store.ts';
import type { TriageProblem } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';

/** An alert of a bulk that was not changed, with the reason. */
export interface BulkFailure {
  readonly id: string;
  readonly problem: TriageProblem;
}

export interface BulkState {
  /** `collecting`: the alerts are read, and none is changed yet. */
  readonly phase: 'collecting' | 'running' | 'cancelling' | 'done';
  /** Alerts to change; while they are collected, as many as the person was shown. */
  readonly total: number;
  readonly collected: number;
  readonly processed: number;
  readonly failures: readonly BulkFailure[];
  /** Alerts for which there was nothing to do. */
  readonly skipped: readonly BulkFailure[];
  /** Alerts that were left alone after a cancel. */
  readonly cancelled: number;
  /** Reversals of all that was done. */
  readonly undo: readonly UndoEntry[];
}

const START = {
  phase: 'running',
  collected: 0,
  processed: 0,
  failures: [],
  skipped: [],
  cancelled: 0,
  undo: [],
} as const;

/** The progress and the report of work on many alerts, which its panel listens to, and how to end it. */
export class RunState {
  /** Tells runs apart that are shown at the same time. */
  readonly id = crypto.randomUUID();
  readonly state: Store<BulkState>;

  constructor(total: number) {
    this.state = new Store({ ...START, total });
  }

  /** Begins no further request; those under way come to their end. */
  cancel(): void {
    const { phase } = this.state.read();
    if (phase === 'running' || phase === 'collecting') this.set({ phase: 'cancelling' });
  }

  protected get isCancelled(): boolean {
    return this.state.read().phase === 'cancelling';
  }

  /** Collects all alerts to change before the first one is: changed ones may match no more. */
  protected async collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
    const found: Item[] = [];
    this.set({ phase: 'collecting' });
    for await (const page of pages) {
      found.push(...page);
      if (this.isCancelled) return [];
      this.set({ collected: found.length });
    }
    this.set({ phase: 'running', total: found.length });
    return found;
  }

  protected fail(failures: readonly BulkFailure[]): void {
    if (failures.length > 0) this.set({ failures: [...this.state.read().failures, ...failures] });
  }

  protected skip(skipped: readonly BulkFailure[]): void {
    if (skipped.length > 0) this.set({ skipped: [...this.state.read().skipped, ...skipped] });
  }

  protected offer(entries: readonly UndoEntry[]): void {
    if (entries.length > 0) this.set({ undo: [...this.state.read().undo, ...entries] });
  }

  protected finish(): BulkState {
    const { total, processed } = this.state.read();
    this.set({ phase: 'done', cancelled: Math.max(0, total - processed) });
    return this.state.read();
  }

  protected set(changes: Partial<BulkState>): void {
    this.state.set({ ...this.state.read(), ...changes });
  }
}
