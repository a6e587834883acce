import { queryOfIds } from '../../../query/model/record-queries.ts';
import { type Alert, TRIAGE_FIELDS } from '../alert.ts';
import { type TriageProblem, triageProblemOf } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';
import type { Outcome, StoredAction } from '../requests/alert-api.ts';
import { filedEntries } from '../requests/filed-entries.ts';
import { matchingIds, type Selection } from '../targets.ts';
import { changedFields, reversalsOf } from './action-reversals.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { chunks, runSize } from './bulk-plan.ts';
import { type BulkFailure, type BulkState, RunState } from './run-state.ts';

/**
 * A run of a saved action on alerts, in parts that the roles of the person allow. The alerts are read
 * before and after: what differs can be taken back.
 */
export class ActionRun extends RunState {
  readonly #dependencies: BulkDependencies;

  constructor(total: number, dependencies: BulkDependencies) {
    super(total);
    this.#dependencies = dependencies;
  }

  /**
   * Runs the action on those alerts of a selection that it matches, which are collected first. The
   * report has those that refused it.
   * @throws ApiProblem, when the alerts cannot be collected
   */
  async run(action: StoredAction, selection: Selection): Promise<BulkState> {
    const { api, capabilities } = this.#dependencies;
    const ids = await this.collect(matchingIds(selection, action.query, api));
    for (const part of chunks(ids, runSize(capabilities.roles))) {
      if (this.isCancelled) break;
      await this.#runPart(action, part);
    }
    return this.finish();
  }

  async #runPart(action: StoredAction, ids: readonly string[]): Promise<void> {
    const start = this.state.read().processed;
    try {
      const before = await this.#rows(action, ids, [action.query]);
      this.skip(ids.filter((id) => !before.has(id)).map((id) => ({ id, problem: { kind: 'unmatched' } })));
      const failure = await this.#execute(action, ids, [...before.keys()], start);
      const undo = await this.#entriesIfPossible(action, before);
      this.offer(undo);
      if (failure !== undefined) this.fail([...before.keys()].map((id) => failureOf(id, failure, undo)));
    } catch (error) {
      const problem = triageProblemOf(error);
      this.fail(ids.map((id) => ({ id, problem })));
    }
    this.#dependencies.copies.expire(ids);
    this.set({ processed: start + ids.length });
  }

  /** Runs the action and reads its report. Returns why there is none: a part may have been written then. */
  async #execute(
    action: StoredAction,
    ids: readonly string[],
    matching: readonly string[],
    start: number,
  ): Promise<TriageProblem | undefined> {
    const { api, onProgress } = this.#dependencies;
    const requestId = crypto.randomUUID();
    const stop = onProgress(requestId, (processed) => this.set({ processed: start + Math.min(processed, ids.length) }));
    try {
      const query = `${queryOfIds(ids)} AND (${action.query})`;
      const report = await api.runAction(action.action_id, requestId, query);
      this.#read(Object.values(report).flat(), matching);
      return undefined;
    } catch (error) {
      return triageProblemOf(error);
    } finally {
      stop();
    }
  }

  async #rows(
    action: StoredAction,
    ids: readonly string[],
    filters: readonly string[],
  ): Promise<ReadonlyMap<string, Alert>> {
    const fields = [...TRIAGE_FIELDS, 'howler.labels', 'howler.related', ...changedFields(action.operations)];
    const rows = await this.#dependencies.api.rows(queryOfIds(ids), filters, [...new Set(fields)].join(','));
    return new Map(rows.map((alert) => [alert.howler.id, alert]));
  }

  /** Reports each alert once, with the first reason. */
  #read(outcomes: readonly Outcome[], ids: readonly string[]): void {
    const failed = new Map<string, BulkFailure>();
    const skipped = new Map<string, BulkFailure>();
    for (const { outcome, message, query } of outcomes) {
      if (outcome === 'success') continue;
      const problem: TriageProblem = { kind: 'failed', message, errorId: undefined };
      const named = outcome === 'error' ? failed : skipped;
      for (const id of ids) if (query.includes(id) && !named.has(id)) named.set(id, { id, problem });
    }
    this.fail([...failed.values()]);
    this.skip([...skipped.values()].filter(({ id }) => !failed.has(id)));
  }

  /** Returns what takes the difference to the present state back; nothing where that cannot be read. */
  async #entriesIfPossible(action: StoredAction, before: ReadonlyMap<string, Alert>): Promise<readonly UndoEntry[]> {
    try {
      return await this.#entries(action, before);
    } catch (error) {
      // Throws what is no failure of a request.
      triageProblemOf(error);
      return [];
    }
  }

  async #entries(action: StoredAction, before: ReadonlyMap<string, Alert>): Promise<readonly UndoEntry[]> {
    const { operations } = action;
    const after = await this.#rows(action, [...before.keys()], []);
    const fields = changedFields(operations);
    const entries = [...before].flatMap(([id, alert]): UndoEntry[] => {
      const present = after.get(id);
      if (present === undefined) return [];
      const reversals = reversalsOf(alert, present, fields);
      return reversals.length === 0 ? [] : [{ id, version: undefined, reversal: { kind: 'several', reversals } }];
    });
    const failed = new Set(this.state.read().failures.map(({ id }) => id));
    for (const { operation_id, data_json } of operations) {
      if (operation_id !== 'add_to_case') continue;
      const caseId = String((JSON.parse(data_json ?? '{}') as { readonly case_id?: unknown }).case_id);
      const added = [...before].filter(([id, { howler }]) => !failed.has(id) && !howler.related?.includes(caseId));
      const ids = added.map(([id]) => id);
      entries.push(...(ids.length === 0 ? [] : await filedEntries(this.#dependencies.api, caseId, ids)));
    }
    return entries;
  }
}

/** Returns the report of an alert for which the answer of a run is missing: it shows what was written. */
function failureOf(id: string, reason: TriageProblem, undo: readonly UndoEntry[]): BulkFailure {
  return { id, problem: undo.some((entry) => entry.id === id) ? { kind: 'partial', reason } : reason };
}
