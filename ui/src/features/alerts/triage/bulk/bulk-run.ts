import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type Alert, isSameTriage, TRIAGE_FIELDS, triageOf, withTriage } from '../alert.ts';
import { type Change, movesTriage, type TriageChange } from '../changes/changes.ts';
import { TriageError, type TriageProblem, triageProblemOf } from '../changes/problems.ts';
import { progressOf } from '../changes/progress.ts';
import { reversalOf, type UndoEntry } from '../changes/reversals.ts';
import { afterSteps, stepsOf } from '../changes/transitions.ts';
import type { AlertApi, Outcome } from '../requests/alert-api.ts';
import type { AlertCopies } from '../requests/alert-copies.ts';
import type { AlertWriter } from '../requests/alert-writer.ts';
import { filedEntries } from '../requests/filed-entries.ts';
import { type MatchingAlerts, type Target, targetPages } from '../targets.ts';
import { type BulkPlan, type Capabilities, type Operation, type Part, planBulk, SINGLES_AT_ONCE } from './bulk-plan.ts';
import { forEachLimited } from './concurrency.ts';
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

type Rows = ReadonlyMap<string, Alert>;
type Problems = ReadonlyMap<string, TriageProblem>;

/** A change of many alerts: its progress, its report, and how to end it. */
export class BulkRun extends RunState {
  readonly #dependencies: BulkDependencies;

  constructor(total: number, dependencies: BulkDependencies) {
    super(total);
    this.#dependencies = dependencies;
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
    this.set({ processed: this.state().processed + 1 });
  }

