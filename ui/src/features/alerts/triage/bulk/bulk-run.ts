import type { Change } from '../changes/changes.ts';
import { TriageError, triageProblemOf } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';
import { type MatchingAlerts, type Target, targetPages } from '../targets.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { type BulkPlan, type Part, planBulk, SINGLES_AT_ONCE } from './bulk-plan.ts';
import { forEachLimited } from './concurrency.ts';
import { PartWriter } from './part-writer.ts';
import { type BulkFailure, type BulkState, RunState } from './run-state.ts';

/** A change of many alerts: its progress, its report, and how to end it. */
export class BulkRun extends RunState {
  readonly #dependencies: BulkDependencies;
  readonly #parts: PartWriter;

  constructor(total: number, dependencies: BulkDependencies) {
    super(total);
    this.#dependencies = dependencies;
    this.#parts = new PartWriter(dependencies);
  }

  /**
   * Makes a change of all alerts of a selection, which are collected first. The report has those that
   * refused it.
   * @throws ApiProblem, when the alerts cannot be collected
   */
  async change(change: Change, selection: readonly Target[] | MatchingAlerts): Promise<BulkState> {
    const { api, capabilities } = this.#dependencies;
    const targets = 'query' in selection ? await this.collect(targetPages(selection, api)) : selection;
    const plan = planBulk(change, targets, capabilities);
    const refused = plan.refused.map(({ id, refusal }): BulkFailure => ({ id, problem: { kind: 'refused', refusal } }));
    this.set({ processed: refused.length, failures: refused });
    await this.#runSingles(change, plan);
    for (const part of plan.parts) {
      if (!this.isCancelled) await this.#runPart(change, part);
    }
    return this.finish();
  }

  /** Takes changes back, those of one case one after the other. */
  async undo(entries: readonly UndoEntry[]): Promise<BulkState> {
    const { writer } = this.#dependencies;
    await forEachLimited(
      entries,
      concurrencyOf(entries.some(({ reversal }) => reversal.kind === 'unfile')),
      (entry) =>
        this.#attempt(entry.id, async () => {
          await writer.undo(entry);
          return undefined;
        }),
      () => this.isCancelled,
    );
    return this.finish();
  }

  async #runSingles(change: Change, { singles }: BulkPlan): Promise<void> {
    const { writer } = this.#dependencies;
    await forEachLimited(
      singles,
      concurrencyOf(change.kind === 'file'),
      (target) => this.#attempt(target.id, () => writer.write(change, target)),
      () => this.isCancelled,
    );
  }

  async #attempt(id: string, work: () => Promise<UndoEntry | undefined>): Promise<void> {
    try {
      const entry = await work();
      if (entry !== undefined) this.offer([entry]);
    } catch (error) {
      this.fail([{ id, problem: triageProblemOf(error) }]);
      if (error instanceof TriageError && error.undo !== undefined) this.offer([error.undo]);
    }
    this.set({ processed: this.state.read().processed + 1 });
  }

  async #runPart(change: Change, part: Part): Promise<void> {
    const start = this.state.read().processed;
    const { failures, undo } = await this.#parts.write(change, part, (processed) =>
      this.set({ processed: start + processed }),
    );
    this.fail(failures);
    this.offer(undo);
    this.set({ processed: start + part.targets.length });
  }
}

/** Changes of one case exclude each other; those of alerts do not. */
function concurrencyOf(isOneCase: boolean): number {
  return isOneCase ? 1 : SINGLES_AT_ONCE;
}
