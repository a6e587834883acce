import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type Alert, isSameTriage, type Triage, triageOf } from '../alert.ts';
import { type Change, movesTriage, type TriageChange } from '../changes/changes.ts';
import { type TriageProblem, triageProblemOf } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';
import { afterSteps, stepsOf } from '../changes/transitions.ts';
import type { AlertApi, Outcome } from '../requests/alert-api.ts';
import type { AlertCopies } from '../requests/alert-copies.ts';
import type { AlertWriter, Target } from '../requests/alert-writer.ts';
import { type BulkPlan, type Capabilities, type Operation, type Part, planBulk, SINGLES_AT_ONCE } from './bulk-plan.ts';
import { forEachLimited } from './concurrency.ts';
import { filedEntries } from './filed-entries.ts';
import { type BulkFailure, type BulkState, RunState } from './run-state.ts';

export interface BulkDependencies {
  readonly api: AlertApi;
  readonly copies: AlertCopies;
  readonly writer: AlertWriter;
  readonly capabilities: Capabilities;
  /** Listens to the progress of a run of the service. Returns what ends it. */
  readonly onProgress: (requestId: string, listener: (processed: number) => void) => () => void;
  readonly clock?: () => Date;
}

/** A change of many alerts: its progress, its report, and how to end it. */
export class BulkRun extends RunState {
  readonly #dependencies: BulkDependencies;

  constructor(total: number, dependencies: BulkDependencies) {
    super(total);
    this.#dependencies = dependencies;
  }

  /** Makes a change of all targets. Never throws for a refused one: the report has it. */
  async change(change: Change, targets: readonly Target[]): Promise<BulkState> {
    const plan = planBulk(change, targets, this.#dependencies.capabilities);
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
    }
    this.set({ processed: this.state().processed + 1 });
  }

  async #runPart(change: Change, part: Part): Promise<void> {
    const before = this.state().processed;
    let left = part.targets;
    try {
      const rows = change.kind === 'label' ? await this.#rows(left) : undefined;
      for (const operation of part.operations) {
        const done = await this.#execute(operation, left, before);
        left = left.filter(({ id }) => done.has(id));
        if (left.length === 0) break;
      }
      await this.#noteDone(change, left, rows);
    } catch (error) {
      const problem = triageProblemOf(error);
      this.fail(left.map(({ id }) => ({ id, problem })));
    }
    this.set({ processed: before + part.targets.length });
  }

  /** Runs an operation and reports the alerts that refused it. Returns the others. */
  async #execute(operation: Operation, targets: readonly Target[], before: number): Promise<ReadonlySet<string>> {
    const { api, onProgress } = this.#dependencies;
    const requestId = crypto.randomUUID();
    const stop = onProgress(requestId, (processed) => this.set({ processed: before + processed }));
    try {
      const { operation_id, data } = operation;
      const ids = targets.map(({ id }) => id);
      const operations = [{ operation_id, data_json: JSON.stringify(data) }];
      const report = await api.execute({ requestId, query: queryOfIds(ids), operations });
      return await this.#readReport(report[operation_id] ?? [], targets, operation);
    } finally {
      stop();
    }
  }

  async #readReport(
    outcomes: readonly Outcome[],
    targets: readonly Target[],
    { operation_id }: Operation,
  ): Promise<ReadonlySet<string>> {
    const done = new Set(targets.map(({ id }) => id));
    for (const { outcome, message, query } of outcomes) {
      if (outcome !== 'error') continue;
      const problem: TriageProblem = { kind: 'failed', message, errorId: undefined };
      const named = targets.filter(({ id }) => done.has(id) && query.includes(id));
      for (const { id } of named) done.delete(id);
      this.fail(named.map(({ id }) => ({ id, problem })));
    }
    // A transition passes over alerts whose status is another one by now; it names them by a query alone.
    if (operation_id !== 'transition' || !outcomes.some(({ outcome }) => outcome === 'skipped')) return done;
    const succeeded = outcomes.filter(({ outcome }) => outcome === 'success');
    const passedOver = targets.filter(({ id }) => done.has(id) && !succeeded.some(({ query }) => query.includes(id)));
    for (const { id } of passedOver) done.delete(id);
    await this.#failChanged(passedOver);
    return done;
  }

  /** Reports alerts that are not what the person saw, with their present state. */
  async #failChanged(targets: readonly Target[]): Promise<void> {
    const { copies } = this.#dependencies;
    const present = await this.#rows(targets);
    for (const { id, seen } of targets) {
      const alert = present.get(id);
      if (alert === undefined) this.fail([{ id, problem: { kind: 'gone' } }]);
      else {
        const triage = triageOf(alert);
        if (!isSameTriage(triage, seen)) copies.predict(id, triage);
        this.fail([{ id, problem: { kind: 'changed', present: triage } }]);
      }
    }
  }

  async #rows(targets: readonly Target[]): Promise<ReadonlyMap<string, Alert>> {
    if (targets.length === 0) return new Map();
    const { rows } = await this.#dependencies.api.page(queryOfIds(targets.map(({ id }) => id)), [], ROW_FIELDS);
    return new Map(rows.map((alert) => [alert.howler.id, alert]));
  }

  async #noteDone(
    change: Change,
    targets: readonly Target[],
    rows: ReadonlyMap<string, Alert> | undefined,
  ): Promise<void> {
    const entries: UndoEntry[] = [];
    const { copies } = this.#dependencies;
    for (const { id, seen } of targets) {
      if (movesTriage(change)) {
        const after = this.#after(change, seen);
        copies.predict(id, after);
        entries.push({ id, version: undefined, reversal: { kind: 'restore', before: seen, after } });
      } else if (change.kind === 'label') {
        const present = new Set<string>(rows?.get(id)?.howler.labels?.[change.set]);
        const remove = change.add.filter((label) => !present.has(label));
        const add = change.remove.filter((label) => present.has(label));
        if (add.length + remove.length > 0) {
          entries.push({ id, version: undefined, reversal: { kind: 'label', set: change.set, add, remove } });
        }
      }
    }
    if (change.kind === 'file') {
      const ids = targets.map(({ id }) => id);
      entries.push(...(await filedEntries(this.#dependencies.api, change.caseId, ids)));
    }
    if (!movesTriage(change)) copies.expire(targets.map(({ id }) => id));
    this.offer(entries);
  }

  #after(change: TriageChange, seen: Triage): Triage {
    const { capabilities, clock = () => new Date() } = this.#dependencies;
    const steps = stepsOf(change, seen, capabilities.me, capabilities.offered);
    return typeof steps === 'string' ? seen : afterSteps(steps, seen, capabilities.me, clock().toISOString());
  }
}

const ROW_FIELDS = [
  'howler.id,howler.status,howler.assignment,howler.escalation,howler.assessment,howler.rationale,howler.triaged',
  'howler.labels',
].join(',');

/** Changes of one case exclude each other; those of alerts do not. */
function concurrencyOf(isOneCase: boolean): number {
  return isOneCase ? 1 : SINGLES_AT_ONCE;
}