  /** Reads the alerts of a part, runs its operations on those that are as they were seen, reports the others. */
  async #runPart(change: Change, { operations, targets }: Part): Promise<void> {
    const start = this.state().processed;
    const ids = targets.map(({ id }) => id);
    try {
      const before = await this.#rows(ids);
      const open = this.#unchanged(change, targets, before);
      const problems = await this.#runOperations(operations, open, start);
      const done = open.filter((id) => !problems.has(id));
      await this.#offerUndo(change, before, [...done, ...(await this.#classify(change, before, problems))]);
    } catch (error) {
      const problem = triageProblemOf(error);
      this.fail(ids.map((id) => ({ id, problem })));
    }
    this.set({ processed: start + targets.length });
  }

  /** Runs operations in turn, each on those that took the ones before. Returns the problems of the others. */
  async #runOperations(operations: readonly Operation[], ids: readonly string[], start: number): Promise<Problems> {
    const problems = new Map<string, TriageProblem>();
    for (const operation of operations) {
      const open = ids.filter((id) => !problems.has(id));
      if (open.length === 0) break;
      try {
        for (const [id, problem] of await this.#execute(operation, open, start)) problems.set(id, problem);
      } catch (error) {
        const problem = triageProblemOf(error);
        for (const id of open) problems.set(id, problem);
      }
    }
    return problems;
  }

  /** Returns the alerts that are as the person saw them, and reports the others with their present state. */
  #unchanged(change: Change, targets: readonly Target[], rows: Rows): readonly string[] {
    const isUnchanged = ({ id, seen }: Target) => {
      const row = rows.get(id);
      return row !== undefined && (!movesTriage(change) || isSameTriage(triageOf(row), seen));
    };
    const { true: unchanged = [], false: others = [] } = Object.groupBy(targets, (target) => `${isUnchanged(target)}`);
    this.fail(others.map(({ id }) => this.#overtaken(id, rows.get(id))));
    return unchanged.map(({ id }) => id);
  }

  /** Returns the report of an alert that another person changed, and shows it as it is now. */
  #overtaken(id: string, present: Alert | undefined): BulkFailure {
    if (present === undefined) return { id, problem: { kind: 'gone' } };
    const triage = triageOf(present);
    this.#dependencies.copies.predict(id, triage);
    return { id, problem: { kind: 'changed', present: triage } };
  }

  /** Runs an operation. Returns the alerts that did not take it, with the reason. */
  async #execute(operation: Operation, ids: readonly string[], start: number): Promise<Problems> {
    const { api, onProgress } = this.#dependencies;
    const requestId = crypto.randomUUID();
    const stop = onProgress(requestId, (processed) => this.set({ processed: start + processed }));
    try {
      const { operation_id, data } = operation;
      const operations = [{ operation_id, data_json: JSON.stringify(data) }];
      const report = await api.execute({ requestId, query: queryOfIds(ids), operations });
      return problemsOf(report[operation_id] ?? [], ids, operation);
    } finally {
      stop();
    }
  }

  /**
   * Reads alerts again that did not take a change, or of which no answer says whether they did, and
   * reports those that it was not made of.
   * @returns the others: the change was made of them, although its answer was lost
   */
  async #classify(change: Change, before: Rows, problems: Problems): Promise<readonly string[]> {
    if (problems.size === 0) return [];
    const present = await this.#rowsIfPossible([...problems.keys()]);
    const failures: BulkFailure[] = [];
    const done: string[] = [];
    for (const [id, problem] of problems) {
      const [former, row] = [before.get(id), present?.get(id)];
      if (present === undefined || former === undefined) failures.push({ id, problem });
      else if (row === undefined) failures.push(this.#overtaken(id, undefined));
      else {
        const progress = progressOf(change, former, row, this.#dependencies.capabilities);
        if (progress === 'all') done.push(id);
        else if (progress === 'other') failures.push(this.#overtaken(id, row));
        else if (progress === 'none') failures.push({ id, problem });
        else {
          failures.push({ id, problem: { kind: 'partial', reason: problem } });
          this.offer(entriesOf(change, former, row));
        }
      }
    }
    this.fail(failures);
    this.#dependencies.copies.expire(failures.map(({ id }) => id));
    return done;
  }

  async #rows(ids: readonly string[]): Promise<Rows> {
    if (ids.length === 0) return new Map();
    const rows = await this.#dependencies.api.rows(queryOfIds(ids), [], ROW_FIELDS);
    return new Map(rows.map((alert) => [alert.howler.id, alert]));
  }

  async #rowsIfPossible(ids: readonly string[]): Promise<Rows | undefined> {
    try {
      return await this.#rows(ids);
    } catch (error) {
      // Throws what is no failure of a request.
      triageProblemOf(error);
      return undefined;
    }
  }

  /** Shows what a change made of alerts, and offers to take it back to what they were before. */
  async #offerUndo(change: Change, before: Rows, ids: readonly string[]): Promise<void> {
    const { copies } = this.#dependencies;
    const rows = ids.flatMap((id) => before.get(id) ?? []);
    if (movesTriage(change)) {
      const moved = rows.map((row) => [row, withTriage(row, this.#after(change, row))] as const);
      for (const [row, after] of moved) copies.predict(row.howler.id, triageOf(after));
      this.offer(moved.flatMap(([row, after]) => entriesOf(change, row, after)));
      return;
    }
    copies.expire(ids);
    if (change.kind === 'file') this.offer(await this.#filedEntries(change.caseId, rows));
    else this.offer(rows.flatMap((row) => entriesOf(change, row, row)));
  }

  /** Returns what takes alerts out of a case that were not in it before; nothing where it cannot be read. */
  async #filedEntries(caseId: string, before: readonly Alert[]): Promise<readonly UndoEntry[]> {
    const added = before.filter(({ howler }) => !howler.related?.includes(caseId)).map(({ howler }) => howler.id);
    if (added.length === 0) return [];
    try {
      return await filedEntries(this.#dependencies.api, caseId, added);
    } catch (error) {
      // Throws what is no failure of a request.
      triageProblemOf(error);
      return [];
    }
  }

  #after(change: TriageChange, row: Alert) {
    const { capabilities, clock = () => new Date() } = this.#dependencies;
    const { me, offered } = capabilities;
    const before = triageOf(row);
    const steps = stepsOf(change, before, me, offered);
    return typeof steps === 'string' ? before : afterSteps(steps, before, me, clock().toISOString());
  }
}

/** Returns what takes back the difference that a change made of an alert, if it made one. */
function entriesOf(change: Change, before: Alert, after: Alert): readonly UndoEntry[] {
  const reversal = reversalOf(change, before, { alert: after, version: undefined });
  return reversal === undefined ? [] : [{ id: before.howler.id, version: undefined, reversal }];
}

const ROW_FIELDS = [...TRIAGE_FIELDS, 'howler.labels', 'howler.related'].join(',');

/** Returns the alerts that an operation was not made of by its report, with the reason. */
function problemsOf(outcomes: readonly Outcome[], ids: readonly string[], { operation_id }: Operation): Problems {
  const problems = new Map<string, TriageProblem>();
  for (const { outcome, message, query } of outcomes) {
    if (outcome !== 'error') continue;
    for (const id of ids.filter((one) => query.includes(one) && !problems.has(one))) {
      problems.set(id, { kind: 'failed', message, errorId: undefined });
    }
  }
  // A transition passes over alerts whose status is another one by now; it names them by a query alone.
  const skipped = outcomes.find(({ outcome }) => outcome === 'skipped');
  if (operation_id !== 'transition' || skipped === undefined) return problems;
  const succeeded = outcomes.filter(({ outcome }) => outcome === 'success');
  for (const id of ids) {
    if (problems.has(id) || succeeded.some(({ query }) => query.includes(id))) continue;
    problems.set(id, { kind: 'failed', message: skipped.message, errorId: undefined });
  }
  return problems;
}

/** Changes of one case exclude each other; those of alerts do not. */
function concurrencyOf(isOneCase: boolean): number {
  return isOneCase ? 1 : SINGLES_AT_ONCE;
}
