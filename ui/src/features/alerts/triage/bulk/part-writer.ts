import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type Alert, isSameTriage, TRIAGE_FIELDS, type Triage, triageOf, withTriage } from '../alert.ts';
import { type Change, movesTriage, type TriageChange } from '../changes/changes.ts';
import { type TriageProblem, triageProblemOf } from '../changes/problems.ts';
import { progressOf } from '../changes/progress.ts';
import { reversalOf, type UndoEntry } from '../changes/reversals.ts';
import { afterSteps, stepsOf } from '../changes/transitions.ts';
import type { Outcome } from '../requests/alert-api.ts';
import { filedEntries } from '../requests/filed-entries.ts';
import type { Target } from '../targets.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import type { Operation, Part } from './bulk-plan.ts';
import type { BulkFailure } from './run-state.ts';

type Rows = ReadonlyMap<string, Alert>;
type Problems = ReadonlyMap<string, TriageProblem>;

/** The report of a part of a bulk. */
export interface PartResult {
  readonly failures: readonly BulkFailure[];
  readonly undo: readonly UndoEntry[];
}

/** Makes a change of a part of a bulk by operations of an action, which look at no version of an alert. */
export class PartWriter {
  readonly #dependencies: BulkDependencies;

  constructor(dependencies: BulkDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads the alerts of a part, runs its operations on those that are as they were seen, and shows what
   * became of them. Never throws for a refused request: the result has its reason.
   * @param onProgress called with the number of alerts that the present operation has processed
   */
  async write(
    change: Change,
    { operations, targets }: Part,
    onProgress: (processed: number) => void,
  ): Promise<PartResult> {
    const ids = targets.map(({ id }) => id);
    try {
      const before = await this.#rows(ids);
      const others = targets.filter((target) => !isUnchanged(change, target, before.get(target.id)));
      const overtaken = others.map(({ id }) => this.#overtaken(id, before.get(id)));
      const open = ids.filter((id) => !overtaken.some((failure) => failure.id === id));
      const problems = await this.#runOperations(operations, open, onProgress);
      const found = await this.#classify(change, before, problems);
      const done = [...open.filter((id) => !problems.has(id)), ...found.done];
      const undo = await this.#undoOf(change, before, done);
      return { failures: [...overtaken, ...found.failures], undo: [...found.undo, ...undo] };
    } catch (error) {
      const problem = triageProblemOf(error);
      return { failures: ids.map((id) => ({ id, problem })), undo: [] };
    }
  }

  /** Returns the report of an alert that another person changed, and shows it as it is now. */
  #overtaken(id: string, present: Alert | undefined): BulkFailure {
    if (present === undefined) return { id, problem: { kind: 'gone' } };
    const triage = triageOf(present);
    this.#dependencies.copies.predict(id, triage);
    return { id, problem: { kind: 'changed', present: triage } };
  }

  /** Runs operations in turn, each on those that took the ones before. Returns why others did not. */
  async #runOperations(
    operations: readonly Operation[],
    ids: readonly string[],
    onProgress: (processed: number) => void,
  ): Promise<Problems> {
    const problems = new Map<string, TriageProblem>();
    for (const operation of operations) {
      const open = ids.filter((id) => !problems.has(id));
      if (open.length === 0) break;
      try {
        for (const [id, problem] of await this.#execute(operation, open, onProgress)) problems.set(id, problem);
      } catch (error) {
        const problem = triageProblemOf(error);
        for (const id of open) problems.set(id, problem);
      }
    }
    return problems;
  }

  /** Runs an operation. Returns the alerts that did not take it, with the reason. */
  async #execute(
    operation: Operation,
    ids: readonly string[],
    listener: (processed: number) => void,
  ): Promise<Problems> {
    const { api, onProgress } = this.#dependencies;
    const requestId = crypto.randomUUID();
    const stop = onProgress(requestId, listener);
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
   * Reads alerts again that did not take a change, or of which no answer says whether they did.
   * @returns those that the change was made of although its answer was lost, and the others with the
   *   reason and what takes a written part back
   */
  async #classify(
    change: Change,
    before: Rows,
    problems: Problems,
  ): Promise<PartResult & { readonly done: readonly string[] }> {
    const present = await this.#rowsIfPossible([...problems.keys()]);
    const failures: BulkFailure[] = [];
    const undo: UndoEntry[] = [];
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
          undo.push(...entriesOf(change, former, row));
        }
      }
    }
    this.#dependencies.copies.expire(failures.map(({ id }) => id));
    return { failures, undo, done };
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

  /** Shows what a change made of alerts. Returns what takes it back to what they were before. */
  async #undoOf(change: Change, before: Rows, ids: readonly string[]): Promise<readonly UndoEntry[]> {
    const { copies } = this.#dependencies;
    const rows = ids.flatMap((id) => before.get(id) ?? []);
    if (movesTriage(change)) {
      return rows.flatMap((row) => {
        const after = this.#after(change, row);
        copies.predict(row.howler.id, after);
        return entriesOf(change, row, withTriage(row, after));
      });
    }
    copies.expire(ids);
    if (change.kind === 'file') return this.#filedEntries(change.caseId, rows);
    return rows.flatMap((row) => entriesOf(change, row, row));
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

  #after(change: TriageChange, row: Alert): Triage {
    const { capabilities, clock = () => new Date() } = this.#dependencies;
    const { me, offered } = capabilities;
    const before = triageOf(row);
    const steps = stepsOf(change, before, me, offered);
    return typeof steps === 'string' ? before : afterSteps(steps, before, me, clock().toISOString());
  }
}

const ROW_FIELDS = [...TRIAGE_FIELDS, 'howler.labels', 'howler.related'].join(',');

/** Returns whether a change means the same for an alert as when the person saw it. */
function isUnchanged(change: Change, { seen }: Target, row: Alert | undefined): boolean {
  return row !== undefined && (!movesTriage(change) || isSameTriage(triageOf(row), seen));
}

/** Returns what takes back the difference that a change made of an alert, if it made one. */
function entriesOf(change: Change, before: Alert, after: Alert): readonly UndoEntry[] {
  const reversal = reversalOf(change, before, { alert: after, version: undefined });
  return reversal === undefined ? [] : [{ id: before.howler.id, version: undefined, reversal }];
}

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
