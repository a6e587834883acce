import { queryOfIds } from '../../../query/model/record-queries.ts';
import type { Alert } from '../alert.ts';
import { type TriageProblem, triageProblemOf } from '../changes/problems.ts';
import type { UndoEntry } from '../changes/reversals.ts';
import type { Outcome, StoredAction } from '../requests/alert-api.ts';
import { TRIAGE_FIELDS } from '../targets.ts';
import { changedFields, reversalsOf } from './action-reversals.ts';
import { chunks, runSize } from './bulk-plan.ts';
import type { BulkDependencies } from './bulk-run.ts';
import { filedEntries } from './filed-entries.ts';
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

  /** Never throws for refused alerts: the report has them. */
  async run(action: StoredAction, ids: readonly string[]): Promise<BulkState> {
    for (const part of chunks(ids, runSize(this.#dependencies.capabilities.roles))) {
      if (this.isCancelled) break;
      await this.#runPart(action, part);
    }
    return this.finish();
  }

  async #runPart(action: StoredAction, ids: readonly string[]): Promise<void> {
    const { api, copies, onProgress } = this.#dependencies;
    const start = this.state().processed;
    const requestId = crypto.randomUUID();
    const stop = onProgress(requestId, (processed) => this.set({ processed: start + Math.min(processed, ids.length) }));
    try {
      const before = await this.#rows(action, ids, [action.query]);
      this.#skip(ids.filter((id) => !before.has(id)).map((id) => ({ id, problem: { kind: 'unmatched' } })));
      const query = `${queryOfIds(ids)} AND (${action.query})`;
      const report = await api.runAction(action.action_id, requestId, query);
      this.#read(Object.values(report).flat(), [...before.keys()]);
      const after = await this.#rows(action, ids, []);
      this.offer(await this.#entries(action, before, after));
      copies.expire(ids);
    } catch (error) {
      const problem = triageProblemOf(error);
      this.fail(ids.map((id) => ({ id, problem })));
    } finally {
      stop();
    }
    this.set({ processed: start + ids.length });
  }

  async #rows(
    action: StoredAction,
    ids: readonly string[],
    filters: readonly string[],
  ): Promise<ReadonlyMap<string, Alert>> {
    const fields = [...TRIAGE_FIELDS, 'howler.labels', 'howler.related', ...changedFields(action.operations)];
    const { rows } = await this.#dependencies.api.page(queryOfIds(ids), filters, [...new Set(fields)].join(','));
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
    this.#skip([...skipped.values()].filter(({ id }) => !failed.has(id)));
  }

  #skip(skipped: readonly BulkFailure[]): void {
    this.set({ skipped: [...this.state().skipped, ...skipped] });
  }

  async #entries(
    { operations }: StoredAction,
    before: ReadonlyMap<string, Alert>,
    after: ReadonlyMap<string, Alert>,
  ): Promise<readonly UndoEntry[]> {
    const fields = changedFields(operations);
    const entries = [...before].flatMap(([id, alert]): UndoEntry[] => {
      const present = after.get(id);
      if (present === undefined) return [];
      const reversals = reversalsOf(alert, present, fields);
      return reversals.length === 0 ? [] : [{ id, version: undefined, reversal: { kind: 'several', reversals } }];
    });
    const failed = new Set(this.state().failures.map(({ id }) => id));
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
