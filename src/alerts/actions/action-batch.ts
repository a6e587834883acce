import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Action, Trigger } from '../../documents/kinds/action.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import { isTriadError, isUnavailable, messageOf } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import { ofAction, type RunOutcome, type RunReports } from '../workers/run-reports.ts';
import type { TriggerItem } from '../workers/trigger-queue.ts';
import type { ActionExecution, ExecutionRequest } from './action-execution.ts';
import { BatchUpdates } from './batch-updates.ts';
import { type HitUpdates, type KnownHits, queryOfIds } from './operation.ts';

export interface ActionBatchDependencies {
  hits: Pick<Collection<Hit>, 'count'>;
  updates: Pick<HitUpdates, 'updateEach'>;
  execution: Pick<ActionExecution, 'run' | 'onlyUpdates'>;
  reports: RunReports;
  audit: AuditLog;
  log: { error(entry: object, message: string): void };
  counter: { inc(labels: { readonly trigger: Trigger }): void };
}

/** The alerts of one user that a run of each action may take. */
export interface BatchScope {
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly depth: number;
  readonly items: readonly TriggerItem[];
  /** True for items of a queue, which may be delivered a second time. */
  readonly isQueued: boolean;
}

/** An action that ran and has no report yet. */
interface OpenRun {
  readonly action: Action;
  readonly hits: readonly Hit[];
  readonly items: readonly TriggerItem[];
  readonly outcomes: readonly RunOutcome[];
}

/** Milliseconds between two looks for new alerts that a search engine does not show yet, and how many. */
const LOOK_INTERVAL = 250;
const MAX_LOOKS = 8;

/** Runs actions on the alerts of one user. Changes of several actions are written together. */
export class ActionBatch {
  readonly #dependencies: ActionBatchDependencies;
  readonly #scope: BatchScope;
  readonly #hits: readonly Hit[];
  readonly #updates: BatchUpdates;
  /** Actions that have a report, by item. */
  readonly #finished = new Map<TriggerItem, Set<string>>();
  #open: OpenRun[] = [];
  #isSearchable: boolean;

  /** @param hits those of the alerts of the items that the user may find */
  constructor(dependencies: ActionBatchDependencies, scope: BatchScope, hits: readonly Hit[]) {
    this.#dependencies = dependencies;
    this.#scope = scope;
    this.#hits = hits;
    this.#updates = new BatchUpdates(dependencies.updates);
    this.#isSearchable = scope.trigger !== 'create';
  }

  /** Reads which actions have a report for items that are delivered again. */
  async start(): Promise<void> {
    const { isQueued, items } = this.#scope;
    const { reports } = this.#dependencies;
    await Promise.all(
      items.map(async (item) => this.#finished.set(item, new Set(isQueued ? await reports.finished(item.id) : []))),
    );
  }

  /** Returns those of the alerts that the action has no report for. */
  openHits(action: Action): readonly Hit[] {
    const ids = new Set(this.#openItems(action).flatMap((item) => item.hit_ids));
    return this.#hits.filter(({ howler }) => ids.has(howler.id));
  }

  /**
   * Runs an action on alerts that match its query.
   * @param isSearched true: the query was not evaluated, so it is searched for among the alerts
   */
  async run(action: Action, hits: readonly Hit[], isSearched: boolean): Promise<void> {
    const { actor, depth, trigger } = this.#scope;
    const { audit, counter, execution } = this.#dependencies;
    const { action_id: actionId, operations } = action;
    if (isSearched) await this.#searchable();
    const ids = hits.map(({ howler }) => howler.id);
    const query = isSearched ? `${queryOfIds(ids)} AND (${action.query})` : queryOfIds(ids);
    const known = isSearched ? undefined : this.#known(actionId, ids);
    const request = { requestId: newId(), query, known, operations, origin: { actionId, depth } };
    this.report(action, hits, await this.#execute(actor, request));
    audit.write({ event: 'action_triggered', service: 'alerts', user: actor.username, action: actionId, trigger });
    counter.inc({ trigger });
    if (isSearched || this.#updates.isFull || !execution.onlyUpdates(operations)) await this.finish();
  }

  /** Keeps what an action did for its report, which is stored when the batch is finished. */
  report(action: Action, hits: readonly Hit[], outcomes: readonly RunOutcome[]): void {
    this.#open.push({ action, hits, items: this.#openItems(action), outcomes });
  }

  /** Writes what the actions changed, and then their reports. */
  async finish(): Promise<void> {
    const { reports } = this.#dependencies;
    const { isQueued, trigger, actor } = this.#scope;
    await this.#updates.write();
    const runs = this.#open;
    this.#open = [];
    const items = new Set(runs.flatMap((run) => run.items));
    for (const run of runs) for (const item of run.items) this.#finished.get(item)?.add(run.action.action_id);
    // Before the reports: what was reported must not run again, not even after a crash.
    if (isQueued) {
      await Promise.all(Array.from(items, (item) => reports.finish(item.id, this.#finished.get(item) ?? new Set())));
    }
    for (const { action, hits: about, outcomes: own } of runs) {
      const failure = this.#updates.failureOf(action.action_id);
      const outcomes = failure === undefined ? own : [...own, failed('Failed to Execute', failure.message)];
      await reports.add(ofAction(action.action_id), { cause: trigger, user: actor.username, about, outcomes });
    }
  }

  #openItems({ action_id: id }: Action): readonly TriggerItem[] {
    return this.#scope.items.filter((item) => !this.#finished.get(item)?.has(id));
  }

  #known(actionId: string, ids: readonly string[]): KnownHits {
    return {
      ids,
      change: (operations) => this.#updates.add({ actionId, ids, operations }),
      written: () => this.#updates.write(),
      searchable: () => this.#searchable(),
    };
  }

  /** Waits until searches find the alerts as they are. */
  async #searchable(): Promise<void> {
    await this.#updates.write();
    if (this.#isSearchable) return;
    const query = { kind: 'ids', ids: this.#hits.map(({ howler }) => howler.id) } as const;
    const { searchAccess } = this.#scope.actor;
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      this.#isSearchable = (await this.#dependencies.hits.count({ query }, searchAccess)) >= this.#hits.length;
      if (this.#isSearchable) return;
      await sleep(LOOK_INTERVAL);
    }
    this.#isSearchable = true;
  }

  async #execute(actor: Actor, request: ExecutionRequest): Promise<readonly RunOutcome[]> {
    try {
      const report = await this.#dependencies.execution.run(actor, request);
      return Object.entries(report).flatMap(([operation_id, outcomes]) =>
        outcomes.map(({ outcome, title, message }) => ({ operation_id, outcome, title, message })),
      );
    } catch (err) {
      if (isUnavailable(err)) throw err;
      if (!isTriadError(err)) this.#dependencies.log.error({ err, ...request.origin }, 'a triggered action failed');
      return [failed('Failed to Execute', isTriadError(err) ? messageOf(err) : 'An internal error; the log has it.')];
    }
  }
}

export function failed(title: string, message: string): RunOutcome {
  return { outcome: 'error', title, message };
}
